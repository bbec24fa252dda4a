import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { GitHub, WorkflowJob } from '../../../src/github/github.ts';
import { INPUT_NAMES, parseInputs, type RawInputs } from '../../../src/inputs/inputs.ts';
import type { Annotation } from '../../../src/lib/annotation.ts';
import { GitHubError, RunError } from '../../../src/lib/errors.ts';
import { createHistory, type HistoryAccess } from '../../../src/records/history.ts';
import { recordIn, type StepRecord } from '../../../src/records/record.ts';
import { FACTS, RecordingRunner } from '../../support/fakes.ts';

const HEAD = 'f'.repeat(40);
const START = 'a'.repeat(40);
const CREATE = { kind: 'create', instruction: 'x' } as const;
const INPUTS = {
  projectId: 'p',
  changes: 'files',
  paths: [],
  since: 'auto',
  workflowJob: '22 null',
  githubToken: 'token',
};
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
      yield { total: 2, runs: [current, run(1, 1, 'completed')] };
    },
    annotations: async () => before,
  } as unknown as GitHub;
  const runner = new RecordingRunner();
  const kept: boolean[] = [];
  const history = createHistory({
    task: CREATE,
    inputs: INPUTS,
    facts: FACTS,
    github: async () => github,
    readJob: async () => ({ status: 'active', prLink: '' }),
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

  test('warn a later run of what is in doubt', async () => {
    const first = begin();
    await first.history.setRange({ from: START, to: HEAD });
    first.history.recordDoubt();
    const second = begin(first.runner.annotations);
    await second.history.lastCovered();
    const { level, title, message } = second.runner.annotations[0] ?? {};
    expect([level, title]).toEqual(['warning', 'Docs agent: earlier runs']);
    expect(message).toMatch(/^The agent job of run #1 may have been created/);
  });

  test('count as covered without a key, with a warning', async () => {
    const first = begin();
    await first.history.setRange({ from: START, to: HEAD });
    first.history.recordAccepted('job_1');
    const second = begin(first.runner.annotations, { readJob: undefined });
    expect(await second.history.lastCovered()).toMatchObject({ sha: HEAD, earlier: [] });
    expect(second.runner.annotations.map(({ message }) => message)).toEqual([
      'Without `adminApiKey` the agent jobs of earlier runs cannot be read. Each of them counts as completed.',
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
    await expect(turn(9)).rejects.toThrow('Too many agent jobs of earlier runs are still running');
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
    const { history, runner, asked } = begin([], { inputs: { ...INPUTS, githubToken: '' } });
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

/** What the step records, whatever comes of it. */
function recordOf(more: Partial<HistoryAccess>) {
  const { history, runner } = begin([], more);
  history.recordDoubt();
  return recordsOf(runner)[0] as StepRecord;
}

/** A step with these parts of its key. */
const keyOf = (parts: {
  readonly call?: 'message';
  readonly projectId?: string;
  readonly job?: string;
  readonly matrix?: string;
  readonly step?: string;
}) => {
  const { call, projectId = 'p', job = 'docs', matrix = 'null', step = 's' } = parts;
  return recordOf({
    task: call === undefined ? CREATE : { ...CREATE, kind: call },
    inputs: { ...INPUTS, projectId, workflowJob: `22 ${matrix}` },
    facts: { ...FACTS, job, step },
  }).key;
};

describe('the key of a step', () => {
  // https://csrc.nist.gov/projects/cryptographic-standards-and-guidelines/example-values
  test('is the beginning of a SHA-256 over its parts as JSON', () => {
    const whole = createHash('sha256').update('["create","p","docs","","s"]').digest('hex');
    expect(keyOf({})).toBe(whole.slice(0, 16));
  });

  test.each<Parameters<typeof keyOf>[0]>([
    { call: 'message' },
    { projectId: 'P' },
    { job: 'docs_2' },
    { matrix: '{"a":1}' },
    { step: '__acme_docs_2' },
    { projectId: 'p","docs' },
    { projectId: '', job: 'pdocs' },
    { projectId: 'pdocs', job: '' },
  ])('differs with %o', (other) => {
    expect(keyOf(other)).not.toBe(keyOf({}));
  });
});

describe('the hash of the inputs', () => {
  const inputs = { ...INPUTS, paths: ['src/**', '!src/x'] };
  const hashOf = (task: HistoryAccess['task'], other: Partial<typeof inputs> = {}) =>
    recordOf({ task, inputs: { ...inputs, ...other } }).inputs;

  test.each<Partial<typeof inputs> & Partial<HistoryAccess['task']>>([
    { instruction: 'x ' },
    { changes: 'diff' },
    { paths: ['src/**'] },
    { paths: ['src/**,!src/x'] },
    { paths: ['src/**\n!src/x'] },
    { since: 'last-success' },
    { jobId: 'job_1' },
    { jobId: '' },
    { instruction: 'xfiles', changes: '' },
  ])('differs with %o', (other) => {
    expect(hashOf({ ...CREATE, ...other }, other)).not.toBe(hashOf(CREATE));
  });

  test('does not depend on other inputs or on their order', () => {
    const { projectId, ...others } = { wait: true, ...inputs };
    expect(hashOf(CREATE, { ...others, projectId: `${projectId}2` })).toBe(hashOf(CREATE));
    expect(recordOf({ inputs: { ...others, projectId } }).inputs).toBe(hashOf(CREATE));
  });

  // Every input is here: a new one says whether it makes the prompt.
  const other: Readonly<Record<keyof RawInputs, readonly [value: string, makesPrompt: boolean]>> = {
    prompt: ['y', true],
    promptFile: ['y', true],
    projectId: ['q', false],
    adminApiKey: ['mint_2', false],
    changes: ['diff', true],
    paths: ['src/**', true],
    since: ['last-success', true],
    jobId: ['job_1', true],
    rerun: ['create', false],
    dryRun: ['true', false],
    wait: ['false', false],
    timeout: ['1h', false],
    pollInterval: ['20s', false],
    baseUrl: ['https://agent.test', false],
    githubToken: ['token2', false],
    workflowJob: ['23 null', false],
  };

  test.each(INPUT_NAMES)('changes with the input %s only if that makes the prompt', (name) => {
    const hashWith = ({ promptFile: text, ...raw }: RawInputs) => {
      const given = { projectId: 'p', adminApiKey: 'mint_1', githubToken: 'token', ...raw };
      const file = text === undefined ? undefined : { text };
      const { task, ...parsed } = parseInputs(given, FACTS, String, file);
      if (task.kind === 'follow') throw new Error('nothing is sent');
      return recordOf({ task, inputs: parsed }).inputs;
    };
    const [value, makesPrompt] = other[name];
    const changed = name === 'promptFile' ? { [name]: value } : { prompt: 'x', [name]: value };
    expect(hashWith(changed) !== hashWith({ prompt: 'x' })).toBe(makesPrompt);
  });

  test('of paths alone keeps the lines apart', async () => {
    const hashOfPaths = async (...paths: readonly string[]) => {
      const { history, runner } = begin([], { inputs: { ...INPUTS, paths } });
      await history.setRange({ from: START, to: HEAD });
      history.recordSkip('no-matching-file');
      const [record] = recordsOf(runner);
      return typeof record === 'object' && record.what;
    };
    expect(await hashOfPaths('a', 'b')).toMatchObject({ pathsHash: expect.any(String) });
    expect(await hashOfPaths('a', 'b')).not.toEqual(await hashOfPaths('ab'));
    expect(await hashOfPaths('a', 'b')).toEqual(await hashOfPaths('a', 'b'));
  });
});
