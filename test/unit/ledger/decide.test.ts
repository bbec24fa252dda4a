import { expect, test } from 'vitest';
import { decide } from '../../../src/ledger/decide.ts';
import type { Outside } from '../../../src/ledger/outside.ts';
import type { Call } from '../../../src/ledger/state.ts';

const HOUR_MS = 3_600_000;
const CALL = { attempt: 1, at: 0, message: null, pull: null, codePullRequests: [] };
const DOUBT: Call = { ...CALL, key: 'b', run: 2, to: 'B', job: null, end: 'unknown' };
const RUN = { key: 'c', run: 3, attempt: 1, scope: 'pull', tracksChanges: true } as const;
const ABOUT = { ...RUN, appends: false, since: undefined, isDryRun: false };
const ANEW = { isMessageRefused: false };

test('of a pull request, a running agent job for the same changes comes before a doubt about others', async () => {
  const running: Call = { ...CALL, key: 'a', run: 1, to: 'A', job: 'job_a', end: null };
  const outside = {
    now: () => HOUR_MS,
    target: async () => ({ to: 'A', head: 'head', start: 'start' }),
    look: async () => ({ kind: 'active' }),
  } as unknown as Outside;
  const state = { v: 1, covered: null, runs: [DOUBT, running] } as const;
  expect(await decide(ABOUT, state, outside, ANEW)).toMatchObject({
    ...{ kind: 'wait', call: { job: 'job_a' }, warnings: [] },
  });
});

test('with `since: event`, a re-run follows its agent job, whatever has to be sent now', async () => {
  const outside = { now: () => 0, nothingToSend: async () => 'all-skipped' } as unknown as Outside;
  const own: Call = { ...CALL, key: 'a', run: 3, to: null, job: 'job_a', end: 'no-changes' };
  const run = { ...ABOUT, attempt: 2, scope: 'prompts', tracksChanges: false } as const;
  const decision = (runs: readonly Call[]) =>
    decide(run, { v: 1, covered: null, runs }, outside, ANEW);
  expect(await decision([own])).toMatchObject({ kind: 'resume', call: { job: 'job_a' } });
  expect(await decision([])).toMatchObject({ kind: 'skip', reason: 'all-skipped' });
});

test('a prompt without changes sends none again, whatever is in doubt', async () => {
  const outside = {
    now: () => HOUR_MS,
    nothingToSend: async () => undefined,
  } as unknown as Outside;
  const run = { ...ABOUT, tracksChanges: false, appends: true };
  const state = { v: 1, covered: null, runs: [DOUBT] } as const;
  expect(await decide(run, state, outside, ANEW)).toMatchObject({ kind: 'send', warnings: [] });
});
