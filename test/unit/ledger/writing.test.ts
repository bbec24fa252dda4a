/** What happens when the ledger cannot be written. */
import { expect, test } from 'vitest';
import type { Outside } from '../../../src/ledger/outside.ts';
import { record } from '../../../src/ledger/settle.ts';
import { EMPTY, type State } from '../../../src/ledger/state.ts';
import type { Store } from '../../../src/ledger/store.ts';
import { takeTurn } from '../../../src/ledger/turn.ts';
import { TestClock } from '../../support/clock.ts';

const { signal } = new AbortController();
const RUN = { key: 'k', run: 1, attempt: 1, job: null };
const nothing = async () => undefined;
const outside = { now: () => 0, since: nothing, nothingToSend: nothing } as unknown as Outside;
const ABOUT = { scope: 'prompts', tracksChanges: false, appends: false, isDryRun: false } as const;

const optionsOf = (store: Store, clock = new TestClock()) => ({
  clock,
  signal,
  deadline: Number.POSITIVE_INFINITY,
  recorder: { store, scope: 'prompts', outside, clock, signal } as const,
  waitUntil: 0,
  pollIntervalMs: 1,
  isMessageRefused: false,
  onWait: () => undefined,
  compose: async () => ({ prompt: 'x', codePullRequests: [] }),
});

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

test('a claim of an earlier turn is taken back if the next turn fails', async () => {
  const claim = { ...RUN, to: null, at: 0, message: null, pull: null, end: null };
  const state = { ...EMPTY, runs: [{ ...claim, codePullRequests: [] }] };
  const pushed: State[] = [];
  const latest = async () => ({ tip: 'a', state });
  const push = async (_tip: string | undefined, next: State) => {
    pushed.push(next);
    return { kind: 'pushed', tip: 'b' } as const;
  };
  const away = () => Promise.reject(new Error('GitHub is away'));
  const store: Store = { ref: 'refs/docs-agent/x', read: away, latest, push };
  const asked = { ...outside, since: away };
  const turn = takeTurn({ ...RUN, ...ABOUT }, store, asked, optionsOf(store));
  await expect(turn).rejects.toThrow('GitHub is away');
  expect(pushed).toEqual([EMPTY]);
});

test('a claim is tried 20 times, and the error has what the server said last', async () => {
  const { said, store } = rejecting();
  const turn = takeTurn({ ...RUN, ...ABOUT }, store, outside, optionsOf(store));
  await expect(turn).rejects.toThrow('in 20 tries (`busy 19`), so nothing was sent');
  expect(said).toHaveLength(20);
});

test('the outcome of a call is tried at growing intervals', async () => {
  const { said, store } = rejecting();
  const clock = new TestClock();
  const open = { ...RUN, to: null, at: 0, message: null, pull: null, end: null };
  const state = { ...EMPTY, runs: [{ ...open, codePullRequests: [] }] };
  const latest = async () => ({ tip: undefined, state });
  const recorder = { ...ABOUT, store: { ...store, latest, read: latest }, outside, clock, signal };
  const recorded = await record(recorder, RUN, { kind: 'not-sent' }, 120_000);
  expect(recorded).toEqual({ kind: 'failed', said: said.at(-1) });
  expect(said.length).toBeGreaterThan(30);
  expect(said.length).toBeLessThan(60);
});
