import { expect, test } from 'vitest';
import { fateOfAddition } from '../../../src/history/addition.ts';
import { CALL_OVER_MS } from '../../../src/model/record.ts';

/** A message at second 1,000, to the agent job of pull request 7. Times are ms after the message. */
const SENT_MS = 1_000_000;
const HOUR = 60 * 60_000;

test.each([
  // Merged hours after the agent had ended, when the step had timed out or did not wait.
  { kind: 'merged', endedAfter: 9 * HOUR, hasCommit: true, fate: 'covered' },
  { kind: 'merged', endedAfter: HOUR, hasCommit: true, fate: 'covered' },
  { kind: 'closed', endedAfter: CALL_OVER_MS + 1, hasCommit: false, fate: 'covered' },
  { kind: 'closed', endedAfter: CALL_OVER_MS, hasCommit: false, fate: 'missed' },
  // The branch was rewritten.
  { kind: 'merged', endedAfter: HOUR, hasCommit: undefined, fate: 'missed' },
  // The agent was not done, whatever it had pushed by then.
  { kind: 'merged', endedAfter: HOUR, hasCommit: true, activeAfter: HOUR + 1, fate: 'missed' },
  { kind: 'merged', endedAfter: HOUR, hasCommit: true, activeAfter: HOUR - 1, fate: 'covered' },
  { kind: 'open', hasCommit: true, fate: 'covered' },
  { kind: 'open', hasCommit: false, activeAfter: 1, fate: 'covered' },
  { kind: 'open', hasCommit: false, fate: 'uncertain' },
] as const)(
  '$kind after $endedAfter ms, agent commit: $hasCommit, active after $activeAfter ms: $fate',
  (row) => {
    const after = (ms: number | undefined) => (ms === undefined ? undefined : SENT_MS + ms);
    const added = { number: 7, head: 'a', at: SENT_MS / 1_000 };
    const ended = 'endedAfter' in row ? row.endedAfter : undefined;
    const active = 'activeAfter' in row ? row.activeAfter : undefined;
    const pull = { kind: row.kind, number: 7, endedMs: after(ended) };
    const watch = { lastActiveMs: after(active), nowMs: SENT_MS + (ended ?? HOUR) };
    expect(fateOfAddition(added, pull, row.hasCommit, watch)).toBe(row.fate);
  },
);
