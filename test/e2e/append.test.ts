/** `pullRequest: append`: whole histories of a workflow whose pull request collects the changes. */
import { afterAll, describe, expect, test } from 'vitest';
import { annotations } from '../support/action.ts';
import { reply, type ServiceOptions } from '../support/agent-service.ts';
import type { FakePullState, GitHubOptions } from '../support/github-service.ts';
import { noGit, noSignals, skipWhen } from '../support/system.ts';
import { commitsInLine, History, type Night, type StepOptions } from '../support/workflow-run.ts';

skipWhen(noGit);

const commits = noGit === undefined ? commitsInLine(9) : (undefined as never);
afterAll(() => commits?.[Symbol.dispose]());

/** The pull request of an agent job. */
const linkOf = (id: string) => `https://github.com/acme/docs/pull/${id.replace('job_', '')}`;
const AT_WORK = { status: 'active', prLink: null };
// As the contract says: the link is null while the agent job is active.
const WORKING_ON_MESSAGE = { status: 'active', prLink: null };
const DONE = { afterReads: 2, status: 'completed', prLink: linkOf };

class Docs {
  readonly history: History;
  readonly pulls: Record<string, FakePullState>;

  constructor(history: History, pulls: Record<string, FakePullState>) {
    this.history = history;
    this.pulls = pulls;
  }

  /** Begins with a pull request that agent job `job_1` opened for c2. */
  static async begin(
    service: ServiceOptions = {},
    github: Partial<GitHubOptions> = {},
  ): Promise<Docs> {
    const pulls: Record<string, FakePullState> = {};
    const history = await History.start(
      commits,
      { pullStates: pulls, ...github },
      { schedule: [AT_WORK, DONE], messageSchedule: [WORKING_ON_MESSAGE, DONE], ...service },
    );
    const docs = new Docs(history, pulls);
    await docs.night('c1', { inputs: { pullRequest: 'new' } });
    docs.set(1, 'open');
    const first = await docs.night('c2');
    expect(first).toMatchObject({ outcome: 'pull-request', sent: ['c2'] });
    expect(first.result.outputs).toMatchObject({ prOperation: 'created', prNumber: '1' });
    return docs;
  }

  set(number: number, state: 'open' | 'merged' | 'closed', head = 'e1'): void {
    this.pulls[`acme/docs#${number}`] = {
      state: state === 'open' ? 'open' : 'closed',
      merged: state === 'merged',
      head: { sha: head },
    };
  }

  options({ inputs, ...more }: StepOptions = {}): StepOptions {
    return { ...more, inputs: { pullRequest: 'append', wait: 'true', ...inputs } };
  }

  night(head: string, options: StepOptions = {}, event?: string): Promise<Night> {
    return this.history.night(head, this.options(options), event);
  }

  again(night: Night, options: StepOptions = {}): Promise<Night> {
    return this.history.again(night.run, this.options(options));
  }

  /** The calls that could cost something, since the last time. */
  posts(): readonly string[] {
    const { transcript } = this.history.agent;
    return transcript.filter((line) => line.startsWith('POST')).slice(1);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.history[Symbol.asyncDispose]();
  }
}

const MESSAGE = 'POST job/job_1/message';
const CREATE = 'POST job';

test.concurrent('an open pull request collects the changes of the next runs', async () => {
  await using docs = await Docs.begin();
  const second = await docs.night('c3');
  docs.set(1, 'open', 'e2');
  expect(second).toMatchObject({ outcome: 'no-changes', sent: ['c3'], warnings: [] });
  expect(second.result.outputs).toMatchObject({ prOperation: 'updated', jobId: 'job_1' });
  const third = await docs.night('c5');
  expect(third.sent).toEqual(['c4', 'c5']);
  expect(docs.posts()).toEqual([MESSAGE, MESSAGE]);
  expect(third.requests.length).toBeLessThanOrEqual(14);
});

test.concurrent('what the agent added is told as added, and not as created', async () => {
  const docs: Docs = await Docs.begin({
    // The agent's commit moves the head while it works on the message.
    intercept: ({ request }) => {
      if (request.path.endsWith('/message')) docs.set(1, 'open', 'e2');
      return false;
    },
  });
  await using _ = docs;
  const { result, outcome } = await docs.night('c3');
  expect(outcome).toBe('pull-request');
  expect(result.outputs['prOperation']).toBe('updated');
  expect(result.summary).toContain('## ✅ Docs pull request updated');
  expect(annotations(result).at(-1)).toContain('The agent added to `acme/docs#1`');
  expect(result.stdout).toContain('Pull request `acme/docs#1` of agent job `job_1` is open.');
});

describe.concurrent('a new agent job is created when the last one', () => {
  test.concurrent.each<{ promise: string; change: (docs: Docs) => void }>([
    { promise: 'has a merged pull request', change: (docs) => docs.set(1, 'merged') },
    { promise: 'has a closed pull request', change: (docs) => docs.set(1, 'closed') },
    {
      promise: 'opened no pull request',
      change: ({ history }) => history.fates.set('job_1', 'completed'),
    },
    { promise: 'failed', change: ({ history }) => history.fates.set('job_1', 'failed') },
    { promise: 'was archived', change: ({ history }) => history.fates.set('job_1', 'archived') },
    { promise: 'is running', change: ({ history }) => history.fates.set('job_1', 'active') },
    { promise: 'is forgotten', change: ({ history }) => history.fates.set('job_1', 'gone') },
  ])('$promise', async ({ change }) => {
    await using docs = await Docs.begin();
    change(docs);
    const next = await docs.night('c3');
    expect(docs.posts()).toEqual([CREATE]);
    expect(next.result.outputs).toMatchObject({ prOperation: 'created', jobId: 'job_2' });
    expect(next.warnings).toEqual([]);
    expect(next.result.stdout).toMatch(/A new agent job is needed: /);
  });
});

describe.concurrent('the last agent job stays on record', () => {
  test.concurrent.each<{ promise: string; between: StepOptions; sent: readonly string[] }>([
    { promise: 'through a skipped run', between: { inputs: { paths: 'other/**' } }, sent: ['c4'] },
    {
      promise: 'through a refused run',
      between: { inputs: { adminApiKey: 'mint_wrong_0123456789', wait: 'false' } },
      sent: ['c3', 'c4'],
    },
    {
      promise: 'through a run without a key',
      between: { inputs: { adminApiKey: '' } },
      sent: ['c3', 'c4'],
    },
    { promise: 'through a dry run', between: { inputs: { dryRun: 'true' } }, sent: ['c3', 'c4'] },
  ])('$promise', async ({ between, sent }) => {
    await using docs = await Docs.begin();
    await docs.night('c3', between);
    // Other `paths` would take in again what they skipped.
    const inputs = between.inputs?.['paths'] === undefined ? {} : { paths: 'other/**\n**/c4.ts' };
    const next = await docs.night('c4', { inputs });
    expect(docs.posts()).toEqual([MESSAGE]);
    expect(next.sent?.slice(-sent.length)).toEqual(sent);
  });

  test.concurrent.each([
    { event: 'schedule', inputs: { changes: 'none', since: 'auto' } },
    { event: 'workflow_dispatch', inputs: { changes: 'none', since: 'auto' } },
    { event: 'workflow_dispatch', inputs: { since: 'auto' } },
    { event: 'workflow_dispatch', inputs: {} },
  ])('on $event with $inputs', async ({ event, inputs }) => {
    await using docs = await Docs.begin();
    const next = await docs.night('c3', { inputs }, event);
    expect(next.outcome).toBe('no-changes');
    expect(docs.posts()).toEqual([MESSAGE]);
  });
});

/** The service refuses the message with this status. */
const refusing = (status: number): ServiceOptions => ({
  intercept: ({ request, response }) =>
    request.path.endsWith('/message') && reply(response, status, { error: 'no' }),
});

describe.concurrent('a message that the service answers with', () => {
  test.concurrent.each([400, 404, 409, 410, 422])(
    '%i is followed by one create call in the same run, with a notice',
    async (status) => {
      await using docs = await Docs.begin(refusing(status));
      const next = await docs.night('c3');
      expect(docs.posts()).toEqual([MESSAGE, CREATE]);
      expect(next.result.outputs).toMatchObject({ prOperation: 'created', jobId: 'job_2' });
      expect(annotations(next.result)[0]).toMatch(
        /^notice: .*A new agent job is created instead\./,
      );
      const again = await docs.again(next);
      expect(again).toMatchObject({ outcome: 'pull-request', sent: undefined });
    },
  );

  test.concurrent.each([401, 402, 403, 413])(
    '%i is refused, and a re-run sends it',
    async (status) => {
      let isRefused = true;
      await using docs = await Docs.begin({
        intercept: ({ request, response }) =>
          isRefused &&
          request.path.endsWith('/message') &&
          reply(response, status, { error: 'no' }),
      });
      const refused = await docs.night('c3');
      expect(refused.outcome).toBe('error');
      isRefused = false;
      const again = await docs.again(refused);
      expect(again.sent).toEqual(['c3']);
      expect(docs.posts()).toEqual([MESSAGE, MESSAGE]);
    },
  );

  test.concurrent('502 is in doubt: a re-run asks, and the one after it sends', async () => {
    let isLost = true;
    await using docs = await Docs.begin({
      intercept: ({ request, response }) =>
        isLost && request.path.endsWith('/message') && reply(response, 502, 'Bad gateway'),
    });
    const lost = await docs.night('c3');
    expect(lost.outcome).toBe('error');
    const closing = annotations(lost.result).at(-1);
    expect(closing).toContain('may have accepted the message anyway');
    expect(closing).toContain('press "Re-run failed jobs" twice');
    expect(closing).not.toContain('creates no second one');
    isLost = false;
    expect(await docs.again(lost)).toMatchObject({ outcome: 'error', sent: undefined });
    expect((await docs.again(lost)).sent).toEqual(['c3']);
    expect(docs.posts()).toEqual([MESSAGE, MESSAGE]);
  });
});

describe.concurrent('a pull request that is merged while the agent is at work', () => {
  /** The reviewer merges as soon as the message is accepted. */
  const merging = (docs: () => Docs, head = 'e1'): ServiceOptions => ({
    intercept: ({ request }) => {
      if (request.path.endsWith('/message')) docs().set(1, 'merged', head);
      return false;
    },
  });

  async function beginMerging(service: ServiceOptions = {}, head?: string) {
    const docs: Docs = await Docs.begin({ ...merging(() => docs, head), ...service });
    return docs;
  }

  test.concurrent('fails the step, and the next run sends those changes anew', async () => {
    await using docs = await beginMerging();
    const missed = await docs.night('c3');
    expect(missed.outcome).toBe('error');
    expect(annotations(missed.result).at(-1)).toContain(
      'Pull request `acme/docs#1` was closed or merged before this step saw what the agent added',
    );
    expect((await docs.night('c4')).sent).toEqual(['c3', 'c4']);
    expect(docs.posts()).toEqual([MESSAGE, CREATE]);
  });

  test.concurrent('fails the step, and a re-run sends those changes anew', async () => {
    await using docs = await beginMerging();
    const missed = await docs.night('c3');
    const again = await docs.again(missed);
    expect(again.sent).toEqual(['c3']);
    expect((await docs.night('c4')).sent).toEqual(['c4']);
    expect(docs.posts()).toEqual([MESSAGE, CREATE, CREATE]);
  });

  test.concurrent.each([
    { promise: 'when nobody waited', inputs: { wait: 'false' } },
    { promise: 'after a timeout', inputs: { timeout: '31s', pollInterval: '10m' } },
  ])('is noticed by the next run $promise', async ({ inputs }) => {
    await using docs = await beginMerging({
      messageSchedule: [WORKING_ON_MESSAGE, { ...DONE, afterReads: 3 }],
    });
    const left = await docs.night('c3', { inputs });
    expect(left.outcome).toMatch(/^(started|timed-out)$/);
    docs.history.agent.finish('job_1');
    expect((await docs.night('c4')).sent).toEqual(['c3', 'c4']);
    expect(docs.posts()).toEqual([MESSAGE, CREATE]);
  });

  test.concurrent('is noticed by the next run after a cancel', async ({ skip }) => {
    skip(noSignals !== undefined, noSignals);
    await using docs = await beginMerging();
    const run = docs.history.begin('c3');
    const action = run.start(docs.history.given(docs.options({ inputs: { pollInterval: '10m' } })));
    await action.logged(/Waiting for agent job/);
    action.child.kill('SIGINT');
    expect((await run.end(action)).outputs['outcome']).toBe('cancelled');
    run.complete();
    docs.history.agent.finish('job_1');
    expect((await docs.night('c4')).sent).toEqual(['c3', 'c4']);
  });

  test.concurrent('does so also when a person or a bot has pushed to its branch', async () => {
    await using docs = await beginMerging({}, 'somebody-elses-commit');
    const missed = await docs.night('c3');
    expect(missed.outcome).toBe('error');
    expect((await docs.night('c4')).sent).toEqual(['c3', 'c4']);
  });
});

test.concurrent('after the step has seen what the agent added, a merge sends nothing again', async () => {
  await using docs = await Docs.begin();
  await docs.night('c3');
  docs.set(1, 'merged', 'e9');
  expect((await docs.night('c4')).sent).toEqual(['c4']);
  expect(docs.posts()).toEqual([MESSAGE, CREATE]);
});

test.concurrent('an addition that nobody waited for is covered while its pull request is open', async () => {
  await using docs = await Docs.begin();
  await docs.night('c3', { inputs: { wait: 'false' } });
  docs.history.agent.finish('job_1');
  docs.set(1, 'open', 'a-persons-commit');
  expect((await docs.night('c4')).sent).toEqual(['c4']);
  expect(docs.posts()).toEqual([MESSAGE, MESSAGE]);
});

test.concurrent('a follow-up message that failed is sent again alone', async () => {
  await using docs = await Docs.begin({
    messageSchedule: [WORKING_ON_MESSAGE, { ...DONE, status: 'failed' }],
  });
  expect((await docs.night('c3')).outcome).toBe('failed');
  const next = await docs.night('c4');
  expect(next.sent).toEqual(['c3', 'c4']);
  expect(docs.posts()).toEqual([MESSAGE, CREATE]);
});

describe.concurrent('a docs repository that GitHub does not show to the token', () => {
  test.concurrent.each([403, 404])('with %i gets a new agent job and a warning', async (status) => {
    await using docs = await Docs.begin(
      {},
      {
        fail: (path) =>
          path.includes('/acme/docs/') ? { status, body: { message: 'No' } } : undefined,
      },
    );
    const next = await docs.night('c3');
    expect(docs.posts()).toEqual([CREATE]);
    expect(next.warnings).toEqual([
      expect.stringMatching(/`pull-requests: read`.*`githubToken` of a GitHub App/),
    ]);
  });

  test.concurrent('because it is on another server is not asked for', async () => {
    const elsewhere = () => 'https://git.example/acme/docs/pull/1';
    await using docs = await Docs.begin({
      schedule: [AT_WORK, { ...DONE, prLink: elsewhere }],
    });
    const next = await docs.night('c3');
    expect(docs.posts()).toEqual([CREATE]);
    expect(next.warnings).toEqual([
      expect.stringContaining('is not the address of a pull request on this GitHub server'),
    ]);
    expect(next.requests.filter((path) => path.includes('/pulls/'))).toEqual([]);
  });

  test.concurrent('because GitHub fails stops the step, and the next run has all', async () => {
    let isDown = true;
    await using docs = await Docs.begin(
      {},
      {
        fail: (path) =>
          isDown && path.includes('/acme/docs/')
            ? { status: 500, body: { message: 'No' } }
            : undefined,
      },
    );
    const stopped = await docs.night('c3');
    expect(stopped.outcome).toBe('error');
    isDown = false;
    expect((await docs.night('c4')).sent).toEqual(['c3', 'c4']);
    expect(docs.posts()).toEqual([MESSAGE]);
  });
});

test.concurrent('a dry run says where the prompt would go', async () => {
  await using docs = await Docs.begin();
  const dry = await docs.night('c3', { inputs: { dryRun: 'true' } });
  expect(dry.result.summary).toContain('add to the open pull request <code>acme/docs#1</code>');
  expect(docs.posts()).toEqual([]);
});

test.concurrent('a run that knows no earlier agent job creates one', async () => {
  await using history = await History.start(commits);
  const night = await history.night('c2', {
    inputs: { pullRequest: 'append', changes: 'none', since: 'auto' },
  });
  expect(night.outcome).toBe('started');
  expect(night.result.stdout).toContain('this step has no earlier one on record');
});

describe.concurrent('a named start', () => {
  test.concurrent('goes on where the last agent job cannot be read, and later runs too', async () => {
    await using docs = await Docs.begin();
    docs.history.fates.set('job_1', '400');
    const stopped = await docs.night('c3');
    expect(stopped.outcome).toBe('error');
    const since = docs.history.git.sha('c2');
    const named = await docs.night('c4', { inputs: { since } });
    expect(named).toMatchObject({ outcome: 'pull-request', sent: ['c3', 'c4'] });
    expect(named.result.outputs['prOperation']).toBe('created');
    docs.set(2, 'open');
    expect((await docs.night('c5')).sent).toEqual(['c5']);
    expect(docs.posts()).toEqual([CREATE, 'POST job/job_2/message']);
  });
});

test.concurrent('a run that sends nothing does not look at the last agent job', async () => {
  await using docs = await Docs.begin();
  await docs.night('c3');
  docs.history.fates.set('job_1', '400');
  const stopped = await docs.night(
    'c3',
    { inputs: { changes: 'none', since: 'auto' } },
    'schedule',
  );
  expect(stopped.outcome).toBe('error');
  const before = docs.history.agent.requests.length;
  const event = { before: docs.history.git.sha('c3') };
  const inputs = { since: 'auto', paths: 'docs/**' };
  const quiet = await docs.night('c4', { event, inputs }, 'push');
  expect(quiet.outcome).toBe('skipped');
  expect(docs.history.agent.requests).toHaveLength(before);
});

test.concurrent('skipped runs before the first agent job do not add up to more and more requests', async () => {
  await using history = await History.start(commits);
  const inputs = { pullRequest: 'append', paths: 'docs/**', since: 'auto' };
  for (const head of ['c2', 'c3', 'c4', 'c5', 'c6']) {
    const event = { before: history.git.sha('c1') };
    const night = await history.night(head, { event, inputs }, 'push');
    expect(night.outcome).toBe('skipped');
    expect(night.requests.length).toBeLessThanOrEqual(6);
  }
});
