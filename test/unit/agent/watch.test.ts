import { describe, expect, test } from 'vitest';
import { checkKey, type Refused } from '../../../src/agent/agent.ts';
import type { Standing } from '../../../src/agent/job.ts';
import { waitForEnd, watchJob } from '../../../src/agent/watch.ts';
import { Cancelled } from '../../../src/errors.ts';
import { jobOf, shown } from '../../support/agent-job.ts';
import { TestClock } from '../../support/clock.ts';
import { effectsOf } from '../../support/effects.ts';
import { RecordingRunner } from '../../support/runner.ts';

const LINK = 'https://github.com/acme/docs/pull/1';
const active = shown();
const completed = shown('completed', LINK);
const withoutLink = shown('completed');
const notFound: Standing = { kind: 'not-found', said: 'HTTP 404, `Job not found`' };
const fails: Standing = { kind: 'unreadable', said: 'HTTP 503, `down`' };
const failsFor = (retryAfterMs: number): Standing => ({ ...fails, retryAfterMs });
const refuses = (topic: Refused['topic']): Refused => ({ kind: 'refused', topic, said: `no` });

interface Wait {
  /** How long before the wait the message was accepted. Negative if its clock is ahead. */
  readonly messageAgeMs?: number;
  readonly deadline?: number;
  readonly pollIntervalMs?: number;
}

/** Waits for an agent job whose reads show these in turn, the last one for ever. */
function start(reads: readonly (Standing | Refused)[], wait: Wait = {}) {
  const { messageAgeMs, deadline = 1_800_000, pollIntervalMs = 10_000 } = wait;
  const clock = new TestClock({ random: () => 0 });
  const cancel = new AbortController();
  const runner = new RecordingRunner();
  /** When each read was made. */
  const readAt: number[] = [];
  const agent = {
    async read() {
      readAt.push(clock.now());
      return reads[Math.min(readAt.length, reads.length) - 1] ?? notFound;
    },
  };
  const messagedAt = messageAgeMs === undefined ? null : clock.date() - messageAgeMs;
  const effects = effectsOf({ clock, runner, signal: cancel.signal, deadline });
  const watch = watchJob(agent, 'job_1', messagedAt, effects);
  let polls = 0;
  const meanwhile = async () => {
    polls += 1;
  };
  const end = () => waitForEnd(watch, pollIntervalMs, effects, meanwhile);
  return { clock, cancel, runner, agent, readAt, watch, end, polls: () => polls };
}

describe('waiting for the end', () => {
  test('reads once in each interval', async () => {
    const wait = start([active, active, completed]);
    expect(await wait.end()).toEqual(completed);
    expect(wait.readAt).toEqual([0, 10_000, 20_000]);
    expect([wait.watch.job, wait.polls()]).toEqual([jobOf('completed', LINK), 2]);
  });

  test('an unknown status is waited on, with one warning', async () => {
    const wait = start([shown('queued'), shown('paused'), active, completed]);
    await wait.end();
    expect(wait.runner.annotations).toMatchObject([
      { level: 'warning', message: expect.stringContaining('the status `queued`') },
    ]);
  });

  test('faults are read again with a back-off, which a good read resets', async () => {
    const wait = start([fails, fails, fails, active, fails, failsFor(45_000), completed]);
    await wait.end();
    expect(wait.readAt).toEqual([0, 500, 1_500, 3_500, 13_500, 14_000, 59_000]);
    expect(wait.runner.log).toContain(
      'The agent job could not be read: HTTP 503, `down`. Reading it again in 1 s.',
    );
  });

  test('a look reads nothing again before the pause of the last fault is over', async () => {
    const { watch, clock, readAt } = start([failsFor(45_000), completed]);
    expect(await watch.look()).toEqual(failsFor(45_000));
    clock.advance(10_000);
    expect(await watch.look()).toEqual(failsFor(35_000));
    expect(readAt).toEqual([0]);
    clock.advance(35_000);
    expect(await watch.look()).toMatchObject({ kind: 'pull-request' });
  });

  test.for([
    ['also after a fault', [fails, active], undefined],
    ['with the last error', [active, failsFor(3_600_000)], 'HTTP 503, `down`'],
  ] as const)('the deadline ends it %s', async ([, reads, lastError]) => {
    const wait = start(reads, { deadline: 25_000 });
    expect(await wait.end()).toEqual({ kind: 'timed-out', lastError });
    expect(wait.clock.now()).toBe(25_000);
  });

  test('a cancel ends it with the reason of the signal', async () => {
    const wait = start([active]);
    const error = new Cancelled('SIGINT');
    wait.clock.at(15_000, () => wait.cancel.abort(error));
    expect(await wait.end()).toEqual({ kind: 'stopped', error });
    expect(wait.readAt).toEqual([0, 10_000]);
  });

  test('a refusal ends it at once', async () => {
    const wait = start([active, refuses('key-refused'), completed]);
    const message = 'Mintlify did not show agent job `job_1` (no)';
    const error = expect.objectContaining({ topic: 'key-refused', message });
    expect(await wait.end()).toEqual({ kind: 'stopped', error });
    expect(wait.readAt).toHaveLength(2);
  });
});

describe('404', () => {
  test('ends the wait as gone once it has lasted for 30 s', async () => {
    const wait = start([notFound], { pollIntervalMs: 1_000 });
    expect(await wait.end()).toEqual(notFound);
    expect(wait.readAt).toEqual([0, 500, 1_500, 3_500, 7_500, 15_500, 31_500]);
  });

  test('counts its 30 s anew after any other response', async () => {
    const again = [notFound, failsFor(29_000)];
    const wait = start([...again, ...again, notFound, completed]);
    expect(await wait.end()).toMatchObject({ kind: 'pull-request' });
  });
});

describe('completed without a link', () => {
  test('is read once more after 2 s, in case the link comes late', async () => {
    const wait = start([active, withoutLink, completed]);
    expect(await wait.end()).toMatchObject({ kind: 'pull-request' });
    expect(wait.readAt).toEqual([0, 10_000, 12_000]);
    expect(wait.watch.job?.prLink).toBe(LINK);
  });

  test.for([
    ['without a link again', withoutLink],
    ['a fault', fails],
    ['a refusal', refuses('key-refused')],
  ] as const)('ends as no changes if that read shows %s', async ([, read]) => {
    const wait = start([withoutLink, read]);
    expect(await wait.end()).toMatchObject({ kind: 'no-changes' });
    expect(wait.readAt).toEqual([0, 2_000]);
  });

  test('does not hold the step past its deadline', async () => {
    const wait = start([withoutLink], { deadline: 500 });
    expect(await wait.end()).toMatchObject({ kind: 'no-changes' });
    expect(wait.clock.now()).toBe(500);
  });
});

describe('after a message', () => {
  test.for([
    [0, [0, 10_000, 20_000, 30_000]],
    [25_000, [0, 10_000]],
    [30_000, [0]],
    // The clock of the machine that sent it is ahead: it counts as just sent.
    [-3_600_000, [0, 10_000, 20_000, 30_000]],
  ] as const)('an end counts 30 s after it, if it was sent %d ms ago', async ([age, readAt]) => {
    const wait = start([completed], { messageAgeMs: age });
    expect(await wait.end()).toMatchObject({ kind: 'pull-request' });
    expect(wait.readAt).toEqual(readAt);
  });

  test('an end counts at once after the agent was active', async () => {
    const wait = start([withoutLink, active, completed], { messageAgeMs: 0 });
    expect(await wait.end()).toMatchObject({ kind: 'pull-request' });
    expect(wait.readAt).toEqual([0, 10_000, 20_000]);
  });
});

test.for([
  [notFound, []],
  [active, []],
  [fails, ['warning']],
  [refuses('service'), ['warning']],
] as const)('a dry run whose read shows %j reports %j about the key', async ([read, levels]) => {
  const { agent, runner } = start([read]);
  await checkKey(agent, runner);
  expect(runner.annotations.map(({ level }) => level)).toEqual(levels);
  expect(runner.log).toHaveLength(levels.length === 0 ? 1 : 0);
});

test.for(['key-refused', 'key-forbidden'] as const)('a dry run fails with %s', async (topic) => {
  const { agent, runner } = start([refuses(topic)]);
  await expect(checkKey(agent, runner)).rejects.toThrow('Mintlify refused the key (no)');
});

test.for([
  [active, 'is still active'],
  [failsFor(3_600_000), 'cannot be read (HTTP 503, `down`)'],
] as const)('the log says once a minute, whatever the interval, of %j: %s', async ([read, how]) => {
  const wait = start([read], { deadline: 600_000, pollIntervalMs: 300_000 });
  await wait.end();
  const minutes = Array.from({ length: 10 }, (_, n) => n + 1);
  expect(wait.runner.log.filter((line) => line.startsWith('Agent job'))).toEqual(
    minutes.map((minute) => `Agent job \`job_1\` ${how} after ${minute} min.`),
  );
});
