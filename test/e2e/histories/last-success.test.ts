/**
 * Whole histories of a workflow under `last-success`. Each run gets what the runs before it printed,
 * as GitHub keeps it. In each history every change reaches an agent job, and none is sent twice
 * unless the agent job that had it failed.
 */
import { describe, expect, test } from 'vitest';
import { annotations } from '../../support/action.ts';
import { first, PR_LINK, type ServiceOptions } from '../../support/agent-service.ts';
import { cancellation } from '../../support/in-process.ts';
import {
  commitsInLine,
  type HistoryOptions,
  type StepOptions,
  startHistory,
} from '../../support/workflow-run.ts';

/** The first create call gets no response. */
const FIRST_CREATE_IS_LOST: ServiceOptions = {
  schedule: [{ status: 'active' }],
  intercept: first('POST', ({ socket }) => socket.destroy()),
};
const endsAs = (status: string): ServiceOptions => ({
  schedule: [{ status: 'active' }, { afterReads: 1, status, prLink: PR_LINK }],
});

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
  expect(await history.push(2)).toMatchObject({ outcome: 'started', sent: ['c2'] });
  if (fate !== undefined) history.fates.set('job_1', fate);
  return history;
}

const TYPED: StepOptions = { inputs: { since: 'auto' } };
const WAITS: StepOptions = { inputs: { wait: 'true' } };

test.concurrent('the first night sends nothing, the next one starts there, and an idle night buys nothing', async () => {
  await using history = await begin();
  const second = await history.night('c3');
  expect(second).toMatchObject({ outcome: 'started', sent: ['c2', 'c3'], warnings: [] });
  history.fates.set('job_1', 'completed');
  const idle = await history.night('c3');
  expect(idle).toMatchObject({ outcome: 'skipped', sent: undefined, warnings: [] });
  expect((await history.night('c4')).sent).toEqual(['c4']);
});

describe.concurrent('the night after an agent job that', () => {
  test.concurrent('failed sends its changes again', async () => {
    await using history = await beginWithJob('failed');
    expect((await history.night('c4')).sent).toEqual(['c2', 'c3', 'c4']);
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
    expect((await history.night('c4')).sent).toEqual(['c4']);
    history.fates.set('job_1', 'failed');
    history.fates.set('job_3', 'completed');
    expect((await history.night('c5')).sent).toEqual(['c2', 'c3', 'c4', 'c5']);
    history.fates.set('job_4', 'completed');
    expect((await history.night('c6')).sent).toEqual(['c6']);
  });

  test.concurrent('was still at work in an idle night is not forgotten', async () => {
    await using history = await beginWithJob();
    expect((await history.night('c2')).outcome).toBe('skipped');
    history.fates.set('job_1', 'failed');
    expect((await history.night('c3')).sent).toEqual(['c2', 'c3']);
  });

  test.concurrent('was cancelled in its wait sends only what is new', async () => {
    await using history = await begin();
    const { cancel, signal } = cancellation();
    history.workflow.clock.after(1, cancel);
    const run = history.workflow.begin('c2', 'schedule');
    expect((await history.step(run, WAITS, { signal })).outcome).toBe('cancelled');
    run.complete();
    expect((await history.night('c3')).sent).toEqual(['c3']);
  });

  test.concurrent.each([
    { promise: 'fails in its own run is sent again', status: 'failed', sent: ['c2', 'c3'] },
    { promise: 'ends well in its own run is not', status: 'completed', sent: ['c3'] },
  ])('$promise, whatever the run then ends as', async ({ status, sent }) => {
    await using history = await begin({ service: endsAs(status) });
    const outcome = status === 'failed' ? 'failed' : 'pull-request';
    expect((await history.night('c2', WAITS)).outcome).toBe(outcome);
    expect((await history.night('c3')).sent).toEqual(sent);
  });
});

describe.concurrent('nothing is lost by', () => {
  test.concurrent('a green run without the step', async () => {
    await using history = await begin();
    const run = history.workflow.begin('c2', 'schedule');
    run.jobOf('docs');
    run.complete();
    expect((await history.night('c3')).sent).toEqual(['c2', 'c3']);
  });

  test.concurrent('`auto` runs of pushes between', async () => {
    await using history = await begin();
    expect((await history.push(2, TYPED)).sent).toEqual(['c2']);
    expect((await history.night('c3')).sent).toEqual(['c2', 'c3']);
  });

  test.concurrent('records that have expired: the runs of a night start again', async () => {
    await using history = await beginWithJob('completed');
    const kept = history.workflow.annotations;
    for (const id of Object.keys(kept)) delete kept[Number(id)];
    const night = await history.night('c3');
    expect(night).toMatchObject({ outcome: 'skipped', sent: undefined });
    expect(night.warnings).toEqual([expect.stringContaining('There is nothing to start from')]);
    expect((await history.night('c4')).sent).toEqual(['c4']);
  });

  test.concurrent('a token that may not: the step stops and names every permission at once', async () => {
    let mayNot = false;
    const body = { message: 'Resource not accessible by integration' };
    await using history = await begin({
      github: {
        fail: (path) => (mayNot && path.includes('/actions/') ? { status: 403, body } : undefined),
      },
    });
    mayNot = true;
    const night = await history.night('c2');
    expect(night).toMatchObject({ outcome: 'error', sent: undefined });
    expect(annotations(night.result).at(-1)).toContain(
      '`contents: read`, `actions: read`, and `checks: read`',
    );
    mayNot = false;
    expect((await history.night('c3')).sent).toEqual(['c2', 'c3']);
  });

  test.concurrent('a create call in doubt: a re-run asks, and the next run sends it with a warning', async () => {
    await using history = await begin({ service: FIRST_CREATE_IS_LOST });
    const { outcome, run } = await history.night('c2');
    expect(outcome).toBe('error');
    expect(await history.again(run)).toMatchObject({ outcome: 'error', sent: undefined });
    const next = await history.night('c3');
    expect(next.sent).toEqual(['c2', 'c3']);
    expect(next.warnings).toEqual([expect.stringContaining('run #2 may have been created')]);
  });
});

describe.concurrent('a run that is run again', () => {
  test.concurrent('keeps its part: what it follows starts where it started', async () => {
    await using history = await beginWithJob();
    const again = await history.again(history.workflow.latest);
    expect(again).toMatchObject({ outcome: 'started', sent: undefined });
    history.fates.set('job_1', 'failed');
    expect((await history.night('c3')).sent).toEqual(['c2', 'c3']);
  });

  test.concurrent('that makes the agent job anew has the same changes, and the next run goes on behind them', async () => {
    await using history = await beginWithJob('failed');
    expect((await history.again(history.workflow.latest)).sent).toEqual(['c2']);
    history.fates.set('job_2', 'completed');
    expect((await history.night('c3')).sent).toEqual(['c3']);
  });

  test.concurrent('after a newer run leaves its changes to that one', async () => {
    await using history = await beginWithJob('failed');
    const run = history.workflow.latest;
    expect((await history.night('c3')).sent).toEqual(['c2', 'c3']);
    expect(await history.again(run)).toMatchObject({ outcome: 'skipped', sent: undefined });
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
  expect(error).toContain('Workflow job `docs` of run #2 is still running');
  expect(error).toContain('concurrency:');
  expect((await history.step(older)).sent).toEqual(['c2']);
  older.complete();
  expect((await history.night('c4')).sent).toEqual(['c3', 'c4']);
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

test.concurrent('a dispatch with nothing to start from is sent with a warning, and the next starts there', async () => {
  await using history = await startHistory();
  const first = await history.night('c2', TYPED, 'workflow_dispatch');
  expect(first).toMatchObject({ outcome: 'started', sent: [] });
  expect(first.warnings).toEqual([expect.stringContaining('There is nothing to start from')]);
  const second = await history.night('c3', TYPED, 'workflow_dispatch');
  expect(second).toMatchObject({ sent: ['c3'], warnings: [] });
  const idle = await history.night('c3', TYPED, 'workflow_dispatch');
  expect(idle).toMatchObject({ outcome: 'started', sent: [] });
});

test.concurrent('a force push sends what is left since the common commit, and the block says so', async () => {
  const commits = [...commitsInLine(['c1', 'c2']), ...commitsInLine(['c1', 'd2', 'd3'])];
  await using history = await begin({ github: { commits } });
  await history.night('c2');
  expect((await history.night('d3')).sent).toEqual(['d2', 'd3']);
  expect(history.agent.postsTo(/job$/).at(-1)?.body).toContain(
    'commits were removed since the last agent job',
  );
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
  await using history = await beginWithJob('completed');
  const night = await history.night('c3');
  expect(night.sent).toEqual(['c3']);
  expect(night.requests.length).toBeLessThanOrEqual(12);
  const pushed = await history.push(4, TYPED);
  expect(pushed.requests).toEqual([expect.stringContaining('/compare/')]);
});
