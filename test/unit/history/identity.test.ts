import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { identityOf, parseWorkflowJob, type StepInputs } from '../../../src/history/identity.ts';
import { INPUT_NAMES, parseInputs, type RawInputs } from '../../../src/inputs/inputs.ts';
import { FACTS } from '../../support/fakes.ts';

const TASK = { kind: 'create', instruction: 'x' } as const;
const ASKED: StepInputs = {
  ...{
    task: TASK,
    projectId: 'p',
    changes: 'files',
    paths: ['src/**', '!src/x'],
    skip: ['chore*'],
  },
  ...{ since: 'auto', workflowJob: '22 null' },
};
const STEP = { job: 'docs', step: 's' };

describe('the input workflowJob', () => {
  test.each([
    ['123 null', 123, ''],
    ['123', 123, ''],
    ['123 {\n  "os": "a b"\n}', 123, '{\n  "os": "a b"\n}'],
    ['null', undefined, ''],
    [' {"n":[1, 2]}', undefined, '{"n":[1, 2]}'],
    ['', undefined, ''],
    ['0 null', undefined, ''],
    ['9007199254740993', undefined, ''],
    ['12x null', undefined, '12x null'],
  ])('of %j has the id %s and the matrix %j', (text, id, matrix) => {
    expect(parseWorkflowJob(text)).toEqual({ id, matrix });
  });
});

describe('the key of a step', () => {
  const keyOf = (asked: Partial<StepInputs>, step: Partial<typeof STEP> = {}) =>
    identityOf({ ...ASKED, ...asked }, { ...STEP, ...step }).key;

  // https://csrc.nist.gov/projects/cryptographic-standards-and-guidelines/example-values
  test('is the beginning of a SHA-256 over its parts as JSON', () => {
    const whole = createHash('sha256').update('["create","p","docs","","s"]').digest('hex');
    expect(keyOf({})).toBe(whole.slice(0, 16));
  });

  test.each<{ asked?: Partial<StepInputs>; step?: Partial<typeof STEP> }>([
    { asked: { task: { ...TASK, kind: 'message' } } },
    { asked: { projectId: 'P' } },
    { asked: { workflowJob: '22 {"a":1}' } },
    { step: { job: 'docs_2' } },
    { step: { step: '__acme_docs_2' } },
  ])('differs with %o', ({ asked = {}, step = {} }) => {
    expect(keyOf(asked, step)).not.toBe(keyOf({}));
  });

  test('is the same in every run and attempt, and for every prompt', () => {
    expect(keyOf({ workflowJob: '23 null', task: { ...TASK, instruction: 'y' } })).toBe(keyOf({}));
  });
});

describe('the hash of the inputs', () => {
  const inputsOf = (asked: Partial<StepInputs>) => identityOf({ ...ASKED, ...asked }, STEP).inputs;

  // A re-run may use a newer release, and has to find the records of an older one.
  test('is the beginning of a SHA-256 over what makes the prompt as JSON', () => {
    const made = '["x","files",["src/**","!src/x"],["chore*"],"auto",null]';
    const whole = createHash('sha256').update(made).digest('hex');
    expect(inputsOf({})).toBe(whole.slice(0, 16));
  });

  test.each<Partial<StepInputs>>([
    { task: { ...TASK, instruction: 'x ' } },
    { changes: 'diff' },
    { paths: ['src/**'] },
    { skip: [] },
    { since: 'last-success' },
    { task: { ...TASK, jobId: 'job_1' } },
    { task: { ...TASK, jobId: '' } },
  ])('differs with %o', (asked) => {
    expect(inputsOf(asked)).not.toBe(inputsOf({}));
  });

  // Every input is here: a new one says whether it makes the prompt. `pullRequest` does not: what is
  // asked for is the same, whatever call is made.
  const other: Readonly<Record<keyof RawInputs, readonly [value: string, makesPrompt: boolean]>> = {
    prompt: ['y', true],
    promptFile: ['y', true],
    projectId: ['q', false],
    adminApiKey: ['mint_2', false],
    changes: ['diff', true],
    paths: ['src/**', true],
    since: ['last-success', true],
    skip: ['chore*', true],
    jobId: ['job_1', true],
    pullRequest: ['append', false],
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
      const needed = { projectId: 'p', adminApiKey: 'mint_1', githubToken: 'token' };
      // `skip` needs them.
      const given = { ...needed, changes: 'files', ...raw };
      const file = text === undefined ? undefined : { text };
      const { task, ...parsed } = parseInputs(given, FACTS, String, file);
      if (task.kind === 'follow') throw new Error('nothing is sent');
      return identityOf({ ...parsed, task }, FACTS).inputs;
    };
    const [value, makesPrompt] = other[name];
    const changed = name === 'promptFile' ? { [name]: value } : { prompt: 'x', [name]: value };
    expect(hashWith(changed) !== hashWith({ prompt: 'x' })).toBe(makesPrompt);
  });
});
