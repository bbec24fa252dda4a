import { describe, expect, test } from 'vitest';
import { startAfter } from '../../../src/history/earlier-work.ts';
import { createPulls } from '../../../src/history/pulls.ts';
import { findTarget } from '../../../src/history/target.ts';
import { hasRange, type Recorded, unixSeconds } from '../../../src/model/record.ts';
import { commit, judgeOf, recordOf, TODO, UNKNOWN } from '../../support/records.ts';

const NOW = Date.UTC(2026, 0, 1);
const ago = (seconds: number) => unixSeconds(NOW) - seconds;
const RANGE = { from: commit('a'), to: commit('b') };

async function lookAt(what: Recorded | string, fate: string, at = ago(600)) {
  const record = recordOf(what, { ...RANGE, at });
  if (!hasRange(record)) throw new Error('it has a range');
  const { judge, asked } = judgeOf({ j1: fate });
  const query = { judge, isMessage: false, nowMs: NOW };
  return { ...(await startAfter({ runNumber: 8, record }, query)), asked };
}

describe('a new agent job', () => {
  const newFor = [
    { seconds: 5, isNew: true },
    { seconds: 31, isNew: false },
  ];

  test.each(newFor)('may be unknown for a moment ($seconds s)', async ({ seconds, isNew }) => {
    const { asked } = await lookAt('j1', 'active', ago(seconds));
    expect(asked).toMatchObject([{ id: 'j1', isNew }]);
  });

  test.each(newFor)('also as the last one of its step ($seconds s)', async ({ seconds, isNew }) => {
    const { judge, asked } = judgeOf({ j1: 'failed' });
    const pulls = createPulls(() => Promise.reject(new Error('GitHub was opened')), '');
    const last = { id: 'j1', at: ago(seconds), messagedAt: undefined };
    await findTarget(last, { judge, pulls, mayWait: true, isDryRun: false, nowMs: NOW });
    expect(asked).toMatchObject([{ id: 'j1', isNew }]);
  });
});

test.each([
  { what: 'j1', fate: 'failed', isSentBefore: true },
  { what: 'j1', fate: 'missed', isSentBefore: true },
  { what: UNKNOWN, fate: '', isSentBefore: true },
  { what: 'j1', fate: 'completed', isSentBefore: false },
  { what: TODO, fate: '', isSentBefore: false },
])('the docs may tell of changes after $what $fate: $isSentBefore', async (row) => {
  const { start } = await lookAt(row.what, row.fate);
  expect(start).toMatchObject({ isSentBefore: row.isSentBefore });
});
