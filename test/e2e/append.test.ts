/** `pullRequest: append`: whole histories of a workflow whose pull request collects the changes. */
import { describe, expect, test } from 'vitest';
import { annotations } from '../support/action.ts';
import { type Exchange, reply, type ServiceOptions } from '../support/agent-service.ts';
import type { FakePullState, GitHubOptions } from '../support/github-service.ts';
import { cancellation } from '../support/in-process.ts';
import { startHistory } from '../support/workflow-run.ts';

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
    inputs: {
      prompt: 'Document it.',
      changes: 'files',
      since: 'last-success',
      pullRequest: 'append',
    },
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

type Docs = Awaited<ReturnType<typeof begin>>;

test.concurrent('an open pull request collects the changes of the next runs', async () => {
  await using docs = await begin();
  const second = await docs.night('c3');
  docs.set(1, 'open', 'e2');
  expect(second).toMatchObject({ outcome: 'no-changes', sent: ['c3'], warnings: [] });
  expect(second.result.outputs).toMatchObject({ prOperation: 'updated', jobId: 'job_1' });
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
  const { result, outcome } = await docs.night('c3');
  expect(outcome).toBe('pull-request');
  expect(result.outputs['prOperation']).toBe('updated');
  expect(result.summary).toContain('## ✅ Docs pull request updated');
  expect(annotations(result).at(-1)).toContain('The agent added to `acme/docs#1`');
  expect(result.stdout).toContain('Pull request `acme/docs#1` of agent job `job_1` is open.');
});

describe.concurrent('a new agent job is created when the last one', () => {
  test.concurrent.each<{ promise: string; change: (docs: Docs) => void }>([
    { promise: 'has a merged pull request', change: ({ set }) => set(1, 'merged') },
    { promise: 'has a closed pull request', change: ({ set }) => set(1, 'closed') },
    { promise: 'opened no pull request', change: ({ fates }) => fates.set('job_1', 'completed') },
    { promise: 'failed', change: ({ fates }) => fates.set('job_1', 'failed') },
    { promise: 'was archived', change: ({ fates }) => fates.set('job_1', 'archived') },
    { promise: 'is running', change: ({ fates }) => fates.set('job_1', 'active') },
    { promise: 'is forgotten', change: ({ fates }) => fates.set('job_1', 'gone') },
  ])('$promise', async ({ change }) => {
    await using docs = await begin();
    change(docs);
    const next = await docs.night('c3');
    expect(docs.posts()).toEqual([CREATE]);
    expect(next.result.outputs).toMatchObject({ prOperation: 'created', jobId: 'job_2' });
    expect(next.warnings).toEqual([]);
    expect(next.result.stdout).toMatch(/A new agent job is needed: /);
  });
});

describe.concurrent('the last agent job stays on record', () => {
  test.concurrent.each([
    // Other `paths` would take in again what they skipped.
    {
      promise: 'a skipped run',
      between: { paths: 'other/**' },
      inputs: { paths: 'other/**\n**/c4.ts' },
      sent: ['c4'],
    },
    {
      promise: 'a refused run',
      between: { adminApiKey: 'mint_wrong_0123456789', wait: 'false' },
      sent: ['c3', 'c4'],
    },
    { promise: 'a run without a key', between: { adminApiKey: '' }, sent: ['c3', 'c4'] },
    { promise: 'a dry run', between: { dryRun: 'true' }, sent: ['c3', 'c4'] },
  ])('through $promise', async ({ between, inputs = {}, sent }) => {
    await using docs = await begin();
    await docs.night('c3', { inputs: between });
    const next = await docs.night('c4', { inputs });
    expect(docs.posts()).toEqual([MESSAGE]);
    expect(next.sent?.slice(-sent.length)).toEqual(sent);
  });

  test.concurrent.each([
    { event: 'schedule', inputs: { changes: 'none', since: 'auto' } },
    { event: 'workflow_dispatch', inputs: { since: 'auto' } },
    { event: 'workflow_dispatch', inputs: {} },
  ])('on $event with $inputs', async ({ event, inputs }) => {
    await using docs = await begin();
    expect((await docs.night('c3', { inputs }, event)).outcome).toBe('no-changes');
    expect(docs.posts()).toEqual([MESSAGE]);
  });
});

/** The service answers each message with this status, as long as it is `isDown`. */
const refusing = (status: number, isDown = () => true): ServiceOptions => ({
  intercept: (exchange) =>
    isDown() && isMessage(exchange) && reply(exchange.response, status, { error: 'no' }),
});

describe.concurrent('a message that the service answers with', () => {
  test.concurrent.each([400, 404, 409, 410, 422])(
    '%i is followed by one create call in the same run, with a notice',
    async (status) => {
      await using docs = await begin({ service: refusing(status) });
      const { run, result } = await docs.night('c3');
      expect(docs.posts()).toEqual([MESSAGE, CREATE]);
      expect(result.outputs).toMatchObject({ prOperation: 'created', jobId: 'job_2' });
      expect(annotations(result)[0]).toMatch(/^notice: .*A new agent job is created instead\./);
      expect(await docs.again(run)).toMatchObject({ outcome: 'pull-request', sent: undefined });
    },
  );

  test.concurrent.each([401, 402, 403, 413])(
    '%i is refused, and a re-run sends it',
    async (status) => {
      let isDown = true;
      await using docs = await begin({ service: refusing(status, () => isDown) });
      const { outcome, run } = await docs.night('c3');
      expect(outcome).toBe('error');
      isDown = false;
      expect((await docs.again(run)).sent).toEqual(['c3']);
      expect(docs.posts()).toEqual([MESSAGE, MESSAGE]);
    },
  );

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
  test.concurrent.each([
    { promise: '', head: 'e1' },
    { promise: ', also when somebody has pushed to its branch', head: 'somebody-elses-commit' },
  ])('fails the step, and the next run sends those changes anew$promise', async ({ head }) => {
    await using docs = await begin({ onMessage: ['merged', head] });
    const { outcome, result } = await docs.night('c3');
    expect(outcome).toBe('error');
    expect(annotations(result).at(-1)).toContain(
      'Pull request `acme/docs#1` was closed or merged before this step saw what the agent added',
    );
    expect((await docs.night('c4')).sent).toEqual(['c3', 'c4']);
    expect(docs.posts()).toEqual([MESSAGE, CREATE]);
  });

  test.concurrent('fails the step, and a re-run sends those changes anew', async () => {
    await using docs = await begin({ onMessage: ['merged'] });
    const { run } = await docs.night('c3');
    expect((await docs.again(run)).sent).toEqual(['c3']);
    expect((await docs.night('c4')).sent).toEqual(['c4']);
    expect(docs.posts()).toEqual([MESSAGE, CREATE, CREATE]);
  });

  test.concurrent.each<{ outcome: string; inputs: Record<string, string>; isCancelled?: true }>([
    { outcome: 'started', inputs: { wait: 'false' } },
    { outcome: 'timed-out', inputs: { timeout: '31s', pollInterval: '10m' } },
    { outcome: 'cancelled', inputs: {}, isCancelled: true },
  ])('is noticed by the next run when the step has $outcome', async (row) => {
    await using docs = await begin({
      onMessage: ['merged'],
      service: { messageSchedule: [AT_WORK, { ...DONE, afterReads: 3 }] },
    });
    const { workflow } = docs;
    const { cancel, signal } = cancellation();
    if (row.isCancelled) workflow.clock.after(1, cancel);
    const run = workflow.begin('c3', 'schedule');
    const left = await docs.step(run, { inputs: row.inputs }, { signal });
    expect(left.outcome).toBe(row.outcome);
    run.complete();
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

test.concurrent('a follow-up message that failed is sent again alone', async () => {
  await using docs = await begin({
    service: { messageSchedule: [AT_WORK, { ...DONE, status: 'failed' }] },
  });
  expect((await docs.night('c3')).outcome).toBe('failed');
  expect((await docs.night('c4')).sent).toEqual(['c3', 'c4']);
  expect(docs.posts()).toEqual([MESSAGE, CREATE]);
});

describe.concurrent('a docs repository that GitHub does not show to the token', () => {
  const failing = (status: number, isDown = () => true): Given => ({
    fail: (path) =>
      isDown() && path.includes('/acme/docs/') ? { status, body: { message: 'No' } } : undefined,
  });

  test.concurrent.each([403, 404])('with %i gets a new agent job and a warning', async (status) => {
    await using docs = await begin(failing(status));
    const next = await docs.night('c3');
    expect(docs.posts()).toEqual([CREATE]);
    expect(next.warnings).toEqual([
      expect.stringMatching(/`pull-requests: read`.*`githubToken` of a GitHub App/),
    ]);
  });

  test.concurrent('because it is on another server is not asked for', async () => {
    const prLink = 'https://git.example/acme/docs/pull/1';
    await using docs = await begin({ service: { schedule: [AT_WORK, { ...DONE, prLink }] } });
    const next = await docs.night('c3');
    expect(docs.posts()).toEqual([CREATE]);
    expect(next.warnings).toEqual([
      expect.stringContaining('is not the address of a pull request on this GitHub server'),
    ]);
    expect(next.requests.filter((path) => path.includes('/pulls/'))).toEqual([]);
  });

  test.concurrent('because GitHub fails stops the step, and the next run has all', async () => {
    let isDown = true;
    await using docs = await begin(failing(500, () => isDown));
    expect((await docs.night('c3')).outcome).toBe('error');
    isDown = false;
    expect((await docs.night('c4')).sent).toEqual(['c3', 'c4']);
    expect(docs.posts()).toEqual([MESSAGE]);
  });
});

test.concurrent('a dry run says where the prompt would go', async () => {
  await using docs = await begin();
  const dry = await docs.night('c3', { inputs: { dryRun: 'true' } });
  expect(dry.result.summary).toContain('add to the open pull request <code>acme/docs#1</code>');
  expect(docs.posts()).toEqual([]);
});

test.concurrent('a named start goes on where the last agent job cannot be read, and later runs too', async () => {
  await using docs = await begin();
  docs.fates.set('job_1', '400');
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
  docs.fates.set('job_1', '400');
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
