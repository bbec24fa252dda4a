/**
 * Whole runs on a fake clock, put through random sequences of faults and answers. What is checked
 * after each: at most one write was taken, the reported end is the last one the service gave, the
 * deadline held, and the run ended in exactly one way.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Delivery, HttpRequest } from '../../src/effects/effects.ts';
import { CancelledError } from '../../src/errors.ts';
import type { RawInputs } from '../../src/inputs.ts';
import { run } from '../../src/run.ts';
import { answer, type FakeEffects, fakeEffects } from '../support/fakes.ts';

const ENDS: Readonly<Record<string, string>> = {
  completed: 'no-changes',
  linked: 'pull-request',
  archived: 'archived',
  failed: 'failed',
};
const LINK = 'https://github.com/acme/docs/pull/1';
const REQUEST_LIMIT_MS = 30_000;
/** Annotations that do not close a run. */
const PASSING_TITLES = ['Docs agent: job created', 'Docs agent: message sent', 'Unknown status'];

const retryAfter = fc.constantFrom(undefined, '0', '3', '100', '99999999999', 'soon');

/** What becomes of a POST: whether the service takes it, and what the client gets to know. */
const write = fc.record({
  isTaken: fc.boolean(),
  told: fc.constantFrom(
    'job',
    'lost',
    'cut',
    'not-sent',
    'garbage',
    'no-id',
    400,
    401,
    408,
    429,
    500,
    502,
    503,
    504,
    307,
  ),
  retryAfter,
  tookMs: fc.integer({ min: 0, max: 40_000 }),
});

/** What a GET is answered with. */
const read = fc.record({
  told: fc.oneof(
    {
      weight: 4,
      arbitrary: fc.constantFrom('active', 'completed', 'linked', 'archived', 'failed', 'dreaming'),
    },
    {
      weight: 3,
      arbitrary: fc.constantFrom(
        'lost',
        'cut',
        'not-sent',
        'untrusted',
        'garbage',
        'other-job',
        408,
        425,
        429,
        500,
        503,
      ),
    },
    { weight: 1, arbitrary: fc.constantFrom(400, 401, 403, 404, 410) },
  ),
  retryAfter,
  tookMs: fc.integer({ min: 0, max: 40_000 }),
});

type Told = string | number;

function deliver(told: Told, retry: string | undefined, id: string): Delivery {
  switch (told) {
    case 'lost':
      return { kind: 'lost', fault: 'socket hang up' };
    case 'cut':
      return { kind: 'answer', status: 200, retryAfter: retry, body: { fault: 'cut' } };
    case 'not-sent':
      return { kind: 'not-sent', fault: 'refused', code: 'ECONNREFUSED' };
    case 'untrusted':
      return { kind: 'not-sent', fault: 'certificate', code: 'CERT_HAS_EXPIRED' };
    case 'garbage':
      return answer(200, '<html>', retry);
    case 'no-id':
      return answer(201, { status: 'active' });
    case 'other-job':
      return answer(200, { id: 'job_other', status: 'completed', prLink: LINK });
    case 'job':
      return answer(201, { id, status: 'active' });
    case 'linked':
      return answer(200, { id, status: 'completed', prLink: LINK });
    default:
      return typeof told === 'number'
        ? answer(told, { error: 'told so' }, retry)
        : answer(200, { id, status: told, prLink: null });
  }
}

interface World {
  readonly effects: FakeEffects;
  taken: number;
  readonly startedAfterCancel: HttpRequest[];
  lastEnd: string | undefined;
  activeSinceMessage: boolean;
  messageAt: number | undefined;
  lastEndAt: number;
}

function worldOf(
  writes: readonly {
    isTaken: boolean;
    told: Told;
    retryAfter: string | undefined;
    tookMs: number;
  }[],
  reads: readonly { told: Told; retryAfter: string | undefined; tookMs: number }[],
  cancelAt: number,
): World {
  const nextWrite = writes[Symbol.iterator]();
  const nextRead = reads[Symbol.iterator]();
  const effects = fakeEffects((request) => {
    const { clock, abort } = effects;
    if (abort.signal.aborted) world.startedAfterCancel.push(request);
    const isWrite = request.method === 'POST';
    const step = isWrite ? nextWrite.next().value : nextRead.next().value;
    const {
      told,
      retryAfter: retry,
      tookMs,
    } = step ?? { told: 'active', retryAfter: undefined, tookMs: 1 };
    const isOver = tookMs >= request.timeoutMs;
    clock.pass(Math.min(tookMs, request.timeoutMs));
    if (isWrite) {
      // A service that says it was not taken, or was never reached, has not taken it.
      const cannotBe =
        told === 'not-sent' ||
        told === 429 ||
        told === 400 ||
        told === 401 ||
        (told === 503 && /^\d+$/.test(retry ?? ''));
      const isTaken =
        told === 'job' ||
        told === 'no-id' ||
        (step !== undefined && 'isTaken' in step && step.isTaken && !cannotBe);
      if (isTaken && !(isOver && cannotBe)) world.taken += 1;
    }
    if (isOver && told !== 'not-sent') return { kind: 'lost', fault: 'no whole answer' };
    if (isWrite && told === 'job') world.messageAt = clock.now();
    if (!isWrite && told === 'active') world.activeSinceMessage = true;
    if (!isWrite && ENDS[told] !== undefined) {
      world.lastEnd = ENDS[told];
      world.lastEndAt = clock.now();
    }
    return deliver(told, retry, 'job_1');
  });
  const { clock, abort } = effects;
  const sleep = clock.sleep.bind(clock);
  // A cancel comes in the middle of a sleep.
  clock.sleep = async (ms, signal) => {
    const until = clock.now() + ms;
    if (until < cancelAt) return sleep(ms, signal);
    clock.pass(Math.max(0, cancelAt - clock.now()));
    abort.abort(new CancelledError('SIGTERM'));
  };
  const world: World = {
    effects,
    taken: 0,
    startedAfterCancel: [],
    lastEnd: undefined,
    activeSinceMessage: false,
    messageAt: undefined,
    lastEndAt: 0,
  };
  return world;
}

const inputs: RawInputs = {
  projectId: 'p',
  adminApiKey: 'mint_0123456789',
  prompt: 'x',
  timeout: '10m',
};
const DEADLINE_MS = 600_000;

test.each([
  { what: 'creating a job', raw: inputs },
  { what: 'sending a message', raw: { ...inputs, jobId: 'job_1' } },
  { what: 'following a job', raw: { ...inputs, prompt: '', jobId: 'job_1' } },
])('the invariants hold for $what', async ({ raw }) => {
  const isMessage = raw.prompt !== '' && 'jobId' in raw;
  const given = Object.fromEntries(Object.entries(raw).filter(([, value]) => value !== ''));
  await fc.assert(
    fc.asyncProperty(
      fc.array(write, { minLength: 1, maxLength: 12 }),
      fc.array(read, { maxLength: 40 }),
      fc.oneof(fc.constant(Number.POSITIVE_INFINITY), fc.integer({ min: 0, max: DEADLINE_MS })),
      async (writes, reads, cancelAt) => {
        const world = worldOf(writes, reads, cancelAt);
        const { clock, http, runner } = world.effects;
        const isSuccess = await run(
          given,
          { actor: undefined, eventName: undefined },
          world.effects,
        );

        expect(world.taken).toBeLessThanOrEqual(1);
        expect(clock.now()).toBeLessThanOrEqual(DEADLINE_MS + REQUEST_LIMIT_MS);
        expect(world.startedAfterCancel).toEqual([]);
        expect(http.requests.every(({ timeoutMs }) => timeoutMs <= REQUEST_LIMIT_MS)).toBe(true);

        const outcome = runner.outputs['outcome'] ?? '';
        expect(runner.summaries).toHaveLength(1);
        expect(
          runner.annotations.filter(({ title }) => !PASSING_TITLES.includes(title)),
        ).toHaveLength(1);
        expect(isSuccess).toBe(['pull-request', 'no-changes', 'archived'].includes(outcome));
        if (Object.values(ENDS).includes(outcome)) {
          expect(outcome).toBe(world.lastEnd);
          const isBelievable =
            !isMessage ||
            world.activeSinceMessage ||
            world.lastEndAt >= (world.messageAt ?? 0) + 30_000;
          expect(isBelievable).toBe(true);
        } else {
          expect(['timed-out', 'cancelled', 'error']).toContain(outcome);
        }
        // What was taken is named, or said to be possible.
        const closing = runner.annotations.at(-1)?.message ?? '';
        if (world.taken === 1 && !('jobId' in given) && runner.outputs['jobId'] === '') {
          expect(closing).toMatch(/may exist/);
        }
      },
    ),
    { numRuns: 2_000 },
  );
});
