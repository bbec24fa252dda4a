import { expect, test } from 'vitest';
import type { Standing } from '../../../src/agent/job.ts';
import { StepError } from '../../../src/errors.ts';
import { EMPTY, editCall } from '../../../src/ledger/state.ts';
import { type TurnRooms, takeTurns } from '../../../src/run/turns.ts';
import { jobOf, PULL, shown } from '../../support/agent-job.ts';
import { callOf, type Given, HOUR_MS, MINUTE_MS, worldOf } from '../ledger/given.ts';

/** A run whose call is accepted, and whose agent job reads like these in turn. */
function runOf(given: Given, reads: readonly Standing[], deadline = 24 * HOUR_MS) {
  const world = worldOf(given);
  let seen = 0;
  const read = async () => {
    seen += 1;
    return reads[Math.min(seen, reads.length) - 1] ?? shown();
  };
  const rooms: TurnRooms = {
    ...world,
    effects: { ...world, deadline },
    inputs: { wait: true, dryRun: false, pollIntervalMs: 10_000 },
    agent: { send: async () => ({ kind: 'accepted', job: jobOf() }), read },
    changes: {
      compose: async () => ({ prompt: 'prompt', codePullRequests: [41] }),
      overview: async () => undefined,
    },
    github: { with: () => ({ docsPull: async () => undefined }) },
  };
  return { ...world, run: () => takeTurns(rooms) };
}

test('an end that another run has recorded is that of the step, with its link', async () => {
  const { run, clock, pushed, write } = runOf({}, [shown(), shown(), shown('completed')]);
  clock.at(15_000, () =>
    write(editCall(pushed.at(-1) ?? EMPTY, 'k2', { end: 'pull-request', pull: PULL })),
  );
  const result = await run();
  expect(result).toMatchObject({ ending: { kind: 'pull-request' }, job: { prLink: PULL } });
  expect(pushed).toHaveLength(2);
});

test.for([
  [109, 'follows'],
  [110, 'sends'],
] as const)('a re-run of a step that ends after %d minutes %s', async ([minutes, rerun]) => {
  const { run } = runOf({}, [], minutes * MINUTE_MS);
  expect(await run()).toMatchObject({ ending: { kind: 'timed-out' }, call: { rerun } });
});

test('a step that gives up waiting says what the ledger remembers', async () => {
  const running = callOf({ job: 'job_1' });
  const { run } = runOf({ runs: [running], covered: 'B', waitUntil: 60_000 }, []);
  const ending = { kind: 'stopped', error: { topic: 'other-run' } };
  expect(await run()).toMatchObject({ ending, isRemembered: true });
});

test('what became of a call is tried for a minute, and then once at each poll', async () => {
  const { run, tries, runner } = runOf({ pushes: 1 }, [shown(), shown('failed')]);
  expect(await run()).toMatchObject({ ending: { kind: 'failed' }, call: { rerun: 'sends' } });
  const within = Array.from({ length: 18 }, (_, n) => 6 + 3 * n);
  const minute = [0, 1, 3, ...within];
  expect(tries).toEqual([0, ...minute, 57, ...minute.map((second) => 67 + second)]);
  expect(runner.annotations).toMatchObject([{ level: 'warning' }, { level: 'warning' }]);
});

test('an id that is recorded late is recorded once, and a re-run follows it', async () => {
  const { run, tries } = runOf({ pushes: 1, triesRefused: 24 }, [], 5 * MINUTE_MS);
  expect(await run()).toMatchObject({ ending: { kind: 'timed-out' }, call: { rerun: 'follows' } });
  expect(tries).toHaveLength(25);
});

test('a re-run of a call whose ledger was deleted sends', async () => {
  const { run, clock, write } = runOf({ pushes: 1 }, [], 5 * MINUTE_MS);
  clock.at(15_000, () => write(EMPTY));
  expect(await run()).toMatchObject({ ending: { kind: 'timed-out' }, call: { rerun: 'sends' } });
});

test('a re-run ends as recorded, with the recorded link if Mintlify does not show it now', async () => {
  const call = callOf({ run: 2, job: 'job_1', end: 'pull-request', pull: PULL });
  const reads: Standing[] = [{ kind: 'unreadable', said: 'HTTP 503' }];
  const { run } = runOf({ asked: { attempt: 2 }, runs: [call] }, reads);
  expect(await run()).toMatchObject({ ending: { kind: 'pull-request' }, job: { prLink: PULL } });
});

test('a message whose pull request cannot be read now stays open in the ledger', async () => {
  const docsPullState = () => Promise.reject(new StepError('github', 'HTTP 503'));
  const outside = { with: () => ({ isBehind: async () => false, docsPullState }) };
  const last = callOf({ job: 'job_1', pull: PULL, end: 'pull-request' });
  const given = { asked: { appends: true }, runs: [last], outside };
  const { run, pushed, runner } = runOf(given, [shown(), shown('completed', PULL)]);
  expect(await run()).toMatchObject({ ending: { kind: 'pull-request' }, appendedTo: PULL });
  expect(pushed.at(-1)?.runs).toMatchObject([{ end: null, job: 'job_1' }, last]);
  expect(runner.annotations).toMatchObject([{ level: 'warning' }]);
});
