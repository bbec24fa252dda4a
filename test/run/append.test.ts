/** `pullRequest: append`: whole histories of a workflow whose pull request collects the changes. */
import { describe, expect, test } from 'vitest';
import { annotations, recordsOf } from '../support/action.ts';
import { type Exchange, reply, type ServiceOptions } from '../support/agent-service.ts';
import type { FakePullState, GitHubOptions } from '../support/github-service.ts';
import { cancellation } from '../support/in-process.ts';
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
  /** What becomes of the first pull request as soon as a message is accepted, and its commits. */
  readonly onMessage?: readonly [state: 'open' | 'merged' | 'closed', ...commits: string[]];
}

/** A history that begins with a pull request that agent job `job_1` opened for c2. */
async function begin({ service = {}, fail, onMessage }: Given = {}) {
  const pullStates: Record<string, FakePullState> = {};
  /** It was merged or closed just now. */
  const set = (number: number, state: 'open' | 'merged' | 'closed', ...given: string[]) => {
    const commits = given.length === 0 ? ['e1'] : given;
    const now = new Date(history.workflow.clock.date()).toISOString();
    pullStates[`acme/docs#${number}`] = {
      state: state === 'open' ? 'open' : 'closed',
      merged_at: state === 'merged' ? now : null,
      closed_at: state === 'open' ? null : now,
      head: { sha: commits.at(-1) ?? '', ref: `docs/${number}` },
      commits,
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
  docs.set(1, 'open', 'e1', 'e2');
  expect(second).toMatchObject({ outcome: 'no-changes', sent: ['c3'], warnings: [] });
  expect(second.result.outputs).toMatchObject({
    ...{ prOperation: '', prBranch: 'docs/1', jobId: 'job_1' },
  });
  expect(second.result.summary).toContain(
    '<th align="left">Pull request</th><td><a href="https://github.com/acme/docs/pull/1">acme/docs#1',
  );
  const isOpen = 'Your pull request https://github.com/acme/docs/pull/1 is open. Add to it';
  expect(second.result.summary).toContain(isOpen);
  const third = await docs.night('c5');
  expect(third.sent).toEqual(['c4', 'c5']);
  expect(docs.posts()).toEqual([MESSAGE, MESSAGE]);
  expect(third.requests.length).toBeLessThanOrEqual(14);
  // The step has seen what the agent added.
  docs.set(1, 'merged', 'e1', 'e2', 'e9');
  expect((await docs.night('c6')).sent).toEqual(['c6']);
  expect(docs.posts()).toEqual([MESSAGE, MESSAGE, CREATE]);
});

test.concurrent('a pull request that has changed is not said to be a new one', async () => {
  await using docs = await begin({ onMessage: ['open', 'e1', 'e2'] });
  const { result, outcome, run } = await docs.night('c3');
  expect(outcome).toBe('pull-request');
  expect(result.outputs['prOperation']).toBe('updated');
  expect((await docs.again(run)).result.outputs['prOperation']).toBe('updated');
  expect(result.summary).toContain('## ✅ Docs pull request updated');
  expect(annotations(result).at(-1)).toContain('`acme/docs#1` has changed since the message:');
  expect(result.stdout).toContain('Pull request `acme/docs#1` of agent job `job_1` is open.');
});

test.concurrent.each(['open', 'merged'] as const)(
  'a message whose agent job fails leaves its pull request, which is %s',
  async (state) => {
    const failed = { afterReads: 2, status: 'failed', prLink: linkOf };
    const service = { messageSchedule: [AT_WORK, failed] };
    await using docs = await begin({ service, onMessage: [state] });
    const { outcome, result } = await docs.night('c3');
    expect(outcome).toBe('failed');
    const said = annotations(result).at(-1) ?? '';
    const isLeft = '`acme/docs#1` stays open, and nothing more is added to it: ';
    expect(said.includes(isLeft)).toBe(state === 'open');
    expect(said.includes('open')).toBe(state === 'open');
  },
);

test.concurrent('a failed agent job leaves its open pull request also where the service no longer names it', async () => {
  const failed = { afterReads: 2, status: 'failed', prLink: null };
  await using docs = await begin({ service: { messageSchedule: [AT_WORK, failed] } });
  const { outcome, result, run } = await docs.night('c3');
  expect(outcome).toBe('failed');
  const isLeft = '`acme/docs#1` stays open, and nothing more is added to it';
  expect(annotations(result).at(-1)).toContain(isLeft);
  const next = await docs.night('c4');
  expect(next.sent).toEqual(['c3', 'c4']);
  expect(next.result.stdout).toContain(isLeft);
  expect(docs.posts()).toEqual([MESSAGE, CREATE]);
  // A newer run has these changes now.
  expect((await docs.again(run)).outcome).toBe('skipped');
});

test.concurrent('a failed agent job leaves the pull request that the message was for, whatever it returns', async () => {
  const failed = { afterReads: 2, status: 'failed', prLink: linkOf('job_5') };
  await using docs = await begin({ service: { messageSchedule: [AT_WORK, failed] } });
  const { result } = await docs.night('c3');
  expect(annotations(result).at(-1)).toContain('`acme/docs#1` may still be open');
  expect(result.outputs).toMatchObject({ prNumber: '5', prBranch: '' });
});

describe.concurrent('an agent job that ends without its link', () => {
  const pull = { prLink: linkOf('job_1'), prNumber: '1' };
  test.concurrent.each([
    { head: 'e1', outcome: 'no-changes', prOperation: '' },
    { head: 'e2', outcome: 'pull-request', prOperation: 'updated' },
  ])('as completed still has the pull request that the message was for, at $head', async (row) => {
    const { head, ...expected } = row;
    const status = 'completed';
    const messageSchedule = [AT_WORK, { afterReads: 2, status, prLink: null }];
    await using docs = await begin({ service: { messageSchedule }, onMessage: ['open', head] });
    const { result } = await docs.night('c3');
    expect(result.outputs).toMatchObject({ ...pull, ...expected });
    expect(annotations(result).join()).not.toMatch(/opened no pull request|has no pull request/);
  });

  test.concurrent.each([
    // One status covers all that the agent job got.
    { status: 'failed', sent: ['c2', 'c3'] },
    { status: 'archived', sent: ['c3'] },
  ])(
    'as $status has no output of a pull request at all, and a press sends $sent',
    async ({ status, sent }) => {
      const messageSchedule = [AT_WORK, { afterReads: 2, status, prLink: null }];
      await using docs = await begin({ service: { messageSchedule }, onMessage: ['open', 'e2'] });
      const { result, run } = await docs.night('c3');
      expect(result.outputs).toMatchObject({ prLink: '', prNumber: '', prBranch: '' });
      expect(annotations(result).at(-1)).toMatch(
        /To send the prompt again, press "Re-run \w+ jobs"/,
      );
      // Within 30 s of the message, an end may be the one before it.
      docs.workflow.clock.pass(60_000);
      expect((await docs.again(run)).sent).toEqual(sent);
    },
  );
});

test.concurrent('a docs repository that the token may not read is warned of once in each run', async () => {
  let isHidden = false;
  const fail = (path: string) =>
    isHidden && path.includes('/acme/docs/') ? { status: 404, body: {} } : undefined;
  await using docs = await begin({ fail });
  isHidden = true;
  const { warnings } = await docs.night('c3');
  expect(warnings.filter((text) => text.includes('does not show pull request'))).toHaveLength(1);
});

test.concurrent('a re-run counts from the message of attempt 1, and a pull request that has moved is certain', async () => {
  await using docs = await begin({
    service: { messageSchedule: [AT_WORK, { ...DONE, afterReads: 99 }] },
  });
  const { run } = await docs.night('c3', { inputs: UNWATCHED });
  docs.agent.finish('job_1');
  docs.set(1, 'open', 'e1', 'e2');
  docs.workflow.clock.pass(60_000);
  const before = docs.workflow.clock.now();
  const { outcome, sent, warnings, result } = await docs.again(run);
  expect({ outcome, sent, warnings }).toEqual({
    outcome: 'pull-request',
    sent: undefined,
    warnings: [],
  });
  expect(docs.workflow.clock.now() - before).toBeLessThan(10_000);
  expect(result.stdout).not.toContain('from before the message');
  expect(result.summary).toContain('sent by attempt 1 of this workflow run');
});

test.concurrent('a new agent job is created when the pull request of the last one is closed', async () => {
  await using docs = await begin();
  docs.set(1, 'closed');
  docs.set(2, 'open');
  const next = await docs.night('c3');
  expect(docs.posts()).toEqual([CREATE]);
  expect(next.result.outputs).toMatchObject({ prOperation: 'created', jobId: 'job_2' });
  expect(next.warnings).toEqual([]);
  const why = '`acme/docs#1` was closed without merging, so its changes count as documented.';
  expect(next.result.stdout).toContain(`${why} A new agent job is created.`);
  expect(next.result.summary).toContain(
    '<code>acme/docs#1</code> was closed without merging, so its changes count as documented.',
  );
});

describe.concurrent('the last agent job stays on record through', () => {
  test.concurrent.each([
    { promise: 'a skipped run', between: { paths: 'other/**' }, sent: ['c4'] },
    { promise: 'a run without a key', between: { adminApiKey: '' }, sent: ['c3', 'c4'] },
  ])('$promise', async ({ between, sent }) => {
    await using docs = await begin();
    await docs.night('c3', { inputs: between });
    const next = await docs.night('c4');
    expect(docs.posts()).toEqual([MESSAGE]);
    expect(next.sent).toEqual(sent);
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
    expect(annotations(result)).toContainEqual(
      expect.stringMatching(
        /^notice: .*`acme\/docs#1` stays open: merge or close it\. A new agent job was created instead\./,
      ),
    );
    expect(await docs.again(run)).toMatchObject({ outcome: 'pull-request', sent: undefined });
  });

  test.concurrent('409, and the create call fails as well, leaves the pull request as it was', async () => {
    let isDown = false;
    const intercept = ({ request, response }: Exchange) =>
      isDown && request.method === 'POST' && reply(response, 409, { error: 'no' });
    await using docs = await begin({ service: { intercept } });
    isDown = true;
    const { result, run } = await docs.night('c3');
    expect(annotations(result).join() + result.summary).not.toContain('merge or close it');
    isDown = false;
    expect((await docs.again(run)).sent).toEqual(['c3']);
    expect(docs.posts().at(-1)).toEqual(MESSAGE);
  });

  test.concurrent('404 while its agent job can be read fails the step, and a press sends it', async () => {
    let isDown = true;
    await using docs = await begin({ service: refusing(404, () => isDown) });
    const { outcome, run, result } = await docs.night('c3');
    expect(outcome).toBe('error');
    expect(annotations(result).at(-1)).toContain('the service still shows agent job `job_1`');
    expect(docs.posts()).toEqual([MESSAGE]);
    isDown = false;
    expect((await docs.again(run)).sent).toEqual(['c3']);
    expect(docs.posts()).toEqual([MESSAGE, MESSAGE]);
  });

  test.concurrent('404 is followed by one create call once reads got it for 30 s', async () => {
    const service = refusing(404);
    const intercept = (exchange: Exchange) => {
      if (isMessage(exchange)) docs.fates.set('job_1', 'gone');
      return service.intercept?.(exchange) ?? false;
    };
    await using docs = await begin({ service: { intercept } });
    const before = docs.workflow.clock.now();
    await docs.night('c3');
    expect(docs.posts()).toEqual([MESSAGE, CREATE]);
    expect(docs.workflow.clock.now() - before).toBeGreaterThanOrEqual(30_000);
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
    expect(closing).toContain('may have accepted the request');
    expect(closing).toContain('press "Re-run failed jobs", and once more if');
    expect(closing).not.toContain('creates no second one');
    isDown = false;
    expect(await docs.again(run)).toMatchObject({ outcome: 'error', sent: undefined });
    expect((await docs.again(run)).sent).toEqual(['c3']);
    expect(docs.posts()).toEqual([MESSAGE, MESSAGE]);
  });
});

const HOUR = 60 * 60_000;
/** The step ends before the agent does. */
const UNWATCHED = { timeout: '31s', pollInterval: '10m' };

describe.concurrent('a pull request that is merged while the agent is at work', () => {
  test.concurrent('fails the step, and the next run sends those changes anew', async () => {
    await using docs = await begin({ onMessage: ['merged', 'e1'] });
    const { outcome, result, run } = await docs.night('c3');
    expect(outcome).toBe('error');
    const closing = annotations(result).at(-1);
    expect(closing).toContain(
      '`acme/docs#1` was merged before the agent was seen to finish, so what',
    );
    expect(closing).toContain(
      'To send these changes again, press "Re-run failed jobs", or wait for the next run.',
    );
    expect(recordsOf(result).at(-1)).toMatch(/ added=missed end$/);
    expect((await docs.night('c4')).sent).toEqual(['c3', 'c4']);
    expect(docs.posts()).toEqual([MESSAGE, CREATE]);
    expect((await docs.again(run)).outcome).toBe('skipped');
  });

  test.concurrent('fails the step even when the agent had pushed by then', async () => {
    await using docs = await begin({ onMessage: ['merged', 'e1', 'e2'] });
    const { outcome, run } = await docs.night('c3');
    expect(outcome).toBe('error');
    expect(await docs.again(run)).toMatchObject({ outcome: 'pull-request', sent: ['c3'] });
    expect(docs.posts()).toEqual([MESSAGE, CREATE]);
  });

  test.concurrent('fails the step also when the end was read next', async () => {
    await using docs = await begin();
    // Read `active` after 10 s, and `completed` after 20 s.
    docs.workflow.clock.after(12_000, () => docs.set(1, 'merged', 'e1'));
    expect(await docs.night('c3')).toMatchObject({ outcome: 'error', sent: ['c3'] });
    expect((await docs.night('c4')).sent).toEqual(['c3', 'c4']);
    expect(docs.posts()).toEqual([MESSAGE, CREATE]);
  });

  test.concurrent('fails a step behind a newer run, and no next run is promised to send it', async () => {
    await using docs = await begin({ onMessage: ['merged'] });
    const late = docs.workflow.begin('c4');
    await docs.night('c3', { inputs: { paths: 'docs/**' } });
    const closing = annotations((await docs.step(late)).result).at(-1);
    expect(closing).toContain('was merged before the agent was seen to finish');
    expect(closing).not.toContain('next run');
  });

  test.concurrent('is noticed by the next run when the step has timed out', async () => {
    const messageSchedule = [AT_WORK, { ...DONE, afterReads: 3 }];
    await using docs = await begin({ onMessage: ['merged'], service: { messageSchedule } });
    expect((await docs.night('c3', { inputs: UNWATCHED })).outcome).toBe('timed-out');
    docs.agent.finish('job_1');
    docs.workflow.clock.pass(60_000);
    expect((await docs.night('c4')).sent).toEqual(['c3', 'c4']);
    expect(docs.posts()).toEqual([MESSAGE, CREATE]);
  });
});

describe.concurrent('a message that nobody waited for is judged by the next run: with its pull request', () => {
  test.concurrent.each<{
    promise: string;
    pull: readonly [state: 'open' | 'merged' | 'closed', ...commits: string[]];
    /** How long after the message, in ms. */
    after: number;
    /** What the next run sends. */
    sent: readonly string[];
  }>([
    {
      promise: 'merged soon, it may be missed, whoever pushed by then',
      pull: ['merged', 'e1', 'e2'],
      after: 60_000,
      sent: ['c3', 'c4'],
    },
    {
      promise: 'merged hours later with nothing of its own, the agent had nothing to add',
      pull: ['merged', 'e1'],
      after: 3 * HOUR,
      sent: ['c4'],
    },
    {
      promise: 'closed hours later with nothing of its own, the agent had nothing to add',
      pull: ['closed', 'e1'],
      after: 3 * HOUR,
      sent: ['c4'],
    },
    {
      promise: 'closed soon with nothing of its own, it is missed',
      pull: ['closed', 'e1'],
      after: 60_000,
      sent: ['c3', 'c4'],
    },
    {
      promise: 'open with a new head, it is covered',
      pull: ['open', 'e1', 'e2'],
      after: 60_000,
      sent: ['c4'],
    },
  ])('$promise', async ({ pull, after, sent }) => {
    await using docs = await begin();
    await docs.night('c3', { inputs: UNWATCHED });
    docs.agent.finish('job_1');
    docs.workflow.clock.pass(after);
    docs.set(1, ...pull);
    docs.workflow.clock.pass(60_000);
    expect((await docs.night('c4')).sent).toEqual(sent);
  });
});

test.concurrent('an addition that is not certain stays on record until it is', async () => {
  await using docs = await begin();
  await docs.night('c3', { inputs: UNWATCHED });
  docs.agent.finish('job_1');
  docs.workflow.clock.pass(60_000);
  const next = await docs.night('c4', { inputs: UNWATCHED });
  expect(next.sent).toEqual(['c4']);
  expect(recordsOf(next.result).at(-1)).toMatch(/ open=job_1@c2@1:e1@\d+ .* added=1:e1@\d+ end$/);
  docs.agent.finish('job_1');
  docs.set(1, 'closed', 'e1');
  docs.workflow.clock.pass(60_000);
  expect((await docs.night('c5')).sent).toEqual(['c3', 'c4', 'c5']);
});

test.concurrent.each([
  { promise: 'has a new commit on top', commits: ['e1', 'e2'], warnings: [] },
  { promise: 'was rewritten', commits: ['d1', 'd2'], warnings: ['no longer contains `e1`'] },
])('the step that saw the end looks whether the branch $promise', async ({ commits, warnings }) => {
  await using docs = await begin({ onMessage: ['open', ...commits] });
  const { result, outcome, warnings: titles } = await docs.night('c3');
  expect(outcome).toBe('pull-request');
  expect(titles).toEqual(warnings.map((title) => expect.stringContaining(title)));
  const compare = 'https://github.com/acme/docs/compare/d2...e1';
  expect(annotations(result).join().includes(compare)).toBe(warnings.length > 0);
  expect(result.summary.includes(compare)).toBe(warnings.length > 0);
});

test.concurrent('one 404 from a proxy opens no second pull request', async () => {
  let isHit = false;
  const intercept = ({ request, response }: Exchange) => {
    if (!isHit || request.method !== 'GET') return false;
    isHit = false;
    return reply(response, 404, 'Not found');
  };
  await using docs = await begin({ service: { intercept } });
  docs.workflow.clock.pass(60_000);
  isHit = true;
  expect((await docs.night('c3')).sent).toEqual(['c3']);
  expect(docs.posts()).toEqual([MESSAGE]);
});

test.concurrent('an agent job that comes back with another pull request has covered the message', async () => {
  const messageSchedule = [AT_WORK, { ...DONE, prLink: 'https://github.com/acme/docs/pull/9' }];
  await using docs = await begin({ onMessage: ['merged'], service: { messageSchedule } });
  docs.set(9, 'open', 'f1');
  const { outcome, result } = await docs.night('c3');
  expect(outcome).toBe('pull-request');
  expect(result.outputs).toMatchObject({ prNumber: '9', prOperation: 'created' });
  expect((await docs.night('c4')).sent).toEqual(['c4']);
});

describe.concurrent('the last agent job that is still at work', () => {
  /** It ends with a pull request some time after its call. */
  const endsAfter = (ms: number): ServiceOptions => ({
    schedule: [AT_WORK, { afterReads: 2, status: 'completed', prLink: linkOf }],
    messageSchedule: [
      AT_WORK,
      { afterReads: 1 + ms / 10_000, status: 'completed', prLink: linkOf },
    ],
  });

  test.concurrent('is waited for, and then gets the prompt', async () => {
    await using docs = await begin({ service: endsAfter(120_000) });
    await docs.night('c3', { inputs: UNWATCHED });
    docs.workflow.clock.pass(60_000);
    const next = await docs.night('c4');
    expect(next.result.stdout).toContain(
      'Waiting for agent job `job_1`, the last one of this step',
    );
    expect(next).toMatchObject({ outcome: 'no-changes', sent: ['c4'] });
    expect(docs.posts()).toEqual([MESSAGE, MESSAGE]);
    // They are looked for once, after the wait.
    expect(next.result.stdout.match(/^Changes: .*$/gm)).toHaveLength(1);
  });

  test.concurrent('and fails in that wait has its changes sent with the next ones', async () => {
    await using docs = await begin({ service: endsAfter(HOUR) });
    await docs.night('c3', { inputs: UNWATCHED });
    docs.workflow.clock.after(120_000, () => docs.fates.set('job_1', 'failed'));
    docs.workflow.clock.pass(60_000);
    const next = await docs.night('c4');
    expect(next.sent).toEqual(['c3', 'c4']);
    expect(docs.posts()).toEqual([MESSAGE, CREATE]);
    expect(next.result.stdout.match(/^Changes: \d+/gm)).toEqual(['Changes: 2']);
  });

  test.concurrent('for over half of `timeout` ends the step, nothing is sent, and a press sends it', async () => {
    await using docs = await begin({ service: endsAfter(HOUR) });
    await docs.night('c3', { inputs: UNWATCHED });
    docs.workflow.clock.pass(60_000);
    const before = docs.workflow.clock.now();
    const late = await docs.night('c4', { inputs: { timeout: '10m' } });
    expect(docs.workflow.clock.now() - before).toBeLessThanOrEqual(5 * 60_000 + 5_000);
    expect(late).toMatchObject({ outcome: 'timed-out', sent: undefined });
    expect(late.result.exitCode).toBe(1);
    expect(late.result.outputs['jobId']).toBe('');
    const closing = annotations(late.result).at(-1);
    expect(closing).toContain(
      'Agent job `job_1`, the last one of this step, did not end within 5 min',
    );
    expect(closing).toContain(
      'To send these changes, press "Re-run failed jobs", or wait for the next run.',
    );
    expect(recordsOf(late.result)).toEqual([expect.stringMatching(/job=todo .* from=c3 to=c4 /)]);
    docs.agent.finish('job_1');
    docs.set(1, 'open', 'e1', 'e2');
    expect((await docs.again(late.run)).sent).toEqual(['c4']);
    expect(docs.posts()).toEqual([MESSAGE, MESSAGE]);
  });

  test.concurrent('and fails after that has its changes sent by the press as well', async () => {
    await using docs = await begin({ service: endsAfter(HOUR) });
    await docs.night('c3', { inputs: UNWATCHED });
    docs.workflow.clock.pass(60_000);
    const late = await docs.night('c4', { inputs: { timeout: '10m' } });
    expect(late).toMatchObject({ outcome: 'timed-out', sent: undefined });
    docs.fates.set('job_1', 'failed');
    const again = await docs.again(late.run);
    expect(again.sent).toEqual(['c3', 'c4']);
    expect(again.result.summary).toContain('Agent job job_1 failed on some of these');
    docs.set(2, 'open');
    expect((await docs.night('c5')).sent).toEqual(['c5']);
  });

  test.concurrent('and fails gives its place to the one that a re-run of its own run created', async () => {
    await using docs = await begin({ service: endsAfter(HOUR) });
    const first = await docs.night('c3', { inputs: UNWATCHED });
    const second = await docs.night('c4');
    docs.fates.set('job_1', 'failed');
    docs.set(2, 'open');
    expect((await docs.again(first.run)).sent).toEqual(['c2', 'c3']);
    expect((await docs.again(second.run)).sent).toEqual(['c4']);
    expect(docs.posts()).toEqual([MESSAGE, CREATE, 'POST job/job_2/message']);
  });

  test.concurrent('promises nothing of the next run under `since: auto`', async () => {
    await using docs = await begin({ service: endsAfter(HOUR) });
    await docs.night('c3', { inputs: UNWATCHED });
    docs.workflow.clock.pass(60_000);
    const inputs = { timeout: '10m', since: 'auto' };
    const late = await docs.push(4, { inputs });
    expect(late.outcome).toBe('timed-out');
    const closing = annotations(late.result).at(-1);
    expect(closing).toContain('To send these changes, press "Re-run failed jobs".');
    expect(closing).not.toContain('next run');
  });

  test.concurrent('2 h after its last call is waited for as well: a person may have sent it something', async () => {
    await using docs = await begin({ service: endsAfter(120_000) });
    await docs.night('c3', { inputs: UNWATCHED });
    docs.workflow.clock.pass(5 * HOUR);
    expect((await docs.night('c4')).sent).toEqual(['c4']);
    expect(docs.posts()).toEqual([MESSAGE, MESSAGE]);
  });

  test.concurrent('2 h after its last call is waited for 5 min: a new one is created, and a notice names the other', async () => {
    await using docs = await begin({ service: endsAfter(10 * HOUR) });
    await docs.night('c3', { inputs: UNWATCHED });
    docs.workflow.clock.pass(2 * HOUR + 60_000);
    const before = docs.workflow.clock.now();
    const next = await docs.night('c4');
    expect(next.result.stdout).toContain('Checking every 10 s, for up to 5 min.');
    // The new one is waited for as well.
    expect(docs.workflow.clock.now() - before).toBeLessThan(6 * 60_000);
    expect(next.sent).toEqual(['c4']);
    expect(docs.posts()).toEqual([MESSAGE, CREATE]);
    const notices = annotations(next.result).filter((text) => text.startsWith('notice'));
    expect(notices[0]).toContain('The last agent job `job_1` was still running');
    expect(notices[0]).toContain('It may open a pull request of its own.');
  });

  // One status serves both messages, so the second one would hide that the first one failed.
  test.concurrent('within 30 s of a message, though it still reads as ended, is waited for as well', async () => {
    const { cancel, signal } = cancellation();
    const intercept = (exchange: Exchange) => {
      if (isMessage(exchange)) cancel();
      return false;
    };
    await using docs = await begin({ service: { intercept } });
    const { workflow, fates } = docs;
    fates.set('job_1', 'completed');
    docs.links.set('job_1', linkOf('job_1'));
    const cancelled = workflow.begin('c3', 'schedule');
    expect(await docs.step(cancelled, {}, { signal })).toMatchObject({
      ...{ outcome: 'cancelled', sent: ['c3'] },
    });
    cancelled.complete();
    workflow.clock.after(20_000, () => fates.set('job_1', 'active'));
    workflow.clock.after(60_000, () => fates.set('job_1', 'failed'));
    workflow.clock.pass(10_000);
    const next = await docs.night('c4');
    expect(next.result.stdout).toContain(
      'Waiting for agent job `job_1`, the last one of this step',
    );
    expect(next.sent).toEqual(['c3', 'c4']);
    expect(docs.posts()).toEqual([MESSAGE, CREATE]);
  });

  test.concurrent('skips a step that has nothing to send, also if it does not end in time', async () => {
    await using docs = await begin({ service: endsAfter(HOUR) });
    await docs.night('c3', { inputs: UNWATCHED });
    docs.workflow.clock.pass(60_000);
    const inputs = { paths: 'docs/**', timeout: '2m' };
    expect((await docs.night('c4', { inputs })).outcome).toBe('skipped');
  });

  test.concurrent('is not waited for by a dry run', async () => {
    await using docs = await begin({ service: endsAfter(HOUR) });
    await docs.night('c3', { inputs: UNWATCHED });
    docs.workflow.clock.pass(60_000);
    const before = docs.workflow.clock.now();
    const dry = await docs.night('c5', { inputs: { dryRun: 'true' } });
    expect(dry.outcome).toBe('dry-run');
    expect(docs.workflow.clock.now()).toBe(before);
  });
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

test.concurrent.each([
  { what: 'reads no changes', inputs: { changes: 'none', paths: '', since: '' } },
  { what: 'only selects them', inputs: { changes: 'none' } },
])('a message that $what says that the pull request is open as well', async ({ inputs }) => {
  await using docs = await begin();
  const { result } = await docs.night('c3', { inputs });
  expect(docs.posts()).toEqual([MESSAGE]);
  expect(result.summary).toContain(
    'Your pull request https://github.com/acme/docs/pull/1 is open. Add to it; open no other.\nOthers may have pushed',
  );
  expect(result.summary).not.toContain('what these changes need');
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

test.concurrent('skipped runs before the first agent job do not add up to more and more requests', async () => {
  await using history = await startHistory();
  const inputs = { pullRequest: 'append', paths: 'docs/**', since: 'auto', wait: 'true' };
  for (const n of [2, 3, 4, 5, 6]) {
    const night = await history.push(n, { inputs });
    expect(night.outcome).toBe('skipped');
    expect(night.requests.length).toBeLessThanOrEqual(6);
  }
});
