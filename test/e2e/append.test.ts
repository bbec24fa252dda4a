/** `pullRequest: append`: whole histories of a workflow whose pull request collects the changes. */
import { describe, expect, test } from 'vitest';
import { annotations } from '../support/action.ts';
import { type Exchange, reply, type ServiceOptions } from '../support/agent-service.ts';
import type { FakePullState, GitHubOptions } from '../support/github-service.ts';
import { LAST_SUCCESS, startHistory } from '../support/workflow-run.ts';

/** The pull request of an agent job. */
const linkOf = (id: string) => `https://github.com/acme/docs/pull/${id.replace('job_', '')}`;
// As the contract says: the link is null while the agent job is active.
const AT_WORK = { status: 'active', prLink: null };
const DONE = { afterReads: 2, status: 'completed', prLink: linkOf };

const MESSAGE = 'POST job/job_1/message';
const CREATE = 'POST job';
const isMessage = ({ request }: Exchange) => request.path.endsWith('/message');

interface Given {
  readonly service?: ServiceOptions;
  readonly fail?: GitHubOptions['fail'];
  /** What becomes of the first pull request as soon as a message is accepted, and its new head. */
  readonly onMessage?: readonly [state: 'open' | 'merged', head?: string];
}

/** A history that begins with a pull request that agent job `job_1` opened for c2. */
async function begin({ service = {}, fail, onMessage }: Given = {}) {
  const pullStates: Record<string, FakePullState> = {};
  const set = (number: number, state: 'open' | 'merged' | 'closed', sha = 'e1') => {
    const isOpen = state === 'open';
    pullStates[`acme/docs#${number}`] = {
      state: isOpen ? 'open' : 'closed',
      merged: state === 'merged',
      head: { sha },
    };
  };
  const history = await startHistory({
    inputs: { ...LAST_SUCCESS, wait: 'true', pullRequest: 'append' },
    service: {
      schedule: [AT_WORK, DONE],
      messageSchedule: [AT_WORK, DONE],
      ...service,
      intercept: (exchange) => {
        if (onMessage !== undefined && isMessage(exchange)) set(1, ...onMessage);
        return service.intercept?.(exchange) ?? false;
      },
    },
    github: { pullStates, ...(fail && { fail }) },
  });
  set(1, 'open');
  const first = await history.push(2);
  expect(first).toMatchObject({ outcome: 'pull-request', sent: ['c2'] });
  expect(first.result.outputs).toMatchObject({ prOperation: 'created', prNumber: '1' });
  /** The calls that could cost something, since then. */
  const posts = () => history.agent.transcript.filter((line) => line.startsWith('POST')).slice(1);
  return { ...history, set, posts };
}

test.concurrent('an open pull request collects the changes of the next runs', async () => {
  await using docs = await begin();
  const second = await docs.night('c3');
  docs.set(1, 'open', 'e2');
  expect(second).toMatchObject({ outcome: 'no-changes', sent: ['c3'], warnings: [] });
  expect(second.result.outputs).toMatchObject({ prOperation: 'updated', jobId: 'job_1' });
  const isOpen = 'Your pull request https://github.com/acme/docs/pull/1 is open. Add to it';
  expect(second.result.summary).toContain(isOpen);
  const third = await docs.night('c5');
  expect(third.sent).toEqual(['c4', 'c5']);
  expect(docs.posts()).toEqual([MESSAGE, MESSAGE]);
  expect(third.requests.length).toBeLessThanOrEqual(14);
  // The step has seen what the agent added.
  docs.set(1, 'merged', 'e9');
  expect((await docs.night('c6')).sent).toEqual(['c6']);
  expect(docs.posts()).toEqual([MESSAGE, MESSAGE, CREATE]);
});

test.concurrent('what the agent added is told as added, and not as created', async () => {
  await using docs = await begin({ onMessage: ['open', 'e2'] });
  const { result, outcome, run } = await docs.night('c3');
  expect(outcome).toBe('pull-request');
  expect(result.outputs['prOperation']).toBe('updated');
  expect((await docs.again(run)).result.outputs['prOperation']).toBe('updated');
  expect(result.summary).toContain('## ✅ Docs pull request updated');
  expect(annotations(result).at(-1)).toContain('The agent added to `acme/docs#1`');
  expect(result.stdout).toContain('Pull request `acme/docs#1` of agent job `job_1` is open.');
});

test.concurrent('a new agent job is created when the pull request of the last one is closed', async () => {
  await using docs = await begin();
  docs.set(1, 'closed');
  const next = await docs.night('c3');
  expect(docs.posts()).toEqual([CREATE]);
  expect(next.result.outputs).toMatchObject({ prOperation: 'created', jobId: 'job_2' });
  expect(next.warnings).toEqual([]);
  const shown = next.result.stdout + next.result.summary;
  expect(shown.split('A new agent job is needed: ')).toHaveLength(3);
});

describe.concurrent('the last agent job stays on record through', () => {
  test.concurrent.each([
    // Other `paths` would take in again what they skipped.
    {
      promise: 'a skipped run',
      between: { paths: 'other/**' },
      inputs: { paths: 'other/**\n**/c4.ts' },
      sent: ['c4'],
    },
    { promise: 'a run without a key', between: { adminApiKey: '' }, sent: ['c3', 'c4'] },
  ])('$promise', async ({ between, inputs = {}, sent }) => {
    await using docs = await begin();
    await docs.night('c3', { inputs: between });
    const next = await docs.night('c4', { inputs });
    expect(docs.posts()).toEqual([MESSAGE]);
    expect(next.sent?.slice(-sent.length)).toEqual(sent);
  });
});

/** The service answers each message with this status, as long as it is `isDown`. */
const refusing = (status: number, isDown = () => true): ServiceOptions => ({
  intercept: (exchange) =>
    isDown() && isMessage(exchange) && reply(exchange.response, status, { error: 'no' }),
});

describe.concurrent('a message that the service answers with', () => {
  test.concurrent('409 is followed by one create call in the same run, with a notice', async () => {
    await using docs = await begin({ service: refusing(409) });
    const { run, result } = await docs.night('c3');
    expect(docs.posts()).toEqual([MESSAGE, CREATE]);
    expect(result.outputs).toMatchObject({ prOperation: 'created', jobId: 'job_2' });
    expect(annotations(result)[0]).toMatch(/^notice: .*A new agent job is created instead\./);
    expect(await docs.again(run)).toMatchObject({ outcome: 'pull-request', sent: undefined });
  });

  test.concurrent('401 is refused, and a re-run sends it', async () => {
    let isDown = true;
    await using docs = await begin({ service: refusing(401, () => isDown) });
    const { outcome, run } = await docs.night('c3');
    expect(outcome).toBe('error');
    isDown = false;
    expect((await docs.again(run)).sent).toEqual(['c3']);
    expect(docs.posts()).toEqual([MESSAGE, MESSAGE]);
  });

  test.concurrent('502 is in doubt: a re-run asks, and the one after it sends', async () => {
    let isDown = true;
    await using docs = await begin({ service: refusing(502, () => isDown) });
    const { outcome, run, result } = await docs.night('c3');
    expect(outcome).toBe('error');
    const closing = annotations(result).at(-1);
    expect(closing).toContain('may have accepted the message anyway');
    expect(closing).toContain('press "Re-run failed jobs" twice');
    expect(closing).not.toContain('creates no second one');
    isDown = false;
    expect(await docs.again(run)).toMatchObject({ outcome: 'error', sent: undefined });
    expect((await docs.again(run)).sent).toEqual(['c3']);
    expect(docs.posts()).toEqual([MESSAGE, MESSAGE]);
  });
});

describe.concurrent('a pull request that is merged while the agent is at work', () => {
  test.concurrent('fails the step, and the next run sends those changes anew', async () => {
    await using docs = await begin({ onMessage: ['merged', 'somebody-elses-commit'] });
    const { outcome, result } = await docs.night('c3');
    expect(outcome).toBe('error');
    const closing = annotations(result).at(-1);
    expect(closing).toContain('`acme/docs#1` was closed or merged before this step saw what');
    expect(closing).toContain('The next run under `since: last-success` sends these changes');
    expect((await docs.night('c4')).sent).toEqual(['c3', 'c4']);
    expect(docs.posts()).toEqual([MESSAGE, CREATE]);
  });

  test.concurrent('fails a step behind a newer run, and no next run is promised to send it', async () => {
    await using docs = await begin({ onMessage: ['merged'] });
    const late = docs.workflow.begin('c4');
    await docs.night('c3', { inputs: { paths: 'docs/**' } });
    const closing = annotations((await docs.step(late)).result).at(-1);
    expect(closing).toContain('was closed or merged before');
    expect(closing).not.toContain('The next run');
  });

  test.concurrent.each<{ outcome: string; inputs: Record<string, string> }>([
    { outcome: 'started', inputs: { wait: 'false' } },
    { outcome: 'timed-out', inputs: { timeout: '31s', pollInterval: '10m' } },
  ])('is noticed by the next run when the step has $outcome', async ({ outcome, inputs }) => {
    const messageSchedule = [AT_WORK, { ...DONE, afterReads: 3 }];
    await using docs = await begin({ onMessage: ['merged'], service: { messageSchedule } });
    expect((await docs.night('c3', { inputs })).outcome).toBe(outcome);
    docs.agent.finish('job_1');
    expect((await docs.night('c4')).sent).toEqual(['c3', 'c4']);
    expect(docs.posts()).toEqual([MESSAGE, CREATE]);
  });
});

test.concurrent('an addition that nobody waited for is covered while its pull request is open', async () => {
  await using docs = await begin();
  await docs.night('c3', { inputs: { wait: 'false' } });
  docs.agent.finish('job_1');
  docs.set(1, 'open', 'a-persons-commit');
  expect((await docs.night('c4')).sent).toEqual(['c4']);
  expect(docs.posts()).toEqual([MESSAGE, MESSAGE]);
});

test.concurrent('where GitHub fails to show the pull request, the step stops, and the next run has all', async () => {
  let isDown = true;
  const fail = (path: string) =>
    isDown && path.includes('/acme/docs/') ? { status: 500 } : undefined;
  await using docs = await begin({ fail });
  expect((await docs.night('c3')).outcome).toBe('error');
  isDown = false;
  expect((await docs.night('c4')).sent).toEqual(['c3', 'c4']);
  expect(docs.posts()).toEqual([MESSAGE]);
});

test.concurrent('a dry run says where the prompt would go', async () => {
  await using docs = await begin();
  const dry = await docs.night('c3', { inputs: { dryRun: 'true' } });
  expect(dry.result.summary).toContain('add to the open pull request <code>acme/docs#1</code>');
  expect(docs.posts()).toEqual([]);
});

test.concurrent('a named start goes on where the last agent job cannot be read, and later runs too', async () => {
  await using docs = await begin();
  docs.fates.set('job_1', 'hidden');
  expect((await docs.night('c3')).outcome).toBe('error');
  const named = await docs.night('c4', { inputs: { since: 'c2' } });
  expect(named).toMatchObject({ outcome: 'pull-request', sent: ['c3', 'c4'] });
  expect(named.result.outputs['prOperation']).toBe('created');
  docs.set(2, 'open');
  expect((await docs.night('c5')).sent).toEqual(['c5']);
  expect(docs.posts()).toEqual([CREATE, 'POST job/job_2/message']);
});

test.concurrent('a run that sends nothing does not look at the last agent job', async () => {
  await using docs = await begin();
  const before = docs.agent.requests.length;
  const quiet = await docs.push(3, { inputs: { since: 'auto', paths: 'docs/**' } });
  expect(quiet.outcome).toBe('skipped');
  expect(docs.agent.requests).toHaveLength(before);
});

test.concurrent('skipped runs before the first agent job do not add up to more and more requests', async () => {
  await using history = await startHistory();
  const inputs = { pullRequest: 'append', paths: 'docs/**', since: 'auto' };
  for (const n of [2, 3, 4, 5, 6]) {
    const night = await history.push(n, { inputs });
    expect(night.outcome).toBe('skipped');
    expect(night.requests.length).toBeLessThanOrEqual(6);
  }
});
