import { expect, test } from 'vitest';
import { decide } from '../../../src/ledger/decide.ts';
import type { Outside } from '../../../src/ledger/outside.ts';
import type { Call } from '../../../src/ledger/state.ts';

const HOUR_MS = 3_600_000;

test('of a pull request, a running agent job for the same changes comes before a doubt about others', async () => {
  const call = { attempt: 1, at: 0, message: null, pull: null, codePullRequests: [] };
  const runs: readonly Call[] = [
    { ...call, key: 'b', run: 2, to: 'B', job: null, end: 'unknown' },
    { ...call, key: 'a', run: 1, to: 'A', job: 'job_a', end: null },
  ];
  const outside = {
    now: () => HOUR_MS,
    target: async () => ({ to: 'A', head: 'head', start: 'start' }),
    look: async () => ({ kind: 'active' }),
  } as unknown as Outside;
  const run = { key: 'c', run: 3, attempt: 1, scope: 'pull', tracksChanges: true } as const;
  const about = { ...run, appends: false, since: undefined, isDryRun: false };
  const state = { v: 1, covered: null, runs } as const;
  expect(await decide(about, state, outside, { isMessageRefused: false })).toMatchObject({
    ...{ kind: 'wait', call: { job: 'job_a' }, warnings: [] },
  });
});
