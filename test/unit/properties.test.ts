/**
 * Whole runs on a fake clock with random sequences of errors and answers. Checked after each run:
 * at most one write was accepted, the reported end is the last one that the service gave, nothing
 * but the answer to a write came after the deadline, and the run ended in exactly one way.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Delivery, HttpRequest } from '../../src/effects/effects.ts';
import type { RawInputs } from '../../src/inputs/inputs.ts';
import { CancelledError } from '../../src/lib/errors.ts';
import { recordIn } from '../../src/records/record.ts';
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
/** The annotations that are not the last of a run. */
const PASSING_TITLES = [
  'Docs agent: agent job created',
  'Docs agent: follow-up message accepted',
  'Docs agent: an agent job may exist',
  'Docs agent: the message may have been sent',
  'Docs agent: unknown status',
  'Docs agent: the end may be an old one',
];

const retryAfter = fc.constantFrom(undefined, '0', '3', '100', '99999999999', 'soon');

/** The fate of a POST: whether the service accepts it, and what the client learns of it. */
const write = fc.record({
  isTaken: fc.boolean(),
  told: fc.constantFrom(
    'job',
    'ended-job',
    'lost',
    'cut',
    'cut-after-id',
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
  headers: fc.constant({}),
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
  headers: fc.constant({}),
  tookMs: fc.integer({ min: 0, max: 40_000 }),
});

type Told = string | number;

function deliver(told: Told, retry: string | undefined, id: string): Delivery {
  switch (told) {
    case 'lost':
      return { kind: 'lost', error: 'socket hang up' };
    case 'cut':
      return cutOff(retry, '');
    case 'cut-after-id':
      return cutOff(retry, `{"id":${JSON.stringify(id)},"stat`);
    case 'not-sent':
      return { kind: 'not-sent', error: 'refused', code: 'ECONNREFUSED' };
    case 'untrusted':
      return { kind: 'not-sent', error: 'certificate', code: 'CERT_HAS_EXPIRED' };
    case 'garbage':
      return answer(200, '<html>', retry);
    case 'no-id':
      return answer(201, { status: 'active' });
    case 'other-job':
      return answer(200, { id: 'job_other', status: 'completed', prLink: LINK });
    case 'job':
      return answer(201, { id, status: 'active' });
    case 'ended-job':
      return answer(201, { id, status: 'completed', prLink: LINK });
    case 'linked':
      return answer(200, { id, status: 'completed', prLink: LINK });
    default:
      return typeof told === 'number'
        ? answer(told, { error: 'told so' }, retry)
        : answer(200, { id, status: told, prLink: null });
  }
}

const cutOff = (retryAfter: string | undefined, received: string): Delivery => ({
  kind: 'response',
  status: 201,
  headers: retryAfter === undefined ? {} : { 'retry-after': retryAfter },
  body: { error: 'cut', received },
});

interface World {
  readonly effects: FakeEffects;
  accepted: number;
  /** When each request was sent. */
  readonly sentAt: number[];
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
    world.sentAt.push(clock.now());
    const isWrite = request.method === 'POST';
    const step = isWrite ? nextWrite.next().value : nextRead.next().value;
    const {
      told,
      retryAfter: retry,
      tookMs,
    } = step ?? { told: 'active', retryAfter: undefined, tookMs: 1 };
    const isUnsent = told === 'not-sent' || told === 'untrusted';
    const { minMs = 0, maxMs = request.timeoutMs } = request.responseLimit ?? {};
    const responseMs = Math.max(minMs, Math.min(maxMs, request.timeoutMs));
    const limitMs = isUnsent ? request.connectTimeoutMs : responseMs;
    const isOver = tookMs >= limitMs;
    clock.pass(Math.min(tookMs, limitMs));
    if (isWrite) {
      // A service that says it did not accept it, or was never reached, has not accepted it.
      const cannotBe = told === 'not-sent' || told === 429 || told === 400 || told === 401;
      const isAccepted =
        told === 'job' ||
        told === 'ended-job' ||
        told === 'cut-after-id' ||
        told === 'no-id' ||
        (step !== undefined && 'isTaken' in step && step.isTaken && !cannotBe);
      if (isAccepted) world.accepted += 1;
    }
    if (isOver && !isUnsent) return { kind: 'lost', error: 'no whole answer' };
    if (isWrite && (told === 'job' || told === 'ended-job')) world.messageAt = clock.now();
    // An end in the response to the create call counts.
    if (told === 'ended-job' && isWrite && !request.url.endsWith('/message')) {
      world.lastEnd = 'pull-request';
    }
    if (!isWrite && told === 'active') world.activeSinceMessage = true;
    if (!isWrite && ENDS[told] !== undefined) {
      world.lastEnd = ENDS[told];
      world.lastEndAt = clock.now();
    }
    return deliver(told, retry, 'job_1');
  });
  const { clock, abort } = effects;
  const sleep = clock.sleep.bind(clock);
  // The cancel comes in the middle of a sleep.
  clock.sleep = async (ms, signal) => {
    const until = clock.now() + ms;
    if (until < cancelAt) return sleep(ms, signal);
    clock.pass(Math.max(0, cancelAt - clock.now()));
    abort.abort(new CancelledError('SIGTERM'));
  };
  const world: World = {
    effects,
    accepted: 0,
    sentAt: [],
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
};
const TIMEOUTS_MS: Readonly<Record<string, number>> = {
  '1s': 1_000,
  '12s': 12_000,
  '31s': 31_000,
  '10m': 600_000,
};

test.each([
  { what: 'creating an agent job', raw: inputs, timeouts: ['1s', '12s', '10m'] },
  { what: 'sending a message', raw: { ...inputs, jobId: 'job_1' }, timeouts: ['31s', '10m'] },
  {
    what: 'following an agent job',
    raw: { ...inputs, prompt: '', jobId: 'job_1' },
    timeouts: ['1s', '10m'],
  },
])('the invariants hold for $what', async ({ raw, timeouts }) => {
  const isMessage = raw.prompt !== '' && 'jobId' in raw;
  const given = Object.fromEntries(Object.entries(raw).filter(([, value]) => value !== ''));
  await fc.assert(
    fc.asyncProperty(
      fc.array(write, { minLength: 1, maxLength: 12 }),
      fc.array(read, { maxLength: 40 }),
      fc.oneof(fc.constant(Number.POSITIVE_INFINITY), fc.integer({ min: 0, max: 600_000 })),
      fc.constantFrom(...timeouts),
      async (writes, reads, cancelAt, timeout) => {
        const deadline = TIMEOUTS_MS[timeout] ?? 0;
        const world = worldOf(writes, reads, cancelAt);
        const { clock, http, runner } = world.effects;
        const isSuccess = await run({ ...given, timeout }, FACTS, world.effects);

        expect(world.accepted).toBeLessThanOrEqual(1);
        expect(world.startedAfterCancel).toEqual([]);
        // Only the answer to a write may come after the deadline, and no request is started after
        // it.
        expect(clock.now()).toBeLessThanOrEqual(deadline + WRITE_LIMIT_MS);
        const sent = http.requests.map((request, index) => ({
          ...request,
          leftMs: deadline - (world.sentAt[index] ?? 0),
        }));
        const isWrite = ({ method }: HttpRequest) => method === 'POST';
        expect(sent.every(({ leftMs }) => leftMs > 0)).toBe(true);
        expect(sent.every((one) => one.connectTimeoutMs <= REQUEST_LIMIT_MS)).toBe(true);
        expect(sent.every((one) => isWrite(one) || one.timeoutMs <= REQUEST_LIMIT_MS)).toBe(true);
        expect(sent.every((one) => one.connectTimeoutMs <= Math.ceil(one.leftMs))).toBe(true);
        expect(sent.every((one) => isWrite(one) || one.timeoutMs <= Math.ceil(one.leftMs))).toBe(
          true,
        );
        const writesSent = sent.filter(isWrite);
        expect(
          writesSent.every(({ responseLimit }) => responseLimit?.minMs === WRITE_LIMIT_MS),
        ).toBe(true);
        const leastMs = Math.min(WRITE_LIMIT_MS, deadline / 2);
        expect(writesSent.every(({ leftMs }) => leftMs >= leastMs)).toBe(true);

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
        // What was accepted is named and recorded, or reported as possible.
        const closing = runner.annotations.at(-1)?.message ?? '';
        const records = runner.annotations.map(recordIn).filter((record) => record !== undefined);
        const kinds = records.map((record) =>
          record === 'unreadable'
            ? record
            : record.what.kind === 'job'
              ? record.what.id
              : record.what.kind,
        );
        const isKnown = 'jobId' in given || runner.outputs['jobId'] === 'job_1';
        // A step that only follows leaves no record. `todo` says that nothing was sent.
        const left = world.accepted > 0 ? ['job_1', 'unknown'] : ['job_1', 'unknown', 'todo'];
        expect('prompt' in given ? left : ['']).toContain(kinds.join());
        expect(!kinds.includes('unknown') || closing.includes('may have accepted')).toBe(true);
        expect(world.accepted === 0 || isKnown || closing.includes('may exist')).toBe(true);
      },
    ),
    { numRuns: dose(250, 5_000) },
  );
});
