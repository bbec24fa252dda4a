import { describe, expect, test } from 'vitest';
import { readOnce } from '../../../src/agent/read-once.ts';
import type { ReadResult } from '../../../src/agent/results.ts';
import { CancelledError } from '../../../src/lib/errors.ts';
import { fakeEffects } from '../../support/fakes.ts';
import { jobOf } from '../../support/results.ts';

const PR = 'https://github.com/acme/docs/pull/1';
const job = (status: string, prLink = ''): ReadResult => ({
  kind: 'job',
  job: jobOf({ status, prLink }),
});
const busy: ReadResult = { kind: 'temporary', error: 'HTTP 503', retryAfterMs: undefined };

function reading(reads: readonly ReadResult[], limit = { timeoutMs: 90_000, deadline: 90_000 }) {
  const effects = fakeEffects(() => ({ kind: 'lost', error: '' }));
  let count = 0;
  const readJob = async () => reads[count++] ?? busy;
  return { effects, read: () => readOnce({ readJob }, 'job_1', limit, effects) };
}

describe('an agent job of an earlier run', () => {
  test.each([
    { status: 'active', prLink: '' },
    { status: 'dreaming', prLink: '' },
    { status: 'completed', prLink: '' },
    { status: 'archived', prLink: PR },
    { status: 'failed', prLink: PR },
  ])('is read once when it is $status', async ({ status, prLink }) => {
    const { effects, read } = reading([job(status, prLink)]);
    expect(await read()).toEqual({ kind: 'job', status, prLink });
    expect(effects.clock.slept).toEqual([0]);
    expect(effects.runner.log[0]).toBe('Checking agent job `job_1` of an earlier run.');
    expect(effects.runner.annotations).toEqual([]);
  });

  test('is read again after failures', async () => {
    const { read } = reading([busy, busy, job('failed')]);
    expect(await read()).toEqual({ kind: 'job', status: 'failed', prLink: '' });
  });

  test('is not known when the service says so', async () => {
    const { read } = reading([{ kind: 'not-found', error: 'HTTP 404', advice: 'Check.' }]);
    expect(await read()).toEqual({ kind: 'not-found' });
  });

  test('cannot be read when the service refuses it', async () => {
    const { read } = reading([{ kind: 'refused', error: 'HTTP 401', advice: 'Check.' }]);
    expect(await read()).toEqual({ kind: 'failed', error: 'HTTP 401. Check.' });
  });

  test.each([
    { promise: 'a third of `timeout`', limit: { timeoutMs: 90_000, deadline: 90_000 }, ms: 30_000 },
    { promise: 'what is left', limit: { timeoutMs: 90_000, deadline: 5_000 }, ms: 5_000 },
  ])('is given up after $promise', async ({ limit, ms }) => {
    const { effects, read } = reading([], limit);
    expect(await read()).toEqual({ kind: 'failed', error: 'HTTP 503' });
    expect(effects.clock.now()).toBe(ms);
  });

  test('is not read after a cancel', async () => {
    const { effects, read } = reading([job('active')]);
    effects.abort.abort(new CancelledError('SIGINT'));
    await expect(read()).rejects.toThrow('stopped by SIGINT');
  });
});
