import { describe, expect, test } from 'vitest';
import { createAgentApi } from '../../../src/agent/api.ts';
import type { Delivery } from '../../../src/effects/effects.ts';
import { RunError } from '../../../src/lib/errors.ts';
import { answer, fakeEffects } from '../../support/fakes.ts';

const MINUTE = 60_000;

/** Repeats the last answer. */
function apiOf(...answers: readonly Delivery[]) {
  return apiWithin(30 * MINUTE, answers);
}

function apiWithin(deadline: number, answers: readonly Delivery[]) {
  const effects = fakeEffects(
    () => answers[Math.min(effects.http.requests.length, answers.length) - 1] ?? answer(500, ''),
  );
  const access = { baseUrl: '', projectId: 'p', adminApiKey: 'k', timeoutMs: deadline, deadline };
  return { api: createAgentApi(access, effects), effects };
}

const created = answer(201, { id: 'job_1', status: 'active' });

async function failureOf(sent: Promise<unknown>): Promise<RunError> {
  const error = await sent.catch((reason: unknown) => reason);
  if (error instanceof RunError) return error;
  throw new Error('It did not fail.');
}

describe('a write that is answered with 429', () => {
  test.each([
    { write: 'create', send: ({ api }: ReturnType<typeof apiOf>) => api.createJob('x') },
    {
      write: 'message',
      send: ({ api }: ReturnType<typeof apiOf>) => api.sendMessage('job_1', 'x'),
    },
  ])('is sent again for only 10 minutes: $write', async ({ send }) => {
    const given = apiOf(answer(429, { error: 'too many' }));
    const error = await failureOf(send(given));
    expect(error.message).toContain('HTTP 429 is retried for 10 min at most. ');
    expect(error.mayBeAccepted).toBe(false);
    // The longest pause is a minute.
    expect(given.effects.clock.now()).toBeLessThanOrEqual(10 * MINUTE);
    expect(given.effects.clock.now()).toBeGreaterThan(9 * MINUTE);
  });

  test('waits as long as Retry-After asks for within that time', async () => {
    const { api, effects } = apiOf(answer(429, '', '500'), created);
    expect((await api.createJob('x')).id).toBe('job_1');
    expect(effects.clock.now()).toBeGreaterThanOrEqual(500_000);
  });

  test('fails at once when Retry-After asks for longer', async () => {
    const { api, effects } = apiOf(answer(429, '', '601'), created);
    const error = await failureOf(api.createJob('x'));
    expect(effects.http.requests).toHaveLength(1);
    expect(error.message).toContain('HTTP 429 is retried for 10 min at most');
  });

  test('is sent again for a third of a longer timeout', async () => {
    const { api, effects } = apiWithin(90 * MINUTE, [answer(429, '', '1700'), created]);
    expect((await api.createJob('x')).id).toBe('job_1');
    expect(effects.clock.now()).toBeGreaterThanOrEqual(1_700_000);
  });

  test('is sent again for the whole of a shorter timeout', async () => {
    const { api, effects } = apiWithin(40_000, [answer(429, '', '20'), created]);
    expect((await api.createJob('x')).id).toBe('job_1');
    expect(effects.clock.now()).toBeGreaterThanOrEqual(20_000);
  });

  test('is sent again for 10 minutes from its first refusal, however late that comes', async () => {
    const { api, effects } = apiOf(answer(429, '', '500'), created);
    effects.clock.pass(15 * MINUTE);
    expect((await api.createJob('x')).id).toBe('job_1');
    expect(effects.clock.now()).toBeGreaterThanOrEqual(15 * MINUTE + 500_000);
  });

  test('is sent again for 10 minutes from its first refusal, not from the first try', async () => {
    const unsent: Delivery = { kind: 'not-sent', error: 'refused', code: 'ECONNREFUSED' };
    const { api, effects } = apiOf(unsent, answer(429, '', '599'), created);
    effects.clock.randomValue = 0;
    expect((await api.createJob('x')).id).toBe('job_1');
  });
});

describe('the error of a write that is answered with 429', () => {
  const errorAfter = async (retryAfter: string) =>
    (await failureOf(apiOf(answer(429, '', retryAfter)).api.createJob('x'))).message;

  // The clock of the fakes begins at midnight.
  test.each([
    {
      retryAfter: '2700',
      says: 'It asked to wait 45 min. Run this again after 2026-01-01 00:46 UTC.',
    },
    {
      retryAfter: 'Thu, 01 Jan 2026 02:00:30 GMT',
      says: 'It asked to wait 2 h. Run this again after 2026-01-01 02:01 UTC.',
    },
    { retryAfter: '9'.repeat(20), says: 'per project per hour. Run this again later.' },
  ])('says how long the service asked to wait, and until when: $retryAfter', async (row) => {
    expect(await errorAfter(row.retryAfter)).toContain(row.says);
  });
});
