import { describe, expect, test } from 'vitest';
import { type Agent, type AgentAccess, createAgent } from '../../../src/agent/agent.ts';
import type { Fetch, FetchInit } from '../../../src/effects.ts';
import { Cancelled } from '../../../src/errors.ts';
import { createFetch } from '../../../src/http.ts';
import { TestClock } from '../../support/clock.ts';
import { effectsOf } from '../../support/effects.ts';
import {
  ADMIN_API_KEY,
  type Fault,
  Mintlify,
  type MintlifyOptions,
  nth,
  PROJECT_ID,
} from '../../support/mintlify.ts';
import { strangerTls } from '../../support/tls.ts';

const PROMPT = 'Update the docs.';
const UNTIL = 120_000;
const UNREACHABLE = 'http://127.0.0.1:1';
const realFetch = createFetch();
const cancelled = new Cancelled('SIGINT');

/** An agent API, and what it needs. */
async function start(options: MintlifyOptions = {}, access: Partial<AgentAccess> = {}) {
  const mintlify = await Mintlify.start(options);
  const clock = new TestClock();
  const cancel = new AbortController();
  const agent = createAgent({
    baseUrl: mintlify.url,
    projectId: PROJECT_ID,
    adminApiKey: ADMIN_API_KEY,
    ...effectsOf({ fetch: realFetch, clock, signal: cancel.signal, deadline: 1_800_000 }),
    ...access,
  });
  const dispose = () => mintlify[Symbol.asyncDispose]();
  return { agent, mintlify, clock, cancel, [Symbol.asyncDispose]: dispose };
}

const startWith = (method: 'GET' | 'POST', fault: Fault) => start({ fault: nth(method, 1, fault) });
const call = (agent: Agent) => agent.send(PROMPT, UNTIL);

const says = (status: number, headers = {}): Fault => ({ kind: 'response', status, headers });
const answers = (body: unknown, status = 201): Fault => ({ kind: 'response', status, body });
const saidOf = (status: number) => `HTTP ${status}, \`told to say ${status}\``;

/** The last says whether the prompt of a message goes to a new agent job. */
const REFUSED = [
  [400, 'service', true],
  [401, 'key-refused', false],
  [402, 'credits', false],
  [403, 'key-forbidden', false],
  [404, 'service', true],
  [405, 'service', true],
  [410, 'service', true],
  [413, 'prompt-too-long', false],
  [415, 'service', false],
  [422, 'service', true],
] as const;
const CUT_BODY: Fault = {
  kind: 'cut',
  bytes: 'HTTP/1.1 201 Created\r\ncontent-length: 500\r\n\r\n{"id":"job_77","sta',
};

test('a call sends the prompt once, with the key', async () => {
  await using run = await start();
  const job = { id: 'job_1', repository: 'https://github.com/acme/docs' };
  expect(await call(run.agent)).toMatchObject({ kind: 'accepted', job });
  const message = await run.agent.send(`${PROMPT} Again.`, UNTIL, 'job_1');
  expect(message).toMatchObject({ kind: 'accepted', job });
  expect(run.mintlify.transcript).toEqual(['POST job', 'POST job/job_1/message']);
  expect(run.mintlify.prompts).toEqual([PROMPT, `${PROMPT} Again.`]);
});

test('ids and projects are encoded in the path', async () => {
  await using run = await start({ projectId: 'a/b' }, { projectId: 'a/b' });
  await run.agent.read('c?d');
  expect(run.mintlify.transcript).toEqual(['GET job/c%3Fd']);
});

test('no part of the key is in what it passes on, wherever the service repeats it', async () => {
  const error = `${'x'.repeat(490)}${ADMIN_API_KEY}`;
  await using run = await startWith('POST', { kind: 'response', status: 400, body: { error } });
  expect(JSON.stringify(await call(run.agent))).not.toContain(ADMIN_API_KEY.slice(0, 5));
});

test('a call is sent again after HTTP 429, when its Retry-After is over, and accepted once', async () => {
  await using run = await startWith('POST', says(429, { 'retry-after': '30' }));
  expect(await call(run.agent)).toMatchObject({ kind: 'accepted', job: { id: 'job_1' } });
  expect(run.mintlify.transcript).toEqual(['POST job', 'POST job']);
  expect(run.clock.now()).toBeGreaterThanOrEqual(30_000);
  expect(run.clock.now()).toBeLessThan(35_000);
});

describe('a call is certainly not taken', () => {
  const NO_CONNECTION = { kind: 'refused', topic: 'network', takesNoMessage: false };

  test.for(REFUSED)('with HTTP %d, and not sent again', async ([status, topic, takesNoMessage]) => {
    await using run = await start({ fault: () => says(status) });
    const refused = { kind: 'refused', topic, said: saidOf(status) };
    expect(await call(run.agent)).toEqual({ ...refused, takesNoMessage: false });
    const message = await run.agent.send(PROMPT, UNTIL, 'job_1');
    expect(message).toEqual({ ...refused, takesNoMessage });
    expect(run.mintlify.transcript).toEqual(['POST job', 'POST job/job_1/message']);
  });

  test('by a server that cannot be reached in its time', async () => {
    await using run = await start({}, { baseUrl: UNREACHABLE });
    const said = '`no connection to 127.0.0.1:1: connect ECONNREFUSED 127.0.0.1:1`';
    expect(await call(run.agent)).toEqual({ ...NO_CONNECTION, said });
    expect(run.clock.now()).toBeGreaterThan(UNTIL / 2);
    expect(run.clock.now()).toBeLessThanOrEqual(UNTIL);
  });

  test('by a server that is not trusted, at once', async () => {
    await using run = await start({ tls: strangerTls });
    const said = /^`the certificate of .* is not trusted: .*NODE_EXTRA_CA_CERTS/;
    const refused = { ...NO_CONNECTION, said: expect.stringMatching(said) };
    expect(await call(run.agent)).toEqual(refused);
    expect(run.clock.now()).toBe(0);
    expect(run.mintlify.requests).toEqual([]);
  });

  test.for([
    ['its own time', UNTIL, 1_800_000],
    ['the time of the step', 1_000, 1_000],
  ] as const)('once %s is over, as it is not sent', async ([, now, deadline]) => {
    await using run = await start({}, { deadline });
    run.clock.advance(now);
    expect(await call(run.agent)).toEqual({ ...NO_CONNECTION, said: 'no time was left' });
    expect(run.mintlify.requests).toEqual([]);
  });
});

describe('a call may be taken, and is not sent again,', () => {
  const ENDED = { id: 'job_1', status: 'completed' };
  const WITHOUT = 'HTTP 201, but without the agent job: ';
  const CUT = '`HTTP 201, and the rest of the response did not come: ';
  const IN_DOUBT: readonly (readonly [string, Fault, string, string?])[] = [
    ['a lost response', { kind: 'lost' }, '`no response from '],
    ['a body cut after the id', CUT_BODY, CUT, 'job_77'],
    ...[406, 408, 409, 425, 500, 502, 503, 504].map(
      (status) => [`HTTP ${status}`, says(status), `HTTP ${status}, \`told to say`] as const,
    ),
    ['a redirect with an agent job', answers(ENDED, 302), 'HTTP 302, ', 'job_1'],
    ['an agent job from a gateway', answers(ENDED, 502), 'HTTP 502, ', 'job_1'],
    ['an empty response', answers(''), `${WITHOUT}\`an empty body\``],
    ['an agent job without a status', answers({ id: 'job_77' }), WITHOUT, 'job_77'],
  ];
  test.for(IN_DOUBT)('with %s', async ([, fault, said, jobId]) => {
    await using run = await startWith('POST', fault);
    const sent = await call(run.agent);
    expect(sent).toMatchObject({ kind: 'in-doubt', said: expect.stringContaining(said) });
    expect(sent).toHaveProperty('jobId', jobId);
    expect(run.mintlify.transcript).toEqual(['POST job']);
    expect(run.clock.now()).toBe(0);
  });

  test('if it is a message whose response is about another agent job', async () => {
    await using run = await startWith('POST', answers({ id: 'job_9', status: 'active' }, 200));
    const sent = await run.agent.send(PROMPT, UNTIL, 'job_1');
    expect(sent).toMatchObject({ kind: 'in-doubt', jobId: undefined });
    expect(run.mintlify.requests).toHaveLength(1);
  });
});

describe('a cancel', () => {
  test('before a call rejects it, and nothing is sent', async () => {
    await using run = await start();
    run.cancel.abort(cancelled);
    await expect(call(run.agent)).rejects.toBe(cancelled);
    expect(run.mintlify.requests).toEqual([]);
  });

  test('during a call leaves it the response', async () => {
    await using run = await start({ fault: () => void run.cancel.abort(cancelled) });
    expect(await call(run.agent)).toMatchObject({ kind: 'accepted' });
  });

  test('ends a read', async () => {
    await using run = await startWith('GET', { kind: 'hang' });
    const read = run.agent.read('job_1');
    run.cancel.abort(cancelled);
    await expect(read).rejects.toBe(cancelled);
  });
});

describe('the limit in time', () => {
  test.for([
    ['a response to a call is 5 minutes', 'send', 1_800_000, { timeoutMs: 300_000 }],
    ['a response to a call is 4 s after a cancel', 'send', 1_800_000, { graceMs: 4_000 }],
    ['a call is what is left of the step', 'send', 90_000, { timeoutMs: 90_000 }],
    ['sending a call is its own', 'send', 1_800_000, { connectMs: UNTIL }],
    ['a read is 30 s', 'read', 1_800_000, { timeoutMs: 30_000 }],
    ['a read is what is left of the step', 'read', 12_000, { timeoutMs: 12_000 }],
    ['a read is no time at all after that', 'read', -5, { timeoutMs: 1 }],
  ] as const)('of %s', async ([, method, deadline, limits]) => {
    const seen: (FetchInit | undefined)[] = [];
    const fetch: Fetch = async (_, init) => {
      seen.push(init);
      return new Response('');
    };
    await using run = await start({}, { fetch, deadline });
    await run.agent[method]('job_1', UNTIL);
    expect(seen).toMatchObject([limits]);
  });
});

describe('a read', () => {
  const PASSING: readonly (readonly [string, Fault])[] = [
    ['a closed connection', { kind: 'close' }],
    ...[408, 425, 429, 500, 502, 503, 504].map((n) => [`HTTP ${n}`, says(n)] as const),
    ['a response that is not JSON', answers('<html>Just a moment</html>', 200)],
    ['another agent job', answers({ id: 'job_2', status: 'completed' }, 200)],
    ['a redirect with an agent job', answers({ id: 'job_1', status: 'archived' }, 302)],
  ];
  test.for(PASSING)('with %s is worth another try', async ([, fault]) => {
    await using run = await startWith('GET', fault);
    const id = run.mintlify.addJob();
    expect(await run.agent.read(id)).toMatchObject({ kind: 'unreadable' });
    expect(await run.agent.read(id)).toMatchObject({ kind: 'active', job: { id } });
    expect(run.mintlify.transcript).toEqual(['GET job/job_1', 'GET job/job_1']);
  });

  const SHOWN: readonly (readonly [number, object])[] = [
    ...REFUSED.map(([status, topic]) => [status, { kind: 'refused', topic }] as const),
    [429, { kind: 'unreadable', retryAfterMs: 7_000 }],
  ];
  test.for(SHOWN.filter(([status]) => status !== 404))('with HTTP %d is %o', async (row) => {
    const [status, read] = row;
    await using run = await startWith('GET', says(status, { 'retry-after': '7' }));
    expect(await run.agent.read('job_1')).toEqual({ ...read, said: saidOf(status) });
  });

  test('with HTTP 404 finds no agent job', async () => {
    await using run = await start();
    const said = 'HTTP 404, `Job not found`';
    expect(await run.agent.read('job_1')).toEqual({ kind: 'not-found', said });
  });
});
