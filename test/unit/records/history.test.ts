import { describe, expect, test } from 'vitest';
import type { GitHub, WorkflowJob } from '../../../src/github/github.ts';
import type { Annotation } from '../../../src/lib/annotation.ts';
import { GitHubError, RunError } from '../../../src/lib/errors.ts';
import { History, type HistoryAccess } from '../../../src/records/history.ts';
import { recordIn } from '../../../src/records/record.ts';
import { FACTS, RecordingRunner } from '../../support/fakes.ts';

const HEAD = 'f'.repeat(40);
const START = 'a'.repeat(40);
const THIS_RUN = { id: FACTS.runId, run: 2 };

/** A step in the second run of its workflow; `before` is what the first run left behind. */
function begin(before: readonly Annotation[] = [], more: Partial<HistoryAccess> = {}) {
  const job = (id: number, run_id: number, status: string): WorkflowJob => ({
    id,
    run_id,
    name: 'docs',
    run_attempt: 1,
    status,
    runner_name: FACTS.runnerName,
  });
  const run = (id: number, run_number: number, status: string) => ({
    id,
    workflow_id: 7,
    run_number,
    status,
    head_branch: 'main',
    head_repository: { full_name: FACTS.repository ?? '' },
  });
  const current = run(THIS_RUN.id, THIS_RUN.run, 'in_progress');
  const asked: string[] = [];
  const github = {
    workflowJob: async () => job(22, THIS_RUN.id, 'in_progress'),
    workflowJobs: async (runId: number) => {
      asked.push(`jobs of ${runId}`);
      return runId === THIS_RUN.id ? [] : [job(11, 1, 'completed')];
    },
    run: async () => current,
    runs: async function* () {
      yield current;
      yield run(1, 1, 'completed');
    },
    annotations: async () => before,
  } as unknown as GitHub;
  const runner = new RecordingRunner();
  const kept: boolean[] = [];
  const history = new History({
    call: 'create',
    facts: FACTS,
    projectId: 'p',
    prompt: { instruction: 'x', changes: 'files', paths: [], since: 'auto', jobId: undefined },
    workflowJob: '22 null',
    github: async () => github,
    hasToken: true,
    readJob: async () => ({ kind: 'job', status: 'active', prLink: '' }),
    runner,
    onRecord: (isKept) => kept.push(isKept),
    ...more,
  });
  return { history, runner, kept, asked };
}

const recordsOf = ({ annotations }: RecordingRunner) => annotations.map(recordIn);

describe('the records of a step', () => {
  test('say what came of it, and that GitHub keeps them', () => {
    const { history, runner, kept } = begin();
    history.recordAccepted('job_1');
    history.recordDoubt();
    expect(recordsOf(runner)).toMatchObject([
      { what: { kind: 'job', id: 'job_1' } },
      { what: { kind: 'unknown' } },
    ]);
    expect(runner.annotations[0]?.message).toMatch(/^Agent job `job_1` was created\.\n/);
    expect(kept).toEqual([true, true]);
  });

  test('of an id that is too long are not kept', () => {
    const { history, kept } = begin();
    history.recordAccepted('ü'.repeat(900));
    expect(kept).toEqual([false]);
  });

  test('have the changes that are its part', async () => {
    const first = begin();
    await first.history.setRange({ from: undefined, to: START });
    first.history.recordSkip('nothing-to-start-from');
    const second = begin(first.runner.annotations);
    expect(await second.history.lastCovered()).toMatchObject({ kind: 'from', sha: START });
    await second.history.setRange({ from: START, to: HEAD });
    second.history.recordAccepted('job_1');
    expect(recordsOf(second.runner)).toMatchObject([{ from: START, to: HEAD, open: [] }]);
  });

  test('carry over what is still at work under a `since` that a person named', async () => {
    const first = begin();
    await first.history.setRange({ from: START, to: HEAD });
    first.history.recordAccepted('job_1');
    const second = begin(first.runner.annotations);
    await second.history.setRange({ from: HEAD, to: HEAD });
    second.history.recordAccepted('job_2');
    expect(recordsOf(second.runner)).toMatchObject([{ open: [{ id: 'job_1', from: START }] }]);
  });

  test('carry over what is still at work, whatever comes of this run', async () => {
    const first = begin();
    await first.history.setRange({ from: START, to: HEAD });
    first.history.recordAccepted('job_1');
    const second = begin(first.runner.annotations);
    await second.history.lastCovered();
    await second.history.setRange({ from: HEAD, to: HEAD });
    second.history.recordSkip('nothing-changed');
    expect(recordsOf(second.runner)).toMatchObject([
      { what: { kind: 'none' }, from: HEAD, to: HEAD, open: [{ id: 'job_1', from: START }] },
    ]);
  });

  test('are not needed for a skip without a range', async () => {
    const { history, runner } = begin();
    await history.setRange(undefined);
    history.recordSkip('no-matching-file');
    expect(runner.annotations).toEqual([]);
  });

  test('that would be too long to be kept stop the step', async () => {
    const id = (n: number) => `job_${n}_${'x'.repeat(400)}`;
    let annotations: readonly Annotation[] = [];
    const turn = async (n: number) => {
      const { history, runner, kept } = begin(annotations);
      await history.lastCovered();
      const sha = (at: number) => `${at}`.padStart(40, '0');
      await history.setRange({ from: sha(n), to: sha(n + 1) });
      history.recordAccepted(id(n));
      expect(kept).toEqual([true]);
      annotations = runner.annotations;
    };
    for (let n = 1; n <= 8; n += 1) await turn(n);
    await expect(turn(9)).rejects.toThrow('Too many of their agent jobs are still running');
  });
});

describe('an earlier attempt', () => {
  test('that cannot be looked for, because the token is refused, stops the step', async () => {
    const error = new GitHubError('bad-token', 'HTTP 401');
    const { history } = begin([], { github: () => Promise.reject(error) });
    const stop = history.lookBack();
    await expect(stop).rejects.toThrow(RunError);
    await expect(stop).rejects.toThrow('HTTP 401. Check `githubToken`');
  });

  test('is not looked for without a token, and a warning says so', async () => {
    const { history, runner, asked } = begin([], { hasToken: false });
    expect(await history.lookBack()).toBeUndefined();
    expect(asked).toEqual([]);
    expect(runner.annotations).toMatchObject([
      { level: 'warning', message: expect.stringContaining('`githubToken` is empty') },
    ]);
  });

  test.each(['failed', 'rate-limited'] as const)(
    'stops the step when GitHub fails: %s',
    async (kind) => {
      const error = new GitHubError(kind, 'GitHub is away');
      const { history, runner } = begin([], { github: () => Promise.reject(error) });
      await expect(history.lookBack()).rejects.toThrow(
        'GitHub is away. Nothing was sent. Press "Re-run failed jobs" again.',
      );
      expect(runner.annotations).toEqual([]);
    },
  );
});
