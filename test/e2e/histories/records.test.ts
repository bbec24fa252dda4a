/**
 * The edges of `last-success` and of re-runs: what a step leaves behind when it fails early, when it
 * runs out of order, and when a record cannot be read; and that what a stop advises works.
 */
import { describe, expect, test } from 'vitest';
import { annotations } from '../../support/action.ts';
import { reply, type ServiceOptions } from '../../support/agent-service.ts';
import { dose } from '../../support/dose.ts';
import type { Failure } from '../../support/github-service.ts';
import {
  type History,
  type HistoryOptions,
  type Night,
  names,
  type StepOptions,
  startHistory,
} from '../../support/workflow-run.ts';

const WRONG_KEY: StepOptions = { inputs: { adminApiKey: 'mint_wrong_0123456789' } };
const APPEND: StepOptions = { inputs: { pullRequest: 'append' } };
const LINT = { annotation_level: 'warning', title: 'lint', message: 'unused' };

const errorOf = ({ result }: Night) =>
  annotations(result)
    .filter((text) => text.startsWith('error'))
    .join('\n');
const recordsOf = ({ result }: Night) =>
  annotations(result).flatMap((text) => /\(for later runs\) .*/.exec(text) ?? []);

/** A history in which c2 went to the agent job `job_1`. */
async function begin(fate?: string, options?: HistoryOptions) {
  const history = await startHistory(options);
  const { run } = await history.push(2);
  if (fate !== undefined) history.fates.set('job_1', fate);
  return { ...history, run };
}

describe.concurrent('the first runs of a history fail', () => {
  const limited: Failure = {
    status: 403,
    body: { message: 'API rate limit exceeded' },
    headers: { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '9999999999' },
  };
  test.concurrent.each<{ promise: string; inputs?: StepOptions['inputs']; fault?: Failure }>([
    { promise: 'on the key', ...WRONG_KEY },
    { promise: 'on a missing key', inputs: { adminApiKey: '' } },
    { promise: 'on GitHub', fault: { status: 500 } },
    { promise: 'on a rate limit', fault: limited },
    { promise: 'on `paths`', inputs: { paths: '- src' } },
  ])('$promise, and the next good run sends all of their changes', async ({ inputs, fault }) => {
    let isDown = true;
    await using history = await startHistory({
      github: { fail: (path) => (isDown && /compare|actions/.test(path) ? fault : undefined) },
    });
    for (const n of [2, 3]) {
      const failed = await history.push(n, inputs && { inputs });
      expect(failed.outcome).toBe('error');
      expect(recordsOf(failed)).toEqual([expect.stringContaining('job=todo')]);
    }
    isDown = false;
    expect((await history.push(4)).sent).toEqual(['c2', 'c3', 'c4']);
    history.fates.set('job_1', 'completed');
    expect((await history.push(5)).sent).toEqual(['c5']);
  });

  test.concurrent('many times by a refused key, and the next one sends what was refused', async () => {
    const last = dose(9, 52);
    await using history = await startHistory();
    for (let n = 2; n <= last; n += 1) await history.push(n, WRONG_KEY);
    const good = await history.push(last + 1);
    expect(good.sent).toEqual(names(2, last + 1));
    expect(good.requests.length).toBeLessThanOrEqual(12);
  });
});

describe.concurrent('a step that sends nothing', () => {
  test.concurrent('has its record in its closing annotation alone', async () => {
    await using history = await startHistory();
    const skipped = await history.push(2, { inputs: { paths: 'docs/**' } });
    expect(skipped.outcome).toBe('skipped');
    expect(annotations(skipped.result)).toHaveLength(1);
    expect(recordsOf(skipped)[0]).toMatch(/job=none .* from=\w+ to=\w+ end$/);
  });

  test.concurrent.each<Record<string, string>>([{}, { since: 'c2' }])(
    'in a dry run with %o leaves no record and moves nothing',
    async (since) => {
      await using history = await begin('completed');
      const dry = await history.push(3, { inputs: { dryRun: 'true', ...since } });
      expect(dry).toMatchObject({ outcome: 'dry-run', sent: undefined });
      expect(recordsOf(dry)).toEqual([]);
      expect((await history.push(4)).sent).toEqual(['c3', 'c4']);
    },
  );
});

describe.concurrent('a first attempt that starts after a newer run', () => {
  const event = { before: 'c2' };
  /** It waits for the end, whatever `wait` says. */
  const inputs = { timeout: '1m', pollInterval: '30s' };

  test.concurrent('is skipped when that run has its changes', async () => {
    await using history = await begin('completed');
    const late = history.workflow.begin('c3', 'push');
    expect((await history.push(4)).sent).toEqual(['c3', 'c4']);
    const skipped = await history.step(late, { event });
    expect(skipped.outcome).toBe('skipped');
    expect(annotations(skipped.result)[0]).toContain(
      'run #3 of this workflow is newer and has them',
    );
    expect(recordsOf(skipped)[0]).not.toMatch(/ (from|to)=/);
    late.complete();
    history.fates.set('job_2', 'failed');
    expect((await history.push(5)).sent).toEqual(['c3', 'c4', 'c5']);
  });

  test.concurrent('is sent when that run has a later named start', async () => {
    await using history = await begin('completed');
    const late = history.workflow.begin('c3', 'push');
    await history.push(4, { inputs: { since: 'c3' } });
    const sent = await history.step(late, { event, inputs });
    expect(sent.sent).toEqual(['c3']);
    expect(sent.result.stdout).toContain('Later runs may not look at this one');
  });

  test.concurrent('is sent when that run had nothing to start from', async () => {
    await using history = await startHistory();
    const late = history.workflow.begin('c3', 'push');
    expect((await history.night('c4')).outcome).toBe('skipped');
    expect((await history.step(late, { event, inputs })).sent).toEqual(['c3']);
  });

  test.concurrent('is sent without changes when a person typed it', async () => {
    await using history = await begin('completed');
    const late = history.workflow.begin('c3', 'workflow_dispatch');
    await history.push(4);
    const typed = await history.step(late, { inputs });
    expect(typed).toMatchObject({ outcome: 'timed-out', sent: [] });
    expect(recordsOf(typed).at(-1)).not.toMatch(/ (from|to)=/);
  });
});

test.concurrent('a named start reads nothing of earlier runs, and is where the next run starts', async () => {
  await using history = await startHistory();
  await history.push(4, { inputs: { since: 'c2' } });
  const named = await history.push(5, { inputs: { since: 'c1' } });
  expect(named.requests.filter((path) => /actions|check-runs/.test(path))).toEqual([]);
  expect(recordsOf(named)[0]).not.toContain('open=');
  for (const id of ['job_1', 'job_2']) history.fates.set(id, 'failed');
  expect((await history.push(6)).sent).toEqual(['c2', 'c3', 'c4', 'c5', 'c6']);
});

describe.concurrent('a stop says what it is and what helps, and one run with a named start goes on:', () => {
  type Spoilt = Pick<History, 'workflow' | 'fates'> & Pick<Night, 'run'>;
  test.concurrent.each<{ promise: string; spoil: (history: Spoilt) => void; says: RegExp }>([
    {
      promise: 'a full check run',
      spoil: ({ run }) => run.annotationsOf().splice(0, 9, ...Array(50).fill(LINT)),
      says: /keeps 50 annotations.*workflow job of its own/,
    },
    {
      promise: 'a masked record',
      spoil: ({ run }) => run.rewrite((text) => text.replace(/key=\w{8}/, 'key=***')),
      says: /cannot be read: it was cut, a mask hides/,
    },
    {
      promise: 'a record of a newer version',
      spoil: ({ run }) => run.rewrite((text) => text.replace(' v=1 ', ' v=2 ')),
      says: /another version of this action/,
    },
    {
      promise: 'a failed workflow job without annotations',
      spoil: ({ run }) => {
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
      promise: 'a workflow job in progress for ever',
      spoil: ({ workflow, run }) => {
        workflow.setStatus(run.id, 'in_progress');
        run.list('docs', { status: 'in_progress' });
      },
      says: /Workflow job `docs` of run #1 is still running.*concurrency:/,
    },
    {
      promise: 'two workflow jobs of one name and one key',
      spoil: ({ workflow, run }) => {
        const twin = run.addJob('docs', { status: 'completed' });
        workflow.annotations[twin.id] = [...run.annotationsOf()];
      },
      says: /cannot be told apart.*a name of its own/,
    },
  ])('$promise', async ({ spoil, says }) => {
    await using history = await begin();
    spoil(history);
    const stopped = await history.push(3);
    expect(stopped).toMatchObject({ outcome: 'error', sent: undefined });
    expect(errorOf(stopped)).toMatch(says);
    expect(errorOf(stopped)).toContain('start a new run with `since` set to the commit before');
    const named = await history.push(4, { inputs: { since: 'c2' } });
    expect(named.sent).toEqual(['c3', 'c4']);
    history.fates.set('job_2', 'completed');
    expect((await history.push(5)).sent).toEqual(['c5']);
  });
});

describe.concurrent('an id in an unusable response to a create call', () => {
  /** The first create call gets this response. */
  const answering = (status: number, body: () => object): ServiceOptions => ({
    schedule: [{ status: 'active' }],
    intercept: ({ request, response, earlier }) =>
      request.method === 'POST' && earlier === 0 && reply(response, status, body()),
  });

  test.concurrent('beside an `error` is sent again by the next run, with a warning', async () => {
    const service = answering(500, () => ({ error: 'Internal', id: 'req_42' }));
    await using history = await startHistory({ service });
    const lost = await history.push(2);
    expect(lost.result.outputs).toMatchObject({ outcome: 'error', jobId: '' });
    expect(recordsOf(lost)[0]).toMatch(/job=unknown .*maybe=req_42/);
    const next = await history.push(3);
    expect(next.sent).toEqual(['c2', 'c3']);
    expect(next.warnings).toEqual([expect.stringContaining('may have been created')]);
  });

  test.concurrent('of a real agent job is followed by the re-run, and covered for the next run', async () => {
    const history: History = await startHistory({
      service: answering(502, () => ({ id: history.agent.addJob() })),
    });
    await using _ = history;
    const lost = await history.push(2);
    expect(lost.result.outputs).toMatchObject({ outcome: 'error', jobId: 'job_1' });
    const again = await history.again(lost.run);
    expect(again).toMatchObject({ outcome: 'started', sent: undefined });
    expect(again.result.outputs['jobId']).toBe('job_1');
    expect((await history.push(3)).sent).toEqual(['c3']);
  });
});

describe.concurrent('a re-run', () => {
  test.concurrent('behind a full attempt follows the agent job of an older one', async () => {
    await using history = await begin();
    const { run } = history;
    run.next();
    run.annotationsOf().push(...Array(50).fill(LINT));
    const third = await history.again(run);
    expect(third).toMatchObject({ outcome: 'started', sent: undefined });
    expect(third.result.outputs['jobId']).toBe('job_1');
  });

  test.concurrent('does not follow another leg of the same name', async () => {
    await using history = await startHistory();
    const run = history.workflow.begin('c2', 'push');
    const [one, two] = ['a', 'b'].map((leg) => ({ leg, matrix: { leg }, event: { before: 'c1' } }));
    await history.step(run, one);
    run.next();
    expect((await history.step(run, two)).result.outputs['jobId']).not.toBe('job_1');
  });

  test.concurrent('stops without a token', async () => {
    await using history = await startHistory();
    const inputs = { changes: 'none', since: 'auto' };
    const { run } = await history.push(2, { inputs });
    const again = await history.again(run, { inputs: { ...inputs, githubToken: '' } });
    expect(again).toMatchObject({ outcome: 'error', sent: undefined });
    expect(errorOf(again)).toContain('`githubToken` is empty');
  });

  test.concurrent('waits for annotations that appear seconds after the workflow job completed', async () => {
    await using history = await begin();
    const { run, workflow } = history;
    const { clock, annotations: kept } = workflow;
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
    await using history = await begin();
    const { run } = history;
    run.annotationsOf().length = 0;
    run.list('docs', { conclusion: 'failure' });
    expect(await history.again(run)).toMatchObject({ outcome: 'error', sent: undefined });
    expect((await history.again(run, { event: { before: 'c1' } })).sent).toEqual(['c2']);
  });

  test.concurrent('that sends keeps the part of its earlier attempt', async () => {
    await using history = await begin('completed');
    const refused = await history.push(3, WRONG_KEY);
    // A newer run that covers only its own event changes nothing.
    await history.push(4, { inputs: { since: 'auto' } });
    const again = await history.again(refused.run, { event: { before: 'c2' } });
    expect(again.sent).toEqual(['c3']);
  });
});

test.concurrent('a workflow job that a re-run of another one carried over stops nothing', async () => {
  await using history = await begin('completed');
  const { run } = history;
  const failed = { conclusion: 'failure', completed_at: '2026-01-01T00:00:00Z' };
  run.list('docs', failed);
  run.next();
  run.carryOver('docs');
  run.complete();
  run.list('docs', failed);
  expect((await history.push(3)).sent).toEqual(['c3']);
});

test.concurrent('the end before a message is not taken for its end by a run that starts at once', async () => {
  const pullStates = { 'acme/docs#1': { state: 'open', merged: false, head: { sha: 'e1' } } };
  await using history = await startHistory({ github: { pullStates } });
  const { clock } = history.workflow;
  history.fates.set('job_1', 'completed');
  history.links.set('job_1', 'https://github.com/acme/docs/pull/1');
  await history.push(2, APPEND);
  const { run } = await history.push(3, APPEND);
  run.list('docs', { completed_at: new Date(clock.date()).toISOString() });
  clock.after(20_000, () => history.fates.set('job_1', 'failed'));
  expect((await history.push(4, APPEND)).sent).toEqual(['c3', 'c4']);
});
