/**
 * The edges of `last-success` and of re-runs: what a step leaves behind when it fails early, when it
 * runs out of order, and when a record cannot be read; and that what a stop advises works.
 */
import { afterAll, describe, expect, test } from 'vitest';
import { annotations } from '../../support/action.ts';
import { first, reply, type ServiceOptions } from '../../support/agent-service.ts';
import type { Failure, GitHubOptions } from '../../support/github-service.ts';
import { noGit, skipWhen } from '../../support/system.ts';
import {
  commitsInLine,
  History,
  type Night,
  type StepOptions,
} from '../../support/workflow-run.ts';

skipWhen(noGit);

const commits = noGit === undefined ? commitsInLine(60) : (undefined as never);
afterAll(() => commits?.[Symbol.dispose]());

const start = (github?: Partial<GitHubOptions>, service?: ServiceOptions) =>
  History.start(commits, github, service);

/** A push of the commit `c<n>` under `last-success`. */
function push(history: History, n: number, options: StepOptions = {}): Promise<Night> {
  const event = { before: history.git.sha(`c${n - 1}`) };
  return history.night(`c${n}`, { ...options, event }, 'push');
}

const WRONG_KEY: StepOptions = { inputs: { adminApiKey: 'mint_wrong_0123456789' } };
const NO_KEY: StepOptions = { inputs: { adminApiKey: '' } };
const names = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => `c${from + index}`);

const errorOf = ({ result }: Night) =>
  annotations(result)
    .filter((text) => text.startsWith('error'))
    .join('\n');
const recordsOf = ({ result }: Night) =>
  annotations(result).flatMap((text) => /\(for later runs\) .*/.exec(text) ?? []);

describe.concurrent('the first runs of a history fail', () => {
  const limited: Failure = {
    status: 403,
    body: { message: 'API rate limit exceeded' },
    headers: { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '9999999999' },
  };
  test.concurrent.each<{ promise: string; failing: StepOptions; fault?: Failure }>([
    { promise: 'on the key', failing: WRONG_KEY },
    { promise: 'on a missing key', failing: NO_KEY },
    { promise: 'on GitHub', failing: {}, fault: { status: 500 } },
    { promise: 'on a rate limit', failing: {}, fault: limited },
    { promise: 'on `paths`', failing: { inputs: { paths: '- src' } } },
  ])('$promise, and the next good run sends all of their changes', async ({ failing, fault }) => {
    let isDown = true;
    await using history = await start({
      fail: (path) => (isDown && /compare|actions/.test(path) ? fault : undefined),
    });
    for (const n of [2, 3]) {
      const failed = await push(history, n, failing);
      expect(failed.outcome).toBe('error');
      expect(recordsOf(failed)).toHaveLength(1);
      expect(recordsOf(failed)[0]).toContain('job=todo');
    }
    isDown = false;
    expect((await push(history, 4)).sent).toEqual(['c2', 'c3', 'c4']);
    history.fates.set('job_1', 'completed');
    expect((await push(history, 5)).sent).toEqual(['c5']);
  });

  test.concurrent('51 times by a refused key, and the next one sends what was refused', async () => {
    await using history = await start();
    for (const n of names(2, 52).keys()) await push(history, n + 2, WRONG_KEY);
    const good = await push(history, 53);
    expect(good.sent).toEqual(names(2, 53));
    expect(good.requests.length).toBeLessThanOrEqual(12);
  });
});

describe.concurrent('a step that sends nothing', () => {
  test.concurrent('has its record in its closing annotation alone', async () => {
    await using history = await start();
    const skipped = await push(history, 2, { inputs: { paths: 'docs/**' } });
    expect(skipped.outcome).toBe('skipped');
    expect(annotations(skipped.result)).toHaveLength(1);
    expect(recordsOf(skipped)[0]).toMatch(/job=none .* from=\w+ to=\w+ end$/);
  });

  test.concurrent.each([{}, { since: 'v1' }])(
    'in a dry run with %o leaves no record and moves nothing',
    async (since) => {
      await using history = await start({ refs: {} });
      await push(history, 2);
      history.fates.set('job_1', 'completed');
      const given = 'since' in since ? { since: history.git.sha('c2') } : {};
      const dry = await push(history, 3, { inputs: { dryRun: 'true', ...given } });
      expect(dry.outcome).toBe('dry-run');
      expect(recordsOf(dry)).toEqual([]);
      expect((await push(history, 4)).sent).toEqual(['c3', 'c4']);
    },
  );
});

/** It waits for the end, whatever `wait` says. */
const SHORT = { timeout: '1m', pollInterval: '30s' };

describe.concurrent('a first attempt that starts after a newer run', () => {
  test.concurrent('is skipped when that run has its changes', async () => {
    await using history = await start();
    await push(history, 2);
    history.fates.set('job_1', 'completed');
    const late = history.begin('c3', 'push');
    const newer = await push(history, 4);
    expect(newer.sent).toEqual(['c3', 'c4']);
    const event = { before: history.git.sha('c2') };
    const skipped = await history.step(late, { event });
    expect(skipped.outcome).toBe('skipped');
    expect(annotations(skipped.result)[0]).toContain(
      'run #3 of this workflow is newer and has them',
    );
    expect(recordsOf(skipped)[0]).not.toMatch(/ (from|to)=/);
    late.complete();
    history.fates.set('job_2', 'failed');
    expect((await push(history, 5)).sent).toEqual(['c3', 'c4', 'c5']);
  });

  test.concurrent('is sent when that run has a later named start', async () => {
    await using history = await start();
    await push(history, 2);
    history.fates.set('job_1', 'completed');
    const late = history.begin('c3', 'push');
    await push(history, 4, { inputs: { since: history.git.sha('c3') } });
    const event = { before: history.git.sha('c2') };
    const sent = await history.step(late, { event, inputs: SHORT });
    expect(sent.sent).toEqual(['c3']);
    expect(sent.result.stdout).toContain('Later runs may not look at this one');
  });

  test.concurrent('is sent when that run had nothing to start from', async () => {
    await using history = await start();
    const late = history.begin('c3', 'push');
    expect((await history.night('c4')).outcome).toBe('skipped');
    const event = { before: history.git.sha('c2') };
    expect((await history.step(late, { event, inputs: SHORT })).sent).toEqual(['c3']);
  });

  test.concurrent('is sent without changes when a person typed it', async () => {
    await using history = await start();
    await push(history, 2);
    history.fates.set('job_1', 'completed');
    const late = history.begin('c3', 'workflow_dispatch');
    await push(history, 4);
    const typed = await history.step(late, { inputs: SHORT });
    expect(typed).toMatchObject({ outcome: 'timed-out', sent: [] });
    expect(recordsOf(typed).at(-1)).not.toMatch(/ (from|to)=/);
  });
});

describe.concurrent('a named start begins a new history', () => {
  test.concurrent('nothing of earlier runs is read', async () => {
    await using history = await start();
    await push(history, 2);
    const named = await push(history, 3, { inputs: { since: history.git.sha('c1') } });
    expect(named.requests.filter((path) => /actions|check-runs/.test(path))).toEqual([]);
    expect(recordsOf(named)[0]).not.toContain('open=');
  });

  test.concurrent('A (`since: c2`, at work) and B (`since: c1`) both fail: the next run starts at c1', async () => {
    await using history = await start();
    await push(history, 4, { inputs: { since: history.git.sha('c2') } });
    await push(history, 5, { inputs: { since: history.git.sha('c1') } });
    for (const id of ['job_1', 'job_2']) history.fates.set(id, 'failed');
    expect((await push(history, 6)).sent).toEqual(['c2', 'c3', 'c4', 'c5', 'c6']);
  });
});

describe.concurrent('a stop says what it is and what helps, and one run with a named start goes on:', () => {
  type Spoil = (history: History, night: Night) => void;
  const LINT = { annotation_level: 'warning', title: 'lint', message: 'unused' };
  test.concurrent.each<{
    promise: string;
    spoil: Spoil;
    says: RegExp;
    github?: Partial<GitHubOptions>;
  }>([
    {
      promise: 'a full check run',
      spoil: (_, { run }) => run.annotationsOf().splice(0, 9, ...Array(50).fill(LINT)),
      says: /keeps 50 annotations.*workflow job of its own/,
    },
    {
      promise: 'a masked record',
      spoil: (_, { run }) => run.rewrite((text) => text.replace(/key=\w{8}/, 'key=***')),
      says: /cannot be read: it was cut, a mask hides/,
    },
    {
      promise: 'a cut record',
      spoil: (_, { run }) => run.rewrite((text) => text.slice(0, -5)),
      says: /cannot be read: it was cut/,
    },
    {
      promise: 'a record of a newer version',
      spoil: (_, { run }) => run.rewrite((text) => text.replace(' v=1 ', ' v=2 ')),
      says: /another version of this action/,
    },
    {
      promise: 'a record with a branch where a commit belongs',
      spoil: (_, { run }) => run.rewrite((text) => text.replace(/ to=\w+/, ' to=main')),
      says: /cannot be read/,
    },
    {
      promise: 'a failed workflow job without annotations',
      spoil: (_, { run }) => {
        run.annotationsOf().length = 0;
        run.list('docs', { conclusion: 'failure' });
      },
      says: /failed or is recent, and GitHub shows none of its annotations/,
    },
    {
      promise: 'an agent job that answers 400',
      spoil: ({ fates }) => fates.set('job_1', '400'),
      says: /agent job `job_1` of an earlier run is not known: HTTP 400/,
    },
    {
      promise: 'an agent job that answers 200 without a status',
      spoil: ({ fates }) => fates.set('job_1', ''),
      says: /agent job `job_1` of an earlier run is not known: HTTP 200/,
    },
    {
      promise: 'a workflow job in progress for ever',
      spoil: ({ workflow }, { run }) => {
        workflow.setStatus(run.id, 'in_progress');
        run.list('docs', { status: 'in_progress' });
      },
      says: /Workflow job `docs` of run #1 is still running.*concurrency:/,
    },
    {
      promise: 'two workflow jobs of one name and one key',
      spoil: ({ workflow }, { run }) => {
        const twin = run.addJob('docs', { status: 'completed' });
        workflow.annotations[twin.id] = [...run.annotationsOf()];
      },
      says: /cannot be told apart.*a name of its own/,
    },
  ])('$promise', async ({ spoil, says }) => {
    await using history = await start();
    const night = await push(history, 2);
    spoil(history, night);
    const stopped = await push(history, 3);
    expect(stopped).toMatchObject({ outcome: 'error', sent: undefined });
    expect(errorOf(stopped)).toMatch(says);
    expect(errorOf(stopped)).toContain('start a new run with `since` set to the commit before');
    const named = await push(history, 4, { inputs: { since: history.git.sha('c2') } });
    expect(named.sent).toEqual(['c3', 'c4']);
    history.fates.set('job_2', 'completed');
    expect((await push(history, 5)).sent).toEqual(['c5']);
  });

  test.concurrent('a list of runs that GitHub cut, also when forks fill it', async () => {
    await using history = await start();
    const { runs } = history.workflow;
    await push(history, 2);
    const fork = { full_name: 'fork/app' };
    for (let id = 2_000; id < 3_000; id += 1) {
      runs.push({ id, run_number: id, head_sha: 'x', status: 'completed', head_repository: fork });
    }
    runs.push({
      id: 4_000,
      run_number: 4_000,
      head_sha: history.git.sha('c3'),
      status: 'in_progress',
    });
    const late = history.workflow.adopt(4_000, history.git.sha('c3'), 'push');
    const event = { before: history.git.sha('c2') };
    const stopped = await history.step(late, { event });
    expect(stopped.outcome).toBe('error');
    expect(errorOf(stopped)).toMatch(/ends the list at 1,000 runs/);
    late.next();
    const since = history.git.sha('c2');
    expect((await history.step(late, { event, inputs: { since } })).sent).toEqual(['c3']);
  });
});

test.concurrent('an agent job that answers 410 counts like one that answers 404', async () => {
  await using history = await start();
  await push(history, 2);
  history.fates.set('job_1', '410');
  expect((await push(history, 3)).sent).toEqual(['c3']);
});

test.concurrent('the step that is added to a workflow with hundreds of runs begins at once, with a warning', async () => {
  await using history = await start();
  for (let n = 0; n < 200; n += 1) {
    const run = history.begin('c1', 'push');
    if (n > 195) run.jobOf('docs');
    run.complete();
  }
  const night = await push(history, 3);
  expect(night.sent).toEqual(['c3']);
  expect(night.warnings).toEqual([expect.stringMatching(/4 earlier runs .*`since`/)]);
});

describe.concurrent('an id in an unusable response to a create call', () => {
  test.concurrent('beside an `error` is sent again by the next run, with a warning', async () => {
    await using history = await start(
      {},
      {
        schedule: [{ status: 'active' }],
        intercept: first('POST', ({ response }) =>
          reply(response, 500, { error: 'Internal', id: 'req_42' }),
        ),
      },
    );
    const lost = await push(history, 2);
    expect(lost.result.outputs).toMatchObject({ outcome: 'error', jobId: '' });
    expect(recordsOf(lost)[0]).toContain('job=unknown');
    expect(recordsOf(lost)[0]).toContain('maybe=req_42');
    const next = await push(history, 3);
    expect(next.sent).toEqual(['c2', 'c3']);
    expect(next.warnings).toEqual([expect.stringContaining('may have been created')]);
  });

  test.concurrent('of a real agent job is followed by the re-run, and covered for the next run', async () => {
    await using history = await start();
    const { agent } = history;
    let isLost = true;
    await using lossy = await History.start(
      commits,
      {},
      {
        schedule: [{ status: 'active' }],
        intercept: ({ request, response }) => {
          if (!isLost || request.method !== 'POST') return false;
          isLost = false;
          return reply(response, 502, { id: lossy.agent.addJob() });
        },
      },
    );
    expect(agent.requests).toEqual([]);
    const lost = await push(lossy, 2);
    expect(lost.result.outputs).toMatchObject({ outcome: 'error', jobId: 'job_1' });
    const again = await lossy.again(lost.run);
    expect(again).toMatchObject({ outcome: 'started', sent: undefined });
    expect(again.result.outputs['jobId']).toBe('job_1');
    expect((await push(lossy, 3)).sent).toEqual(['c3']);
  });
});

describe.concurrent('a re-run', () => {
  test.concurrent('behind a full attempt follows the agent job of an older one', async () => {
    await using history = await start();
    const { run } = await push(history, 2);
    run.next();
    run
      .annotationsOf()
      .push(...Array(50).fill({ annotation_level: 'warning', title: 'lint', message: 'unused' }));
    const third = await history.again(run);
    expect(third).toMatchObject({ outcome: 'started', sent: undefined });
    expect(third.result.outputs['jobId']).toBe('job_1');
  });

  test.concurrent('does not follow another leg of the same name', async () => {
    await using history = await start();
    const run = history.begin('c2', 'push');
    const event = { before: history.git.sha('c1') };
    const [one, two] = ['a', 'b'].map((leg) => ({ leg, matrix: { leg }, event }));
    await history.step(run, one);
    run.next();
    const other = await history.step(run, two);
    expect(other.result.outputs['jobId']).not.toBe('job_1');
  });

  test.concurrent('stops without a token', async () => {
    await using history = await start();
    const inputs = { changes: 'none', since: 'auto' };
    const night = await push(history, 2, { inputs });
    const again = await history.again(night.run, { inputs: { ...inputs, githubToken: '' } });
    expect(again).toMatchObject({ outcome: 'error', sent: undefined });
    expect(errorOf(again)).toContain('`githubToken` is empty');
  });

  test.concurrent('waits for annotations that appear seconds after the workflow job completed', async () => {
    await using history = await start();
    const { run } = await push(history, 2);
    const { clock, annotations: kept } = history.workflow;
    run.list('docs', { completed_at: new Date(clock.date()).toISOString() });
    const { id } = run.jobOf('docs');
    const late = kept[id] ?? [];
    delete kept[id];
    clock.after(5_000, () => {
      kept[id] = late;
    });
    const again = await history.again(run);
    expect(again.result.outputs['jobId']).toBe('job_1');
    expect(again.sent).toBeUndefined();
  });

  test.concurrent('behind a failed workflow job without annotations asks', async () => {
    await using history = await start();
    const { run } = await push(history, 2);
    run.annotationsOf().length = 0;
    run.list('docs', { conclusion: 'failure' });
    const again = await history.again(run);
    expect(again).toMatchObject({ outcome: 'error', sent: undefined });
    const event = { before: history.git.sha('c1') };
    expect((await history.again(run, { event })).sent).toEqual(['c2']);
  });

  test.concurrent('that sends keeps the part of its earlier attempt', async () => {
    await using history = await start();
    await push(history, 2);
    history.fates.set('job_1', 'completed');
    const refused = await push(history, 3, WRONG_KEY);
    // A newer run that covers only its own event changes nothing.
    await push(history, 4, { inputs: { since: 'auto' } });
    const again = await history.again(refused.run, {
      event: { before: history.git.sha('c2') },
    });
    expect(again.sent).toEqual(['c3']);
  });
});

test.concurrent('a workflow job that a re-run of another one carried over stops nothing', async () => {
  await using history = await start();
  const { run } = await push(history, 2);
  const completed_at = '2026-01-01T00:00:00Z';
  run.list('docs', { conclusion: 'failure', completed_at });
  history.fates.set('job_1', 'completed');
  run.next();
  run.carryOver('docs');
  run.complete();
  run.list('docs', { conclusion: 'failure', completed_at });
  expect((await push(history, 3)).sent).toEqual(['c3']);
});

test.concurrent('the end before a message is not taken for its end by a run that starts at once', async () => {
  const link = 'https://github.com/acme/docs/pull/1';
  const pulls = { 'acme/docs#1': { state: 'open', merged: false, head: { sha: 'e1' } } };
  await using history = await start({ pullStates: pulls });
  const { clock } = history.workflow;
  history.fates.set('job_1', 'completed');
  history.links.set('job_1', link);
  const append = { inputs: { pullRequest: 'append' } };
  await push(history, 2, append);
  const { run } = await push(history, 3, append);
  run.list('docs', { completed_at: new Date(clock.date()).toISOString() });
  clock.after(20_000, () => history.fates.set('job_1', 'failed'));
  expect((await push(history, 4, append)).sent).toEqual(['c3', 'c4']);
});
