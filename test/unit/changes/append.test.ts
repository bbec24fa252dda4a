import { describe, expect, test } from 'vitest';
import type { ChangedFile, GitHub } from '../../../src/github/github.ts';
import { parseInputs } from '../../../src/inputs/inputs.ts';
import type { Covered } from '../../../src/lib/covered.ts';
import { CancelledError, GitHubError } from '../../../src/lib/errors.ts';
import { composePrompt } from '../../../src/prompt.ts';
import { FACTS, FakeClock, fakeEffects } from '../../support/fakes.ts';

const files: readonly ChangedFile[] = Array.from({ length: 20 }, (_, n) => ({
  filename: `src/${n}.ts`,
  previous_filename: undefined,
  status: 'modified',
  additions: 1,
  deletions: 1,
  patch: undefined,
}));
const commits = Array.from({ length: 250 }, (_, n) => ({
  sha: `c${n}`,
  commit: { message: `Subject ${n}` },
}));
const comparison = {
  status: 'ahead',
  url: 'u',
  mergeBase: 'm',
  totalCommits: 300,
  commits,
  files,
} as const;
const event = {
  name: 'push',
  payload: { before: 'b' },
  ref: '',
  sha: 'h',
  repository: 'a/b',
};
const github = { event, compare: async () => comparison } as unknown as GitHub;

/** The prompt that these inputs give, and the effects that were used. */
function append(
  given: Readonly<Record<string, string>>,
  {
    clock = new FakeClock(),
    on = github,
    covered,
    clean = (text) => text,
  }: {
    clock?: FakeClock;
    on?: Partial<GitHub>;
    covered?: Covered;
    clean?: (text: string) => string;
  } = {},
) {
  const raw = { prompt: 'x', projectId: 'p', adminApiKey: 'mint_0123456789', githubToken: 't' };
  const inputs = parseInputs({ ...raw, ...given }, FACTS, clean);
  const effects = fakeEffects(() => ({ kind: 'lost', error: '' }), { clock });
  effects.runner.clean = clean;
  const source = { github: async () => on as GitHub, covered };
  return { effects, composed: composePrompt('x', inputs, source, effects) };
}

test('the changes of a pull request without its files are logged with the reason', async () => {
  const payload = { pull_request: { number: 5, base: { sha: 'b' }, head: { sha: 'h' } } };
  const pullRequest = () => Promise.reject(new GitHubError('forbidden', 'HTTP 403'));
  const on = { ...github, event: { ...event, name: 'pull_request', payload }, pullRequest };
  const { composed, effects } = append({ changes: 'files' }, { on });
  await composed;
  expect(effects.runner.log).toContain(
    'The files of pull request 5 are taken from the comparison of its base and head: HTTP 403. `pull-requests: read` gives the exact list.',
  );
});

describe('the overview of the changes', () => {
  test('says what was left out, as the log does', async () => {
    const { composed, effects } = append({ changes: 'files', paths: 'src/1*.ts' });
    expect((await composed).changes).toEqual({
      kind: 'known',
      commits: 300,
      files: 20,
      selectedFiles: 11,
      patterns: ['src/1*.ts'],
      exampleFiles: ['src/0.ts', 'src/1.ts', 'src/2.ts'],
      base: 'b',
      head: 'h',
      url: 'u',
      leftOut: ['50 commits not listed'],
    });
    expect(effects.runner.log).toEqual([
      'Changes: 300 commits and 20 changed files, 11 of them selected by `paths`, from `b` to `h`.',
      'Left out of the prompt: 50 commits not listed.',
    ]);
  });

  test('says what the list lacks when the prompt holds no changes', async () => {
    const many = Array.from({ length: 300 }, () => files)
      .flat()
      .slice(0, 300);
    const tree = async () => ({ tree: [], truncated: true });
    const on = { ...github, tree, compare: async () => ({ ...comparison, files: many }) };
    const { composed, effects } = append({ paths: 'src/**' }, { on });
    expect(await composed).toMatchObject({ kind: 'prompt', text: 'x' });
    expect(effects.runner.log.at(-1)).toEqual(
      expect.stringMatching(/^Left out of the list: GitHub lists only the first 300 files/),
    );
  });

  test('is made without a pause while that takes no time', async () => {
    const clock = new FakeClock();
    clock.pass(1_000);
    const { composed } = append({ changes: 'files', paths: 'src/1*.ts' }, { clock });
    expect(await composed).toMatchObject({ kind: 'prompt' });
    expect(clock.slept).toEqual([]);
  });

  test('says nothing of what was left out when the step is skipped, because nothing is sent', async () => {
    const { composed, effects } = append({ changes: 'files', paths: 'docs/**' });
    expect(await composed).toMatchObject({
      kind: 'skipped',
      reason: 'no-matching-file',
      changes: { leftOut: [], patterns: ['docs/**'] },
      range: undefined,
    });
    expect(effects.runner.log).toHaveLength(1);
  });
});

test('a cancel stops the check of many files', async () => {
  const clock = new FakeClock();
  const { composed, effects } = append({ paths: 'docs/**' }, { clock });
  // The clock moves on by 60 ms each time it is read, so that there is a pause at every second
  // file.
  const now = clock.now.bind(clock);
  clock.now = () => {
    clock.pass(60);
    return now();
  };
  let pauses = 0;
  clock.handleSignals = async () => {
    pauses += 1;
    if (pauses === 3) effects.abort.abort(new CancelledError('SIGINT'));
  };
  await expect(composed).rejects.toThrow(CancelledError);
  expect(pauses).toBe(3);
});

describe('the range for the record', () => {
  const nightly = { ...github, event: { ...event, name: 'schedule', payload: {} } };
  const covered: Covered = { kind: 'from', sha: 'c', earlier: [] };

  test('is there under `last-success`, whether the prompt is sent or not', async () => {
    const range = { from: 'm', to: 'h' };
    for (const paths of ['src/**', 'docs/**']) {
      const { composed } = append({ paths }, { on: nightly, covered });
      expect(await composed).toMatchObject({ range });
    }
    const { composed } = append({ paths: 'docs/**', since: 'v1' });
    expect(await composed).toMatchObject({ kind: 'skipped', range });
  });

  test('is not there when the event alone says where the changes start', async () => {
    expect(await append({ changes: 'files' }).composed).toMatchObject({ range: undefined });
    expect(await append({}).composed).toMatchObject({ range: undefined, changes: undefined });
  });
});

describe('with nothing to start from', () => {
  const on = (name: string) => ({ ...github, event: { ...event, name, payload: {} } });
  const range = { from: undefined, to: 'h' };
  const nothing = (isFirstRun: boolean, unrecorded = 0): Covered => {
    return { kind: 'nothing', isFirstRun, begins: [], unrecorded };
  };

  test('a first night is skipped without a warning, and recorded', async () => {
    const first = { on: on('schedule'), covered: nothing(true) };
    const { composed, effects } = append({ changes: 'files' }, first);
    expect(await composed).toEqual({
      kind: 'skipped',
      reason: 'nothing-to-start-from',
      changes: { kind: 'unknown', reason: expect.stringContaining('first run') },
      range,
    });
    expect(effects.runner.annotations).toEqual([]);
  });

  test('a later night is skipped, and a warning says how to catch up', async () => {
    const covered = nothing(false);
    const { composed, effects } = append({ changes: 'files' }, { on: on('schedule'), covered });
    expect(await composed).toMatchObject({ kind: 'skipped', range });
    const [warning] = effects.runner.annotations;
    expect(warning?.message).toMatch(/^There is nothing to start from: no earlier run/);
    expect(warning?.message).toContain('Nothing is sent. The next run starts at `h`.');
    expect(warning?.message).toContain('set `since` to the commit before them');
  });

  test('a dispatch is sent without changes, recorded, and a warning says so', async () => {
    const given = { changes: 'files', paths: 'docs/**' };
    const typed = { on: on('workflow_dispatch'), covered: nothing(true) };
    const { composed, effects } = append(given, typed);
    const text = expect.stringMatching(/^x\n\n.*\n(changes-\w+)\nwhat happened: [\s\S]*\n\1\n$/);
    expect(await composed).toMatchObject({ kind: 'prompt', text, range });
    expect(effects.runner.annotations).toEqual([
      {
        level: 'warning',
        title: 'Docs agent: nothing to start from',
        message: expect.stringContaining('The prompt has no changes, and `paths` is not applied.'),
      },
    ]);
  });
});

test('a step whose earlier runs left no record says that it is new', async () => {
  const covered = { kind: 'nothing', isFirstRun: false, begins: [], unrecorded: 2 } as const;
  const { composed, effects } = append({ changes: 'files' }, { covered });
  expect(await composed).toMatchObject({ kind: 'prompt', range: { from: 'm', to: 'h' } });
  expect(effects.runner.annotations).toEqual([
    {
      level: 'warning',
      title: 'Docs agent: this step is new',
      message:
        'No run of this step has changes on record, and 2 earlier runs of this workflow job left no record. What changed before is not sent. To send earlier changes, set `since` to the commit before them.',
    },
  ]);
});

test('a typed prompt whose changes a newer run has goes out alone, and leaves no range', async () => {
  const covered = { kind: 'newer', runNumber: 8 } as const;
  const { composed, effects } = append({ changes: 'files' }, { covered });
  const reason = 'run #8 of this workflow is newer and has them';
  expect(await composed).toEqual({
    kind: 'prompt',
    text: 'x',
    appendedText: 'x',
    changes: { kind: 'unknown', reason },
    range: undefined,
  });
  expect(effects.runner.log).toEqual([`The prompt is sent without changes: ${reason}.`]);
});

test('a pattern that names only a folder gets a warning with what to write', async () => {
  const { composed, effects } = append({ paths: 'src\n!src/1' });
  expect(await composed).toMatchObject({ kind: 'skipped' });
  expect(effects.runner.annotations.map(({ message }) => message)).toEqual([
    '`paths` names folders without `**`, which select no file. `src`: write `src/**`.',
  ]);
});

test.each([
  { what: 'nothing but a lock file', filename: 'pnpm-lock.yaml', warns: false },
  { what: 'a source file whose patch cannot be had', filename: 'a.ts', warns: true },
])('with $what, the warning that there is no patch comes: $warns', async ({ filename, warns }) => {
  const tree = async () => ({ tree: [], truncated: true });
  const compare = async () => ({ ...comparison, files: [{ ...files[0], filename }] });
  const on = { ...github, compare, tree } as unknown as GitHub;
  const { composed, effects } = append({ changes: 'diff' }, { on });
  expect(await composed).toMatchObject({ kind: 'prompt' });
  const titles = effects.runner.annotations.map(({ title }) => title);
  expect(titles).toEqual(warns ? ['Docs agent: no patches'] : []);
});

test('where GitHub fails to give the contents of a file, nothing is sent', async () => {
  const tree = () => Promise.reject(new GitHubError('failed', 'Reading a tree failed'));
  const { composed } = append({ changes: 'diff' }, { on: { ...github, tree } });
  await expect(composed).rejects.toThrow(
    'Reading a tree failed. Run this workflow job again. No prompt was sent.',
  );
});

test('a secret in a commit, a file name or a patch is taken out before anything is cut', async () => {
  const secret = 'mint_abcdefgh12345';
  const message = `${'s'.repeat(190)}${secret}\n\n${'b'.repeat(490)}${secret}`;
  const filename = `${'x'.repeat(90)}${secret}.lock`;
  const file = { ...files[0], filename, patch: `+${'p'.repeat(1_995)}${secret}` };
  const found = { ...comparison, commits: [{ sha: 'c', commit: { message } }], files: [file] };
  const on = { ...github, compare: async () => found } as unknown as GitHub;
  const { composed } = append(
    { changes: 'diff' },
    { on, clean: (text) => text.replaceAll(secret, '***') },
  );
  const shown = JSON.stringify(await composed);
  expect(shown).toContain('***');
  expect(shown).not.toContain('mint_');
});
