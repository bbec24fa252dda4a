import { expect, test } from 'vitest';
import { docsPullReader } from '../../../src/github/docs-pull-reader.ts';
import { GitHubError } from '../../../src/github/errors.ts';
import type { GitHub } from '../../../src/github/github.ts';
import { fateOfAddition } from '../../../src/model/addition.ts';
import { WORK_OVER_MS } from '../../../src/model/record.ts';

/** A message at second 1,000, to the agent job of pull request 7. Times are ms after the message. */
const SENT_MS = 1_000_000;
const HOUR = 60 * 60_000;
const ADDED = { number: 7, head: 'before', at: SENT_MS / 1_000 };

test.each([
  { kind: 'open', fate: 'uncertain' },
  { kind: 'open', wasActive: true, fate: 'covered' },
  { kind: 'open', head: 'after', fate: 'covered' },
  { kind: 'open', lookedAfter: WORK_OVER_MS, fate: 'uncertain' },
  { kind: 'open', lookedAfter: WORK_OVER_MS + 1, fate: 'covered' },
  // Others push, too.
  { kind: 'merged', endedAfter: HOUR, head: 'after', fate: 'missed' },
  // It was not seen open after the agent was done, whatever a clock says.
  { kind: 'merged', endedAfter: HOUR, wasActive: true, fate: 'missed' },
  { kind: 'merged', endedAfter: WORK_OVER_MS + 1, wasActive: true, fate: 'missed' },
  { kind: 'closed', endedAfter: WORK_OVER_MS, fate: 'missed' },
  { kind: 'closed', endedAfter: WORK_OVER_MS + 1, fate: 'covered' },
  { kind: 'closed', endedAfter: HOUR, number: 8, fate: 'covered' },
] as const)('the addition of $kind, %o', (row) => {
  const { kind, fate, number, head, wasActive } = {
    ...{ number: 7, head: 'before', wasActive: false },
    ...row,
  };
  const after = (ms: number | undefined) => (ms === undefined ? undefined : SENT_MS + ms);
  const ended = 'endedAfter' in row ? row.endedAfter : undefined;
  const pull = { kind, number, head, endedMs: after(ended) };
  const nowMs = SENT_MS + ('lookedAfter' in row ? row.lookedAfter : HOUR);
  expect(fateOfAddition(ADDED, pull, wasActive, nowMs)).toBe(fate);
  expect(fateOfAddition('missed', pull, wasActive, nowMs)).toBe('missed');
});

const LINK = 'https://github.com/acme/docs/pull/7';
const MERGED = '2026-01-01T00:00:00Z';
const shown = (pull: object) => async () => ({ head: { sha: 'h' }, ...pull }) as never;
const hidden = async () => Promise.reject(new GitHubError('forbidden', 'HTTP 403'));

test.each<[link: string, pull: GitHub['pull'], state: object]>([
  [LINK, shown({ state: 'open' }), { kind: 'open', name: 'acme/docs#7', head: 'h' }],
  [
    LINK,
    shown({ state: 'closed', merged_at: MERGED, closed_at: MERGED }),
    { kind: 'merged', endedMs: Date.parse(MERGED) },
  ],
  [LINK, shown({ state: 'closed', closed_at: MERGED }), { kind: 'closed' }],
  [
    LINK,
    hidden,
    {
      kind: 'unknown',
      reason: expect.stringMatching(/^GitHub does not show pull request .*`pull-requests: /),
    },
  ],
  // The token goes to no other server.
  ['https://gitlab.com/a/b/-/merge_requests/1', hidden, { kind: 'unknown' }],
  ['https://github.test/acme/docs/pull/7', hidden, { kind: 'unknown' }],
  ['', hidden, { kind: 'unknown', reason: expect.stringContaining('names no pull request') }],
])('of the pull request %j GitHub says %#', async (link, pull, state) => {
  const read = docsPullReader(async () => ({ pull }), 'https://github.com');
  expect(await read(link)).toMatchObject(state);
});
