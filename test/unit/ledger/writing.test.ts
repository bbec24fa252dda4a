/** What happens when the ledger cannot be written. */
import { expect, test } from 'vitest';
import type { Outside } from '../../../src/ledger/outside.ts';
import { record } from '../../../src/ledger/settle.ts';
import { EMPTY } from '../../../src/ledger/state.ts';
import type { Store } from '../../../src/ledger/store.ts';
import { takeTurn } from '../../../src/ledger/turn.ts';
import { TestClock } from '../../support/clock.ts';

const { signal } = new AbortController();
const RUN = { key: 'k', run: 1, attempt: 1, job: null };
const outside = { now: () => 0, nothingToSend: async () => undefined } as unknown as Outside;

/** A ledger whose pushes are rejected, and what each said. */
function rejecting() {
  const said: string[] = [];
  const read = async () => ({ tip: undefined, state: EMPTY });
  const push = async () => {
    said.push(`busy ${said.length}`);
    return { kind: 'rejected', said: said.at(-1) ?? '' } as const;
  };
  const store: Store = { ref: 'refs/docs-agent/x', read, latest: read, push };
  return { said, store };
}

test('a claim is tried 20 times, and the error has what the server said last', async () => {
  const { said, store } = rejecting();
  const clock = new TestClock();
  const about = {
    scope: 'prompts',
    tracksChanges: false,
    appends: false,
    isDryRun: false,
  } as const;
  const turn = takeTurn({ ...RUN, ...about, since: undefined }, store, outside, {
    ...{ clock, signal, deadline: 0, waitUntil: 0, pollIntervalMs: 1, isMessageRefused: false },
    recorder: { store, scope: 'prompts', outside, clock, signal },
    onWait: () => undefined,
    compose: async () => ({ prompt: 'x', codePullRequests: [] }),
  });
  await expect(turn).rejects.toThrow('in 20 tries (`busy 19`), so nothing was sent');
  expect(said).toHaveLength(20);
});

test('the outcome of a call is tried at growing intervals', async () => {
  const { said, store } = rejecting();
  const clock = new TestClock();
  const open = { ...RUN, to: null, at: 0, message: null, pull: null, end: null };
  const state = { ...EMPTY, runs: [{ ...open, codePullRequests: [] }] };
  const latest = async () => ({ tip: undefined, state });
  const recorder = { store: { ...store, latest, read: latest }, outside, clock, signal };
  const recorded = await record(
    { ...recorder, scope: 'prompts' },
    RUN,
    { kind: 'not-sent' },
    120_000,
  );
  expect(recorded).toEqual({ kind: 'failed', said: said.at(-1) });
  expect(said.length).toBeGreaterThan(30);
  expect(said.length).toBeLessThan(60);
});
