/**
 * Histories of a workflow under `last-success`, one of each kind. Each run gets what the runs before
 * it printed, as GitHub keeps it. Random ones: random.test.ts.
 */
import { describe, expect, test } from 'vitest';
import { annotations, recordsOf } from '../../support/action.ts';
import {
  commitsInLine,
  type HistoryOptions,
  type StepOptions,
  startHistory,
} from '../../support/workflow-run.ts';

const TYPED: StepOptions = { inputs: { since: 'auto' } };

/** A history whose first night has only begun to count, at c1. */
async function begin(options?: HistoryOptions) {
  const history = await startHistory(options);
  const night = await history.night('c1');
  expect(night).toMatchObject({ outcome: 'skipped', sent: undefined, warnings: [] });
  return history;
}

/** A history in which c2 went to the agent job `job_1`. */
async function beginWithJob(fate?: string) {
  const history = await startHistory();
  const { run, ...night } = await history.push(2);
  expect(night).toMatchObject({ outcome: 'started', sent: ['c2'] });
  if (fate !== undefined) history.fates.set('job_1', fate);
  return { ...history, run };
}

test.concurrent('the first night sends nothing, the next one starts there, and an idle night buys nothing', async () => {
  await using history = await begin();
  const second = await history.night('c3');
  expect(second).toMatchObject({ outcome: 'started', sent: ['c2', 'c3'], warnings: [] });
  history.fates.set('job_1', 'completed');
  const idle = await history.night('c3');
  expect(idle).toMatchObject({ outcome: 'skipped', sent: undefined, warnings: [] });
  expect(annotations(idle.result)).toHaveLength(1);
  expect(recordsOf(idle.result)[0]).toMatch(/job=none .* from=\w+ to=\w+ end$/);
  expect((await history.night('c4')).sent).toEqual(['c4']);
});

test.concurrent('an agent job that was at work for several nights and then failed has all since its start sent again', async () => {
  await using history = await beginWithJob();
  await history.night('c3');
  history.fates.set('job_2', 'completed');
  expect((await history.night('c4')).sent).toEqual(['c4']);
  history.fates.set('job_1', 'failed');
  history.fates.set('job_3', 'completed');
  expect((await history.night('c5')).sent).toEqual(['c2', 'c3', 'c4', 'c5']);
  history.fates.set('job_4', 'completed');
  expect((await history.night('c6')).sent).toEqual(['c6']);
});

test.concurrent('a re-run sends its own part again, and what failed before that', async () => {
  await using history = await beginWithJob();
  const { run, sent } = await history.night('c3');
  expect(sent).toEqual(['c3']);
  history.fates.set('job_1', 'failed');
  history.fates.set('job_2', 'failed');
  const again = await history.again(run);
  expect(again.sent).toEqual(['c2', 'c3']);
  expect(again.result.summary).toContain('Agent job job_1 failed on some of these');
  history.fates.set('job_3', 'completed');
  expect((await history.night('c4')).sent).toEqual(['c4']);
});

// A newer run may have overtaken it meanwhile, so that no later run looks at it.
test.concurrent('a re-run that follows waits for the end, whatever `wait` says', async () => {
  await using history = await beginWithJob();
  const inputs = { timeout: '1m', pollInterval: '30s' };
  const again = await history.again(history.run, { inputs });
  expect(again).toMatchObject({ outcome: 'timed-out', sent: undefined });
});

describe.concurrent('the first run of a history fails', () => {
  test.concurrent.each<{ promise: string; inputs?: Record<string, string> }>([
    { promise: 'on the key', inputs: { adminApiKey: 'mint_wrong_0123456789' } },
    { promise: 'on a missing key', inputs: { adminApiKey: '' } },
    { promise: 'on `paths`', inputs: { paths: '- src' } },
    { promise: 'on GitHub' },
  ])('$promise, and the next good run sends its changes too', async ({ inputs }) => {
    let isDown = inputs === undefined;
    const isHit = (path: string) => isDown && /compare|actions/.test(path);
    const fail = (path: string) => (isHit(path) ? { status: 500 } : undefined);
    await using history = await startHistory({ github: { fail } });
    const failed = await history.push(2, inputs && { inputs });
    expect(failed.outcome).toBe('error');
    expect(recordsOf(failed.result)).toEqual([expect.stringContaining('job=todo')]);
    isDown = false;
    expect((await history.push(3)).sent).toEqual(['c2', 'c3']);
  });
});

describe.concurrent('a run that a newer one has overtaken', () => {
  test.concurrent('in its first attempt is skipped', async () => {
    await using history = await beginWithJob('completed');
    const late = history.workflow.begin('c3', 'push');
    expect((await history.push(4)).sent).toEqual(['c3', 'c4']);
    const skipped = await history.step(late, { event: { before: 'c2' } });
    expect(skipped.outcome).toBe('skipped');
    expect(annotations(skipped.result)[0]).toContain(
      'run #3 of this workflow is newer and has them',
    );
    expect(recordsOf(skipped.result)[0]).not.toMatch(/ (from|to)=/);
    expect(skipped.result.summary).not.toMatch(/Not known|Changes/);
    late.complete();
    history.fates.set('job_2', 'failed');
    expect((await history.push(5)).sent).toEqual(['c3', 'c4', 'c5']);
  });

  test.concurrent('and that has other changes waits for its agent job, whatever `wait` says', async () => {
    await using history = await beginWithJob('completed');
    const late = history.workflow.begin('c3', 'push');
    await history.push(4, { inputs: { since: 'c3' } });
    const inputs = { timeout: '1m', pollInterval: '30s' };
    const sent = await history.step(late, { event: { before: 'c2' }, inputs });
    expect(sent).toMatchObject({ outcome: 'timed-out', sent: ['c3'] });
    expect(sent.result.stdout).toContain('Later runs may not look at this one');
  });

  test.concurrent('leaves its changes to that one when it is run again', async () => {
    await using history = await beginWithJob('failed');
    expect((await history.night('c3')).sent).toEqual(['c2', 'c3']);
    expect(await history.again(history.run)).toMatchObject({ outcome: 'skipped', sent: undefined });
    history.fates.set('job_2', 'completed');
    expect((await history.night('c4')).sent).toEqual(['c4']);
  });
});

test.concurrent('an older run that is still at work stops the step, which names the `concurrency` lines', async () => {
  await using history = await begin();
  const older = history.workflow.begin('c2', 'schedule');
  older.jobOf('docs');
  const night = await history.night('c3');
  expect(night).toMatchObject({ outcome: 'error', sent: undefined });
  const error = annotations(night.result).at(-1);
  expect(error).toContain('workflow job `docs` of run #2 is still running');
  expect(error).toContain('concurrency:');
  expect((await history.step(older)).sent).toEqual(['c2']);
  older.complete();
  expect((await history.night('c4')).sent).toEqual(['c3', 'c4']);
});

test.concurrent('a stop says what it is and what helps, and one run with a named start goes on', async () => {
  await using history = await beginWithJob();
  history.run.rewrite('docs', (text) => text.replace(/key=\w{8}/, 'key=***'));
  const stopped = await history.push(3);
  expect(stopped).toMatchObject({ outcome: 'error', sent: undefined });
  const error = annotations(stopped.result).at(-1);
  expect(error).toMatch(
    /^error: No prompt was sent, because .* cannot be read: .* a record was cut or masked/,
  );
  expect(error).toContain(
    'start a new run with `dryRun: false` and `since` set to the commit before',
  );
  const named = await history.push(4, { inputs: { since: 'c2' } });
  expect(named.sent).toEqual(['c3', 'c4']);
  expect(named.requests.filter((path) => /actions|check-runs/.test(path))).toEqual([]);
  history.fates.set('job_2', 'completed');
  expect((await history.push(5)).sent).toEqual(['c5']);
});

test.concurrent('a workflow job that a re-run of another one carried over stops nothing', async () => {
  await using history = await beginWithJob('completed');
  const { run } = history;
  const failed = { conclusion: 'failure', completed_at: '2026-01-01T00:00:00Z' };
  run.list('docs', failed);
  run.next();
  run.jobOf('docs');
  run.complete();
  run.list('docs', failed);
  expect((await history.push(3)).sent).toEqual(['c3']);
});

test.concurrent('a workflow job that `if:` skipped stops nothing, and GitHub is not asked for its annotations', async () => {
  const isOfSkipped = (path: string) => path.includes('/check-runs/2/');
  const fail = (path: string) => (isOfSkipped(path) ? { status: 404 } : undefined);
  await using history = await startHistory({ github: { fail } });
  await history.push(2);
  history.fates.set('job_1', 'completed');
  const skipped = history.workflow.begin('c3', 'push');
  skipped.list('docs', { conclusion: 'skipped' });
  skipped.complete();
  const next = await history.push(4);
  expect(next).toMatchObject({ outcome: 'started', sent: ['c3', 'c4'] });
  expect(next.requests.filter(isOfSkipped)).toEqual([]);
});

/** The commits c2 and f1 of the branch `feature`, which begins at c1. c3 merges it into main. */
const FEATURE = [
  ...commitsInLine(['c1', 'c2', 'f1', 'f2']),
  { sha: 'c3', parents: ['c1', 'f1'], message: 'c3', files: [] },
];
const FIRST_PUSH = {
  before: '0'.repeat(40),
  repository: { default_branch: 'main' },
  commits: [{ id: 'c2' }, { id: 'f1' }],
};

describe.concurrent('the first push of a branch whose run fails before it knows its changes', () => {
  test.concurrent.each([
    { promise: 'reaches the next run', main: 'c1' },
    { promise: 'reaches the next run when the branch was merged meanwhile', main: 'c3' },
  ])('$promise', async ({ main }) => {
    let isDown = true;
    const fail = (path: string) =>
      isDown && path.includes('compare') ? { status: 500 } : undefined;
    const refs = { main };
    await using history = await startHistory({ github: { commits: FEATURE, refs, fail } });
    const first = history.workflow.begin('f1', 'push', 'feature');
    const failed = await history.step(first, { event: FIRST_PUSH });
    first.complete();
    expect(failed.outcome).toBe('error');
    expect(recordsOf(failed.result)).toEqual([expect.stringMatching(/ begin=c2\^ end$/)]);
    isDown = false;
    const second = history.workflow.begin('f2', 'push', 'feature');
    expect((await history.step(second, { event: { before: 'f1' } })).sent).toEqual([
      'c2',
      'f1',
      'f2',
    ]);
  });

  test.concurrent('without commits of its own begins at its head', async () => {
    await using history = await startHistory({
      github: { commits: FEATURE, refs: { main: 'c1' } },
    });
    const first = history.workflow.begin('f1', 'push', 'feature');
    const inputs = { adminApiKey: '' };
    const failed = await history.step(first, { event: { ...FIRST_PUSH, commits: [] }, inputs });
    expect(recordsOf(failed.result)).toEqual([expect.stringMatching(/ begin=f1 end$/)]);
  });
});

test.concurrent('a step under a new name warns when this workflow has earlier runs on this branch', async () => {
  await using history = await beginWithJob('failed');
  const renamed = await history.push(3, { job: 'documentation', key: 'documentation' });
  expect(renamed.sent).toEqual(['c3']);
  expect(renamed.warnings).toEqual([
    expect.stringMatching(
      /in 1 earlier run of this workflow on this branch, 1 of them without this workflow job\. What they did not send is not sent\. To send earlier changes, start a new run with `dryRun: false` and `since` set to /,
    ),
  ]);
});

test.concurrent('annotations that GitHub has forgotten count as no record, and recent ones that it hides as doubt', async () => {
  let isHidden = false;
  const fail = (path: string) =>
    isHidden && /check-runs\/1\//.test(path) ? { status: 404 } : undefined;
  await using history = await startHistory({ github: { fail } });
  await history.push(2);
  isHidden = true;
  history.workflow.clock.pass(23 * 60 * 60_000);
  expect((await history.push(3)).outcome).toBe('error');
  history.workflow.clock.pass(2 * 60 * 60_000);
  expect((await history.push(4)).sent).toEqual(['c3', 'c4']);
});

test.concurrent('a run in progress is waited for up to 2 min', async () => {
  await using history = await beginWithJob('completed');
  const { workflow } = history;
  const older = workflow.begin('c3', 'push');
  older.jobOf('docs');
  workflow.clock.after(110_000, () => older.complete());
  expect((await history.push(4)).sent).toEqual(['c3', 'c4']);
});

test.concurrent('each of two legs of a matrix has its own history', async () => {
  await using history = await startHistory();
  const { workflow, step } = history;
  const one = { job: 'docs (a)', matrix: { os: 'a' } };
  const two = { job: 'docs (b)', matrix: { os: 'b' } };
  const first = workflow.begin('c1', 'schedule');
  for (const leg of [one, two]) await step(first, leg);
  first.complete();
  const second = workflow.begin('c2', 'schedule');
  expect((await step(second, one)).sent).toEqual(['c2']);
  second.complete();
  const third = workflow.begin('c3', 'schedule');
  expect((await step(third, one)).sent).toEqual(['c3']);
  expect((await step(third, two)).sent).toEqual(['c2', 'c3']);
});

test.concurrent('a dispatch with nothing to start from is skipped with a warning, and the next starts there', async () => {
  await using history = await startHistory();
  const night = (sha: string) => history.night(sha, TYPED, 'workflow_dispatch');
  const first = await night('c2');
  expect(first).toMatchObject({ outcome: 'skipped', sent: undefined });
  expect(first.warnings).toEqual([expect.stringContaining('There is nothing to start from')]);
  expect(first.warnings.join()).toContain('start another run');
  // Doing just that sends the prompt.
  const again = await night('c2');
  expect(again).toMatchObject({ outcome: 'started', sent: [], warnings: [] });
  expect(await night('c3')).toMatchObject({ sent: ['c3'], warnings: [] });
  expect(await night('c3')).toMatchObject({ outcome: 'started', sent: [] });
});

test.concurrent('a force push sends what is left since the common commit', async () => {
  const commits = [...commitsInLine(['c1', 'c2']), ...commitsInLine(['c1', 'd2', 'd3'])];
  await using history = await begin({ github: { commits } });
  await history.night('c2');
  expect((await history.night('d3')).sent).toEqual(['d2', 'd3']);
});

test.concurrent('in the steady state it costs GitHub at most 14 requests, and a push under `auto` two', async () => {
  await using history = await beginWithJob('completed');
  const night = await history.night('c3');
  expect(night.sent).toEqual(['c3']);
  expect(night.requests.length).toBeLessThanOrEqual(14);
  const pushed = await history.push(4, TYPED);
  expect(pushed.requests).toEqual([expect.stringContaining('/compare/'), '/graphql']);
});

// https://github.com/cli/cli/issues/9228
test.concurrent('a workflow that a ruleset brings from another repository is not told as a missing permission', async () => {
  const fail = (path: string) =>
    /\/actions\/workflows\/7\/runs/.test(path) ? { status: 404 } : undefined;
  await using history = await startHistory({ github: { fail } });
  const { outcome, result } = await history.push(2);
  expect(outcome).toBe('error');
  expect(annotations(result).at(-1)).toContain(
    'No prompt was sent, because GitHub lists no runs of this workflow in `acme/app` (HTTP 404), as for a workflow that a ruleset brings from another repository. Set `since: auto` in that workflow.',
  );
  // Doing just that sends the changes.
  expect((await history.push(3, { inputs: { since: 'auto' } })).sent).toEqual(['c3']);
});

const SIX = commitsInLine(['c1', 'c2', 'c3', 'c4', 'c5', 'c6']);

describe.concurrent('where GitHub never compares what a run needs, doing what the error says', () => {
  /** The pushes c2 and c3, where GitHub fails to compare up to c3. */
  async function stopped(inputs: Readonly<Record<string, string>>) {
    const fail = (path: string) =>
      /\/compare\/.*\.\.\.c3\?/.test(path)
        ? { status: 422, body: { message: 'Sorry', errors: [{ code: 'not_available' }] } }
        : undefined;
    const history = await startHistory({ github: { commits: SIX, fail } });
    await history.push(2, { inputs });
    history.fates.set('job_1', 'completed');
    const failed = await history.push(3, { inputs });
    expect(failed.outcome).toBe('error');
    return { history, says: annotations(failed.result).at(-1) ?? '' };
  }

  test.concurrent('leaves its changes behind for good, where records say the start', async () => {
    const { history, says } = await stopped({});
    await using _ = history;
    const since = /To leave these changes behind instead, .*`since` set to `(\w+)`/.exec(says)?.[1];
    const inputs = { since: since ?? '', dryRun: 'false' };
    const typed = await history.night('c5', { inputs }, 'workflow_dispatch');
    expect(typed.sent).toEqual(['c4', 'c5']);
    expect((await history.push(6)).sent).toEqual(['c6']);
  });

  test.concurrent('is nothing, where each event has its own start', async () => {
    const { history, says } = await stopped({ since: 'auto' });
    await using _ = history;
    expect(says).toContain('Later events start at their own changes and do not need these');
    expect((await history.push(4, { inputs: { since: 'auto' } })).sent).toEqual(['c4']);
  });
});

test.concurrent('a start on record that is gone stops each run until a person names another one', async () => {
  let isGone = false;
  const fail = (path: string) =>
    isGone && /\/(?:compare|commits|tags)\/c2\b/.test(path) ? { status: 404 } : undefined;
  await using history = await startHistory({ github: { commits: SIX, fail } });
  await history.push(2);
  history.fates.set('job_1', 'completed');
  isGone = true;
  const gone = await history.push(3);
  const says = annotations(gone.result).at(-1) ?? '';
  expect(says).toContain('GitHub no longer has `c2`, where the changes of this run start');
  expect((await history.push(4)).outcome).toBe('error');
  // The error names the commit that leaves all of it behind.
  const since = /or to `(\w+)` to leave all of them behind/.exec(says)?.[1] ?? '';
  const typed = await history.night('c5', { inputs: { since } }, 'workflow_dispatch');
  expect(typed.sent).toEqual(['c4', 'c5']);
  expect((await history.push(6)).sent).toEqual(['c6']);
});

test.concurrent.each(['auto', 'last-success'])(
  'an event that is about no change starts where earlier runs ended under `%s`',
  async (since) => {
    await using history = await startHistory();
    const options = { inputs: { since } };
    expect((await history.night('c2', options, 'issue_comment')).outcome).toBe('skipped');
    expect((await history.night('c4', options, 'check_suite')).sent).toEqual(['c3', 'c4']);
  },
);
