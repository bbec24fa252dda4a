/**
 * Whole runs on a fake clock with random sequences of errors and answers. Checked after each run:
 * at most one write was accepted, the reported end is the last one that the service gave, nothing
 * but the answer to a write came after the deadline, and the run ended in exactly one way.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Delivery, HttpRequest } from '../../src/effects/effects.ts';
import type { RawInputs } from '../../src/inputs/inputs.ts';
import { CancelledError } from '../../src/model/run-error.ts';
import { RECORD_TITLE, recordIn } from '../../src/record/record-line.ts';
import { run } from '../../src/run.ts';
import { dose } from '../support/dose.ts';
import { answer, FACTS, type FakeEffects, fakeEffects } from '../support/fakes.ts';

const ENDS: Readonly<Record<string, string>> = {
  completed: 'no-changes',
  linked: 'pull-request',
  archived: 'archived',
  failed: 'failed',
};
const LINK = 'https://github.com/acme/docs/pull/1';
const REQUEST_LIMIT_MS = 30_000;
/** The least time for a write, even past the deadline. */
const WRITE_LIMIT_MS = 10_000;
/** The annotations that are not about the end of a run. */
const PASSING_TITLES = [
  RECORD_TITLE,
  'Docs agent: unknown status',
  'Docs agent: the end may be an old one',
];

type Told = string | number;

/** How a request is answered. */
const stepOf = (told: fc.Arbitrary<Told>) =>
  fc.record({
    told,
    retryAfter: fc.constantFrom(undefined, '0', '3', '100', '99999999999', 'soon'),
    tookMs: fc.integer({ min: 0, max: 40_000 }),
    /** The service accepts it, whatever it tells, unless it tells that it did not. */
    isTaken: fc.boolean(),
  });

const LOST = ['lost', 'cut', 'not-sent', 'garbage', 408, 429, 500, 503];
const ANSWERED = ['job', 'ended-job', 'cut-after-id', 'no-id', 307, 400, 401, 502, 504];
const write = stepOf(fc.constantFrom(...LOST, ...ANSWERED));
const read = stepOf(
  fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom('active', 'dreaming', ...Object.keys(ENDS)) },
    { weight: 3, arbitrary: fc.constantFrom(...LOST, 'untrusted', 'other-job', 425) },
    { weight: 1, arbitrary: fc.constantFrom(400, 401, 403, 404, 410) },
  ),
);

function deliver(told: Told, retry: string | undefined, id: string): Delivery {
  if (typeof told === 'number') return answer(told, { error: 'told so' }, retry);
  const ended = { id, status: 'completed', prLink: LINK };
  const deliveries: Readonly<Record<string, Delivery>> = {
    lost: { kind: 'lost', error: 'socket hang up' },
    cut: cutOff(retry, ''),
    'cut-after-id': cutOff(retry, `{"id":${JSON.stringify(id)},"stat`),
    'not-sent': { kind: 'not-sent', error: 'refused', code: 'ECONNREFUSED' },
    untrusted: { kind: 'not-sent', error: 'certificate', code: 'CERT_HAS_EXPIRED' },
    garbage: answer(200, '<html>', retry),
    'no-id': answer(201, { status: 'active' }),
    'other-job': answer(200, { ...ended, id: 'job_other' }),
    job: answer(201, { id, status: 'active' }),
    'ended-job': answer(201, ended),
    linked: answer(200, ended),
  };
  return deliveries[told] ?? answer(200, { id, status: told, prLink: null });
}

const cutOff = (retryAfter: string | undefined, received: string): Delivery => ({
  kind: 'response',
  status: 201,
  headers: retryAfter === undefined ? {} : { 'retry-after': retryAfter },
  body: { kind: 'cut', error: 'cut', received },
});

type Step = ReturnType<typeof stepOf> extends fc.Arbitrary<infer S> ? S : never;

const ACCEPTED: readonly Told[] = ['job', 'ended-job', 'cut-after-id', 'no-id'];
/** A service that says that it did not accept it, or was never reached, has not accepted it. */
const REFUSED: readonly Told[] = ['not-sent', 400, 401, 429];

/** An agent API, a clock and a person who cancels, and what is true whatever the step reports. */
class World {
  readonly effects: FakeEffects;
  /** Writes that the service accepted. */
  accepted = 0;
  /** When each request was sent. */
  readonly sentAt: number[] = [];
  startedAfterCancel = 0;
  lastEnd: string | undefined;
  lastEndAt = 0;
  messageAt = 0;
  isActiveSinceMessage = false;

  constructor(writes: readonly Step[], reads: readonly Step[], cancelAt: number) {
    const [nextWrite, nextRead] = [writes.values(), reads.values()];
    this.effects = fakeEffects((request) => {
      const steps = request.method === 'POST' ? nextWrite : nextRead;
      return this.#answer(request, steps.next().value ?? QUICK);
    });
    const { clock, abort } = this.effects;
    const sleep = clock.sleep.bind(clock);
    // The cancel comes in the middle of a sleep.
    clock.sleep = async (ms, signal) => {
      if (clock.now() + ms < cancelAt) return sleep(ms, signal);
      clock.pass(Math.max(0, cancelAt - clock.now()));
      abort.abort(new CancelledError('SIGTERM'));
    };
  }

  #answer(request: HttpRequest, { told, retryAfter, tookMs, isTaken }: Step): Delivery {
    const { clock, abort } = this.effects;
    if (abort.signal.aborted) this.startedAfterCancel += 1;
    this.sentAt.push(clock.now());
    const isWrite = request.method === 'POST';
    const isUnsent = told === 'not-sent' || told === 'untrusted';
    const { minMs = 0, maxMs = request.timeoutMs } = request.responseLimit ?? {};
    const responseMs = Math.max(minMs, Math.min(maxMs, request.timeoutMs));
    const limitMs = isUnsent ? request.connectTimeoutMs : responseMs;
    clock.pass(Math.min(tookMs, limitMs));
    if (isWrite && (ACCEPTED.includes(told) || (isTaken && !REFUSED.includes(told)))) {
      this.accepted += 1;
    }
    if (tookMs >= limitMs && !isUnsent) return { kind: 'lost', error: 'no whole answer' };
    if (isWrite && (told === 'job' || told === 'ended-job')) this.messageAt = clock.now();
    // An end in the response to the create call counts.
    if (isWrite && told === 'ended-job' && !request.url.endsWith('/message')) {
      this.lastEnd = 'pull-request';
    }
    if (!isWrite && told === 'active') this.isActiveSinceMessage = true;
    if (!isWrite && ENDS[told] !== undefined) {
      this.lastEnd = ENDS[told];
      this.lastEndAt = clock.now();
    }
    return deliver(told, retryAfter, 'job_1');
  }
}

/** After the last step, the agent job is at work. */
const QUICK: Step = { told: 'active', retryAfter: undefined, tookMs: 1, isTaken: false };

const needed: RawInputs = { projectId: 'p', adminApiKey: 'mint_0123456789' };

test.each([
  { what: 'creating an agent job', raw: { prompt: 'x' }, timeouts: [1, 12, 600] },
  { what: 'sending a message', raw: { prompt: 'x', jobId: 'job_1' }, timeouts: [31, 600] },
  { what: 'following an agent job', raw: { jobId: 'job_1' }, timeouts: [1, 600] },
])('the invariants hold for $what', async ({ raw, timeouts }) => {
  const isSending = 'prompt' in raw;
  const isMessage = isSending && 'jobId' in raw;
  await fc.assert(
    fc.asyncProperty(
      fc.array(write, { minLength: 1, maxLength: 12 }),
      fc.array(read, { maxLength: 40 }),
      fc.oneof(fc.constant(Number.POSITIVE_INFINITY), fc.integer({ min: 0, max: 600_000 })),
      fc.constantFrom(...timeouts),
      async (writes, reads, cancelAt, timeout) => {
        const deadline = timeout * 1_000;
        const world = new World(writes, reads, cancelAt);
        const { clock, http, runner } = world.effects;
        const inputs = { ...needed, ...raw, timeout: `${timeout}s` };
        const isSuccess = await run(inputs, FACTS, world.effects);

        expect(world.accepted).toBeLessThanOrEqual(1);
        expect(world.startedAfterCancel).toBe(0);
        // Only the answer to a write may come after the deadline.
        expect(clock.now()).toBeLessThanOrEqual(deadline + WRITE_LIMIT_MS);
        http.requests.forEach((request, index) => {
          const leftMs = deadline - (world.sentAt[index] ?? 0);
          const limitMs = Math.min(REQUEST_LIMIT_MS, Math.ceil(leftMs));
          expect(leftMs).toBeGreaterThan(0);
          expect(request.connectTimeoutMs).toBeLessThanOrEqual(limitMs);
          if (request.method === 'POST') {
            expect(request.responseLimit?.minMs).toBe(WRITE_LIMIT_MS);
            expect(leftMs).toBeGreaterThanOrEqual(Math.min(WRITE_LIMIT_MS, deadline / 2));
          } else {
            expect(request.timeoutMs).toBeLessThanOrEqual(limitMs);
          }
        });

        const outcome = runner.outputs['outcome'] ?? '';
        const closing = runner.annotations.filter(({ title }) => !PASSING_TITLES.includes(title));
        expect(runner.summaries).toHaveLength(1);
        expect(closing).toHaveLength(1);
        expect(isSuccess).toBe(['pull-request', 'no-changes', 'archived'].includes(outcome));
        if (Object.values(ENDS).includes(outcome)) {
          expect(outcome).toBe(world.lastEnd);
          const isLate = world.lastEndAt >= world.messageAt + 30_000;
          expect(!isMessage || world.isActiveSinceMessage || isLate).toBe(true);
        } else {
          expect(['timed-out', 'cancelled', 'error']).toContain(outcome);
        }
        // What was accepted is named and recorded, or reported as possible.
        const told = closing[0]?.message ?? '';
        const records = runner.annotations.map(recordIn).filter((record) => record !== undefined);
        const recorded = records.map(whatOf).join();
        // A prompt alone leaves no record when nothing was sent, and a step that only follows none at all.
        const left = world.accepted > 0 ? ['job_1', 'unknown'] : ['job_1', 'unknown', ''];
        expect(isSending ? left : ['']).toContain(recorded);
        expect(recorded !== 'unknown' || told.includes('may have accepted')).toBe(true);
        const isNamed = 'jobId' in raw || runner.outputs['jobId'] === 'job_1';
        expect(world.accepted === 0 || isNamed || told.includes('may have accepted')).toBe(true);
      },
    ),
    { numRuns: dose(150, 5_000) },
  );
});

function whatOf(record: ReturnType<typeof recordIn>): string {
  if (typeof record !== 'object') return String(record);
  return record.what.kind === 'job' ? record.what.id : record.what.kind;
}
