/**
 * Whole histories of a workflow under `last-success`. Each run gets what the runs before it printed,
 * as GitHub keeps it. In each history every change reaches an agent job, and none is sent twice
 * unless the agent job that had it failed.
 */
import { afterAll, describe, expect, test } from 'vitest';
import { once } from '../../../src/lib/once.ts';
import { first, PR_LINK, type ServiceOptions } from '../../support/agent-service.ts';
import { GitRepository } from '../../support/git-repository.ts';
import type { GitHubOptions } from '../../support/github-service.ts';
import { noGit, noSignals, skipWhen } from '../../support/system.ts';
import { commitsInLine, History, type StepOptions } from '../../support/workflow-run.ts';

skipWhen(noGit);

// Without git every test here is skipped.
const commits = noGit === undefined ? commitsInLine(9) : (undefined as never);
afterAll(() => commits?.[Symbol.dispose]());

const start = (github?: Partial<GitHubOptions>, service?: ServiceOptions, git = commits) =>
  History.start(git, github, service);

/** The first create call gets no response. */
const FIRST_CREATE_IS_LOST: ServiceOptions = {
  schedule: [{ status: 'active' }],
  intercept: first('POST', ({ socket }) => socket.destroy()),
};

/** A first night, which only begins to count, at c1, and one that creates an agent job for c2. */
const nights = once(async () => {
  await using history = await start();
  const first = await history.night('c1');
  expect(first.outcome).toBe('skipped');
  const second = await history.night('c2');
  expect(second).toMatchObject({ outcome: 'started', sent: ['c2'] });
  return { first, second };
});

/** A history whose first night has only begun to count, at c1. */
async function begin(...options: Parameters<typeof start>) {
  const { first } = await nights();
  const history = await start(...options);
  history.goOnFrom([first]);
  return history;
}

/** A history in which c2 went to the agent job `job_1` in run #2. */
async function beginWithJob(...options: Parameters<typeof start>) {
  const { first, second } = await nights();
  const history = await start(...options);
  history.goOnFrom([first, second]);
  return history;
}

const TYPED: StepOptions = { inputs: { since: 'auto' } };

test.concurrent('the first night sends nothing, the next one starts there, and an idle night buys nothing', async () => {
  await using history = await start();
  const first = await history.night('c1');
  expect(first).toMatchObject({ outcome: 'skipped', sent: undefined, warnings: [] });
  const second = await history.night('c3');
  expect(second).toMatchObject({ outcome: 'started', sent: ['c2', 'c3'], warnings: [] });
  history.fates.set('job_1', 'completed');
  const idle = await history.night('c3');
  expect(idle).toMatchObject({ outcome: 'skipped', sent: undefined, warnings: [] });
  const last = await history.night('c4');
  expect(last.sent).toEqual(['c4']);
});

describe.concurrent('the night after an agent job that', () => {
  test.concurrent.each([
    { fate: 'completed', sent: ['c3', 'c4'] },
    { fate: 'failed', sent: ['c2', 'c3', 'c4'] },
  ])('is $fate sends $sent', async ({ fate, sent }) => {
    await using history = await beginWithJob();
    history.fates.set('job_1', fate);
    expect((await history.night('c4')).sent).toEqual(sent);
  });

  test.concurrent('timed out and completed later sends only what is new', async () => {
    await using history = await begin();
    const late = await history.night('c2', { inputs: { wait: 'true', timeout: '12s' } });
    expect(late.outcome).toBe('timed-out');
    history.fates.set('job_1', 'completed');
    expect((await history.night('c3')).sent).toEqual(['c3']);
  });

  test.concurrent('was at work for several nights and then failed sends all since its start', async () => {
    await using history = await beginWithJob();
    await history.night('c3');
    history.fates.set('job_2', 'completed');
    const third = await history.night('c4');
    expect(third.sent).toEqual(['c4']);
    history.fates.set('job_1', 'failed');
    history.fates.set('job_3', 'completed');
    const fourth = await history.night('c5');
    expect(fourth.sent).toEqual(['c2', 'c3', 'c4', 'c5']);
    history.fates.set('job_4', 'completed');
    expect((await history.night('c6')).sent).toEqual(['c6']);
  });

  test.concurrent('was still at work in an idle night is not forgotten', async () => {
    await using history = await beginWithJob();
    expect((await history.night('c2')).outcome).toBe('skipped');
    history.fates.set('job_1', 'failed');
    expect((await history.night('c3')).sent).toEqual(['c2', 'c3']);
  });

  test.concurrent('was cancelled in its wait sends only what is new', async ({ skip }) => {
    skip(noSignals !== undefined, noSignals);
    await using history = await begin();
    const run = history.begin('c2');
    const inputs = { wait: 'true', pollInterval: '10m' };
    const action = run.start(history.given({ inputs }));
    await action.logged(/Waiting for agent job/);
    action.child.kill('SIGINT');
    expect((await run.end(action)).outputs['outcome']).toBe('cancelled');
    run.complete();
    expect((await history.night('c3')).sent).toEqual(['c3']);
  });

  test.concurrent('fails in its own run is sent again, also after `continue-on-error`', async () => {
    await using history = await begin(
      {},
      { schedule: [{ status: 'active' }, { afterReads: 1, status: 'failed' }] },
    );
    const failed = await history.night('c2', { inputs: { wait: 'true' } });
    expect(failed.outcome).toBe('failed');
    expect((await history.night('c3')).sent).toEqual(['c2', 'c3']);
  });

  test.concurrent('ended well, and then a later step failed, sends only what is new', async () => {
    await using history = await begin(
      {},
      { schedule: [{ status: 'active' }, { afterReads: 1, status: 'completed', prLink: PR_LINK }] },
    );
    const run = history.begin('c2');
    const night = await history.step(run, { inputs: { wait: 'true' } });
    expect(night.outcome).toBe('pull-request');
    // The run fails. Its conclusion is not looked at.
    run.complete();
    expect((await history.night('c3')).sent).toEqual(['c3']);
  });
});

describe.concurrent('nothing is lost by', () => {
  test.concurrent('a dry run', async () => {
    await using history = await begin();
    const dry = await history.night('c2', { inputs: { dryRun: 'true' } });
    expect(dry).toMatchObject({ outcome: 'dry-run', sent: undefined });
    expect((await history.night('c3')).sent).toEqual(['c2', 'c3']);
  });

  test.concurrent('a green run without the step', async () => {
    await using history = await begin();
    const run = history.begin('c2');
    run.jobOf('docs');
    run.complete();
    expect((await history.night('c3')).sent).toEqual(['c2', 'c3']);
  });

  test.concurrent('`auto` runs of pushes between', async () => {
    await using history = await begin();
    const { git } = history;
    const event = { before: git.sha('c1') };
    const pushed = await history.night('c2', { ...TYPED, event }, 'push');
    expect(pushed.sent).toEqual(['c2']);
    expect((await history.night('c3')).sent).toEqual(['c2', 'c3']);
  });

  test.concurrent('records that have expired: the runs of a night start again', async () => {
    await using history = await beginWithJob();
    history.fates.set('job_1', 'completed');
    for (const id of Object.keys(history.workflow.annotations)) {
      delete history.workflow.annotations[Number(id)];
    }
    const night = await history.night('c3');
    expect(night).toMatchObject({ outcome: 'skipped', sent: undefined });
    expect(night.warnings).toEqual([expect.stringContaining('There is nothing to start from')]);
    expect((await history.night('c4')).sent).toEqual(['c4']);
  });

  test.concurrent('a token that may not: the step stops and names every permission at once', async () => {
    let mayNot = false;
    await using history = await begin({
      fail: (path) =>
        mayNot && path.includes('/actions/')
          ? { status: 403, body: { message: 'Resource not accessible by integration' } }
          : undefined,
    });
    mayNot = true;
    const night = await history.night('c2');
    expect(night).toMatchObject({ outcome: 'error', sent: undefined });
    const error = night.result.commands.find(({ name }) => name === 'error')?.data;
    expect(error).toContain('`contents: read`, `actions: read`, and `checks: read`');
    mayNot = false;
    expect((await history.night('c3')).sent).toEqual(['c2', 'c3']);
  });
});

describe.concurrent('a create call in doubt', () => {
  test.concurrent('is sent again by the next run, with a warning', async () => {
    await using history = await begin({}, FIRST_CREATE_IS_LOST);
    expect((await history.night('c2')).outcome).toBe('error');
    const next = await history.night('c3');
    expect(next.sent).toEqual(['c2', 'c3']);
    expect(next.warnings).toEqual([expect.stringContaining('run #2 may have been created')]);
  });
});

describe.concurrent('a run that is run again', () => {
  test.concurrent('keeps its part: what it follows starts where it started', async () => {
    await using history = await beginWithJob();
    const run = history.workflow.latest;
    const again = await history.again(run);
    expect(again).toMatchObject({ outcome: 'started', sent: undefined });
    history.fates.set('job_1', 'failed');
    expect((await history.night('c3')).sent).toEqual(['c2', 'c3']);
  });

  test.concurrent('that makes the agent job anew has the same changes, and the next run goes on behind them', async () => {
    await using history = await beginWithJob();
    const run = history.workflow.latest;
    history.fates.set('job_1', 'failed');
    const again = await history.again(run);
    expect(again.sent).toEqual(['c2']);
    history.fates.set('job_2', 'completed');
    expect((await history.night('c3')).sent).toEqual(['c3']);
  });

  test.concurrent('after a newer run leaves its changes to that one', async () => {
    await using history = await beginWithJob();
    const run = history.workflow.latest;
    history.fates.set('job_1', 'failed');
    const newer = await history.night('c3');
    expect(newer.sent).toEqual(['c2', 'c3']);
    const again = await history.again(run);
    expect(again).toMatchObject({ outcome: 'skipped', sent: undefined });
    history.fates.set('job_2', 'completed');
    expect((await history.night('c4')).sent).toEqual(['c4']);
  });

  test.concurrent('after a create call in doubt asks first, and its changes are sent by whoever comes next', async () => {
    await using history = await begin({}, FIRST_CREATE_IS_LOST);
    const { run } = await history.night('c2');
    expect(await history.again(run)).toMatchObject({ outcome: 'error', sent: undefined });
    const next = await history.night('c3');
    expect(next.sent).toEqual(['c2', 'c3']);
    expect(next.warnings).toEqual([expect.stringContaining('run #2 may have been created')]);
  });
});

describe.concurrent('an older run', () => {
  test.concurrent('that is still at work stops the step, which names the `concurrency` lines', async () => {
    await using history = await begin();
    const older = history.begin('c2');
    older.jobOf('docs');
    const night = await history.night('c3');
    expect(night).toMatchObject({ outcome: 'error', sent: undefined });
    const error = night.result.commands.find(({ name }) => name === 'error')?.data;
    expect(error).toContain('Workflow job `docs` of run #2 is still running');
    expect(error).toContain('concurrency:');
    const { sent } = await history.step(older);
    expect(sent).toEqual(['c2']);
    older.complete();
    expect((await history.night('c4')).sent).toEqual(['c3', 'c4']);
  });
});

describe.concurrent('each has its own history:', () => {
  test.concurrent('two legs of a matrix', async () => {
    await using history = await start();
    const one = { job: 'docs (a)', matrix: { os: 'a' } };
    const two = { job: 'docs (b)', matrix: { os: 'b' } };
    const first = history.begin('c1');
    for (const leg of [one, two]) await history.step(first, leg);
    first.complete();
    const second = history.begin('c2');
    expect((await history.step(second, one)).sent).toEqual(['c2']);
    second.complete();
    const third = history.begin('c3');
    expect((await history.step(third, one)).sent).toEqual(['c3']);
    expect((await history.step(third, two)).sent).toEqual(['c2', 'c3']);
  });
});

describe.concurrent('a dispatch', () => {
  test.concurrent('with nothing to start from is sent with a warning, and the next starts there', async () => {
    await using history = await start();
    const first = await history.night('c2', TYPED, 'workflow_dispatch');
    expect(first).toMatchObject({ outcome: 'started', sent: [] });
    expect(first.warnings).toEqual([expect.stringContaining('There is nothing to start from')]);
    const second = await history.night('c3', TYPED, 'workflow_dispatch');
    expect(second).toMatchObject({ sent: ['c3'], warnings: [] });
  });

  test.concurrent('with nothing new is sent all the same', async () => {
    await using history = await begin();
    const night = await history.night('c1', TYPED, 'workflow_dispatch');
    expect(night).toMatchObject({ outcome: 'started', sent: [] });
  });

  test.concurrent('with a named start is where the next night starts', async () => {
    await using history = await start();
    const since = history.git.sha('c2');
    const named = await history.night('c4', { inputs: { since } }, 'workflow_dispatch');
    expect(named.sent).toEqual(['c3', 'c4']);
    history.fates.set('job_1', 'failed');
    expect((await history.night('c5')).sent).toEqual(['c3', 'c4', 'c5']);
  });
});

test.concurrent('a force push sends what is left since the common commit, and the block says so', async () => {
  using git = new GitRepository([
    { name: 'c1', parents: [] },
    { name: 'c2', parents: ['c1'] },
    { name: 'd2', parents: ['c1'] },
    { name: 'd3', parents: ['d2'] },
  ]);
  await using history = await start({}, {}, git);
  await history.night('c1');
  await history.night('c2');
  const before = history.agent.requests.length;
  const night = await history.night('d3');
  expect(night.sent).toEqual(['d2', 'd3']);
  const posts = history.agent.requests.slice(before).filter(({ method }) => method === 'POST');
  expect(posts[0]?.body).toContain('commits were removed since the last agent job');
});

test.concurrent('runs of other branches and of forks do not count', async () => {
  await using history = await begin();
  const { runs } = history.workflow;
  const other = { head_sha: 'x', status: 'completed' };
  runs.push({ ...other, id: 900, run_number: 2, head_branch: 'next' });
  runs.push({ ...other, id: 901, run_number: 3, head_repository: { full_name: 'fork/app' } });
  const night = await history.night('c2');
  expect(night.sent).toEqual(['c2']);
  expect(night.requests.filter((path) => /runs\/90\d/.test(path))).toEqual([]);
});

test.concurrent('in the steady state it costs GitHub at most 12 requests, and a push under `auto` one', async () => {
  await using history = await beginWithJob();
  history.fates.set('job_1', 'completed');
  const night = await history.night('c3');
  expect(night.sent).toEqual(['c3']);
  expect(night.requests.length).toBeLessThanOrEqual(12);
  const event = { before: history.git.sha('c3') };
  const pushed = await history.night('c4', { ...TYPED, event }, 'push');
  expect(pushed.requests).toEqual([expect.stringContaining('/compare/')]);
});
