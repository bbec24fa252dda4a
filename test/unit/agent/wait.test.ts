import { describe, expect, test } from 'vitest';
import type { Result } from '../../../src/agent/results.ts';
import { type EarlierWait, readOnce, waitForEarlier, waitForEnd } from '../../../src/agent/wait.ts';
import type { WaitPlan } from '../../../src/agent/wait-decision.ts';
import { CancelledError } from '../../../src/model/run-error.ts';
import { fakeEffects, fault } from '../../support/fakes.ts';
import { jobOf } from '../../support/results.ts';

const PLAN: WaitPlan = {
  pollIntervalMs: 10_000,
  deadline: 60_000,
  messagedAtMs: undefined,
  isSingleRead: false,
};
const PR = 'https://github.com/acme/docs/pull/1';
const jobRead = (status: string, prLink = ''): Result => {
  return { kind: 'job', job: jobOf({ status, prLink }) };
};
const CANCELLED = new CancelledError('SIGTERM');
const refused: Result = fault('refused', 'HTTP 401');

/** Waits for an agent job whose reads give `reads`, one after the other. */
function waitOver(reads: readonly Result[]) {
  const effects = fakeEffects(() => ({ kind: 'lost', error: '' }));
  const left = [...reads];
  const start = (onRead: () => void = () => undefined, firstPauseMs = 0) =>
    waitForEnd(
      PLAN,
      { job: jobOf(), wasActive: false, firstPauseMs },
      async () => {
        const read = left.shift();
        if (read === undefined) throw new Error('there is no read left');
        onRead();
        return read;
      },
      effects,
    );
  return { effects, left, start };
}

const ended = { ending: { kind: 'ended', end: 'pull-request' } };

describe('the wait for an agent job', () => {
  test('makes no further read when it is cancelled in a pause, and keeps what was read', async () => {
    const { effects, start } = waitOver([jobRead('active')]);
    expect(await start(() => effects.abort.abort(CANCELLED))).toMatchObject({
      error: CANCELLED,
      state: { reads: 1, job: { status: 'active' } },
    });
    const before = waitOver([jobRead('completed', PR)]);
    before.effects.abort.abort(CANCELLED);
    expect(await before.start()).toMatchObject({ error: CANCELLED, state: { reads: 0 } });
    expect(before.left).toHaveLength(1);
  });

  test('keeps an end that was read when it is cancelled during the read', async () => {
    const { effects, start } = waitOver([jobRead('completed', PR)]);
    expect(await start(() => effects.abort.abort(CANCELLED))).toMatchObject(ended);
  });

  test('does not count a failed read when it is cancelled during the read', async () => {
    const { effects, start } = waitOver([fault('unclear', 'x')]);
    expect(await start(() => effects.abort.abort(CANCELLED))).toMatchObject({
      error: CANCELLED,
      state: { reads: 0, lastError: undefined },
    });
    expect(effects.runner.log).toEqual([]);
  });

  test('warns once of an unknown status, and shows no half of a secret in it', async () => {
    const key = 'mint_0123456789';
    const unknown = `${'x'.repeat(495)}${key}`;
    const { effects, start } = waitOver([unknown, 'musing', 'failed'].map((text) => jobRead(text)));
    effects.runner.clean = (text) => text.replaceAll(key, '***');
    await start();
    expect(effects.runner.log[0]).toContain('xxx***` after');
    const message = expect.stringContaining('xxx***` is not known');
    const warning = { level: 'warning', title: 'Docs agent: unknown status', message };
    expect(effects.runner.annotations).toEqual([warning]);
  });
});

const busy: Result = fault('unclear', 'HTTP 503');

const LIMIT = { timeoutMs: 180_000, deadline: 180_000 };

function reading(reads: readonly Result[], limit = LIMIT) {
  const effects = fakeEffects(() => ({ kind: 'lost', error: '' }));
  let count = 0;
  const readJob = async () => reads[count++] ?? busy;
  return { effects, read: () => readOnce({ readJob }, 'job_1', limit, effects) };
}

describe('an agent job of an earlier run', () => {
  test.each([
    { status: 'dreaming', prLink: '' },
    { status: 'completed', prLink: '' },
    { status: 'archived', prLink: PR },
  ])('is read once when it is $status', async ({ status, prLink }) => {
    const { effects, read } = reading([jobRead(status, prLink)]);
    expect(await read()).toMatchObject({ kind: 'read', job: { status, prLink } });
    expect(effects.clock.slept).toEqual([0]);
    expect(effects.runner.log[0]).toBe('Checking the earlier agent job `job_1`.');
    expect(effects.runner.annotations).toEqual([]);
  });

  test.each([180_000, 45_000])(
    'is not known when the service says so for 30 s, under a timeout of %i ms',
    async (timeoutMs) => {
      const reads = Array(40).fill(fault('not-found', 'HTTP 404'));
      const { effects, read } = reading(reads, { timeoutMs, deadline: timeoutMs });
      expect(await read()).toEqual({ kind: 'not-found' });
      expect(effects.clock.now()).toBe(30_000);
    },
  );

  test('cannot be read when the service refuses it', async () => {
    expect(await reading([refused]).read()).toEqual({
      ...{ kind: 'error', error: 'HTTP 401. Check.', isTemporary: false },
    });
  });

  test.each([
    { promise: 'a third of `timeout`', limit: LIMIT, ms: 60_000 },
    { promise: '40 s of a short `timeout`', limit: { ...LIMIT, timeoutMs: 60_000 }, ms: 40_000 },
    { promise: 'what is left', limit: { ...LIMIT, deadline: 5_000 }, ms: 5_000 },
  ])('is given up after $promise', async ({ limit, ms }) => {
    const { effects, read } = reading([], limit);
    expect(await read()).toEqual({ kind: 'error', error: 'HTTP 503', isTemporary: true });
    expect(effects.clock.now()).toBe(ms);
  });

  test('is not read after a cancel', async () => {
    const { effects, read } = reading([jobRead('active')]);
    effects.abort.abort(new CancelledError('SIGINT'));
    await expect(read()).rejects.toThrow('stopped by SIGINT');
  });
});

describe('the last agent job of a step', () => {
  /** Its reads one after the other, and the last one again and again. */
  function waiting(reads: readonly Result[], given: Partial<EarlierWait> = {}) {
    const effects = fakeEffects(() => ({ kind: 'lost', error: '' }));
    effects.clock.pass(5_000);
    const left = [...reads];
    const readJob = async () => (left.length > 1 ? left.shift() : left[0]) ?? busy;
    const limits = { limitMs: 60_000, pollIntervalMs: 10_000 };
    const wait = {
      ...{ id: 'job_1', messagedAt: undefined, wasActive: false },
      ...{ ...limits, ...given },
    };
    const start = () => waitForEarlier({ readJob }, wait, effects);
    return { effects, start };
  }

  const NOW = Date.UTC(2026, 0, 1) / 1_000 + 5;
  const end = (wasActive: boolean) => {
    const job = { status: 'completed', prLink: PR };
    return { isOver: true, read: { kind: 'read', job, wasActive, wasWaitedFor: true } };
  };

  test.each([
    { promise: 'it was at work since', reads: ['active', 'completed'], seconds: 10 },
    { promise: '30 s are over', reads: ['completed'], seconds: 18 },
    { promise: 'it was before the wait', reads: ['completed'], wasActive: true, seconds: 0 },
  ])(
    'is believed soon after a message once $promise',
    async ({ reads, wasActive = false, seconds }) => {
      const results = reads.map((status) => jobRead(status, PR));
      const { effects, start } = waiting(results, { messagedAt: NOW - 12, wasActive });
      expect(await start()).toMatchObject(end(wasActive || reads.length > 1));
      expect(effects.clock.now()).toBe(5_000 + seconds * 1_000);
      // This step sent no message whose end could be another one.
      expect(effects.runner.annotations).toEqual([]);
    },
  );

  test.each(['active', 'musing'])('is still at work after the limit: %s', async (status) => {
    const { effects, start } = waiting([jobRead(status)]);
    expect(await start()).toMatchObject({
      ...{ isOver: false, read: { job: { status }, wasWaitedFor: false } },
    });
    expect(effects.clock.now()).toBe(65_000);
  });

  test('may be forgotten, or not be shown', async () => {
    const unknown = fault('not-found', 'HTTP 404');
    const ofRead = async (result: Result) => (await waiting([result]).start()).read.kind;
    expect(await ofRead(unknown)).toBe('not-found');
    expect(await ofRead(refused)).toBe('error');
  });

  test('is not waited for after a cancel', async () => {
    const { effects, start } = waiting([jobRead('active')]);
    effects.abort.abort(CANCELLED);
    await expect(start()).rejects.toBe(CANCELLED);
  });
});
