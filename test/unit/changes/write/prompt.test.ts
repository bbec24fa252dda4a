import { describe, expect, test } from 'vitest';
import { composePrompt, messageOf } from '../../../../src/changes/write/prompt.ts';
import type { ChangedFile, GitHub } from '../../../../src/github/github.ts';
import { parseInputs } from '../../../../src/inputs/inputs.ts';
import { CancelledError, GitHubError } from '../../../../src/model/errors.ts';
import type { Start } from '../../../../src/model/start.ts';
import { eventOf, FACTS, FakeClock, fakeEffects } from '../../../support/fakes.ts';

const files: readonly ChangedFile[] = Array.from({ length: 20 }, (_, n) => {
  return { filename: `src/${n}.ts`, status: 'modified', additions: 1, deletions: 1 };
});
const commits = Array.from({ length: 250 }, (_, n) => {
  return { sha: `c${n}`, commit: { message: `Subject ${n}` } };
});
const comparison = {
  ...({ status: 'ahead', url: 'u', mergeBase: 'm', totalCommits: 300 } as const),
  ...{ commits, files },
};

interface World {
  readonly event?: GitHub['event'];
  /** Parts of GitHub that work otherwise. */
  readonly parts?: Partial<GitHub>;
  readonly start?: Start;
  readonly clean?: (text: string) => string;
  readonly clock?: FakeClock;
}

/** The prompt that these inputs give, and the effects that were used. */
function compose(given: Readonly<Record<string, string>>, world: World = {}) {
  const { event = eventOf('push', { before: 'b' }), parts, start } = world;
  const { clean = (text) => text, clock = new FakeClock() } = world;
  const raw = { prompt: 'x', projectId: 'p', adminApiKey: 'mint_0123456789', githubToken: 't' };
  const inputs = parseInputs({ ...raw, ...given }, FACTS, clean);
  const effects = fakeEffects(() => ({ kind: 'lost', error: '' }), { clock });
  effects.runner.clean = clean;
  const github = { event, compare: async () => comparison, ...parts } as GitHub;
  const composed = composePrompt('x', inputs, { github: async () => github, start }, effects);
  return { effects, runner: effects.runner, composed };
}

const FILES = { changes: 'files' };
const cutTree = async () => ({ tree: [], truncated: true });
const range = { from: 'm', to: 'h' };

describe('the overview of the changes', () => {
  test('says what was left out, as the log does, and is made without a pause', async () => {
    const clock = new FakeClock();
    clock.pass(1_000);
    const { composed, runner } = compose({ ...FILES, paths: 'src/1*.ts' }, { clock });
    expect((await composed).changes).toEqual({
      ...{ kind: 'known', commits: 300, files: 20, selectedFiles: 11, patterns: ['src/1*.ts'] },
      exampleFiles: ['src/0.ts', 'src/1.ts', 'src/2.ts'],
      ...{ base: 'b', head: 'h', url: 'u', leftOut: ['50 commits not listed'] },
    });
    expect(runner.log).toEqual([
      'Changes: 300 commits and 20 changed files, 11 of them selected by `paths`, from `b` to `h`.',
      'Left out of the prompt: 50 commits not listed.',
    ]);
    expect(clock.slept).toEqual([]);
  });

  test('says what the list lacks when the prompt holds no changes', async () => {
    const many = Array.from({ length: 15 }, () => files).flat();
    const parts = { tree: cutTree, compare: async () => ({ ...comparison, files: many }) };
    const { composed, runner } = compose({ paths: 'src/**' }, { parts });
    expect(await composed).toMatchObject({ kind: 'prompt', text: 'x' });
    expect(runner.log.at(-1)).toMatch(
      /^Left out of the list: GitHub lists only the first 300 files/,
    );
  });

  test('says nothing of what was left out when the step is skipped, because nothing is sent', async () => {
    const { composed, runner } = compose({ ...FILES, paths: 'docs/**' });
    expect(await composed).toMatchObject({
      ...{ kind: 'skipped', reason: 'no-matching-file', range: undefined },
      changes: { leftOut: [], patterns: ['docs/**'] },
    });
    expect(runner.log).toHaveLength(1);
  });
});

test('a cancel stops the check of many files', async () => {
  const clock = new FakeClock();
  const { composed, effects } = compose({ paths: 'docs/**' }, { clock });
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

describe('with nothing to start from', () => {
  const startless = (name: string, isFirstRun: boolean): World => {
    const start: Start = { kind: 'nothing', isFirstRun, begins: [], unrecorded: 0 };
    return { event: eventOf(name), start };
  };
  const end = { from: undefined, to: 'h' };

  test('a first night is skipped without a warning, and recorded', async () => {
    const { composed, runner } = compose(FILES, startless('schedule', true));
    expect(await composed).toEqual({
      ...{ kind: 'skipped', reason: 'nothing-to-start-from', range: end },
      changes: { kind: 'unknown', reason: expect.stringContaining('first run') },
    });
    expect(runner.annotations).toEqual([]);
  });

  test('a later night is skipped, and a warning says how to catch up', async () => {
    const { composed, runner } = compose(FILES, startless('schedule', false));
    expect(await composed).toMatchObject({ kind: 'skipped', range: end });
    const [warning] = runner.annotations;
    expect(warning?.message).toMatch(/^There is nothing to start from: no earlier run/);
    expect(warning?.message).toContain('Nothing is sent. The next run starts at `h`.');
    expect(warning?.message).toContain('set `since` to the commit before them');
  });

  test('a dispatch is sent without changes, recorded, and a warning says so', async () => {
    const typed = startless('workflow_dispatch', true);
    const { composed, runner } = compose({ ...FILES, paths: 'docs/**' }, typed);
    const text = expect.stringMatching(/^x\n\n.*\n(changes-\w+)\nwhat happened: [\s\S]*\n\1\n$/);
    expect(await composed).toMatchObject({ kind: 'prompt', text, range: end });
    const says = 'The prompt has no changes, and `paths` is not applied.';
    const title = 'Docs agent: nothing to start from';
    expect(runner.annotations).toEqual([
      { level: 'warning', title, message: expect.stringContaining(says) },
    ]);
  });
});

test('a step whose earlier runs left no record says that it is new', async () => {
  const start = { kind: 'nothing', isFirstRun: false, begins: [], unrecorded: 2 } as const;
  const { composed, runner } = compose(FILES, { start });
  expect(await composed).toMatchObject({ kind: 'prompt', range });
  const message =
    'No run of this step has changes on record, and 2 earlier runs of this workflow job left no record. What changed before is not sent. To send earlier changes, set `since` to the commit before them.';
  expect(runner.annotations).toEqual([
    { level: 'warning', title: 'Docs agent: this step is new', message },
  ]);
});

test('a typed prompt whose changes a newer run has goes out alone, and leaves no range', async () => {
  const { composed, runner } = compose(FILES, { start: { kind: 'newer', runNumber: 8 } });
  const reason = 'run #8 of this workflow is newer and has them';
  expect(await composed).toEqual({
    ...{ kind: 'prompt', text: 'x', instruction: 'x', range: undefined },
    changes: { kind: 'unknown', reason },
  });
  expect(runner.log).toEqual([`The prompt is sent without changes: ${reason}.`]);
});

test('a pattern that names only a folder gets a warning with what to write', async () => {
  const { composed, runner } = compose({ paths: 'src\n!src/1' });
  expect(await composed).toMatchObject({ kind: 'skipped' });
  expect(runner.annotations.map(({ message }) => message)).toEqual([
    '`paths` names folders without `**`, which select no file. `src`: write `src/**`.',
  ]);
});

test.each([
  { what: 'nothing but a lock file', filename: 'pnpm-lock.yaml', titles: [] },
  { what: 'a source file', filename: 'a.ts', titles: ['Docs agent: no patches'] },
])('of $what without a patch the warnings are $titles', async ({ filename, titles }) => {
  const file = { ...files[0], filename } as ChangedFile;
  const parts = { compare: async () => ({ ...comparison, files: [file] }), tree: cutTree };
  const { composed, runner } = compose({ changes: 'diff' }, { parts });
  expect(await composed).toMatchObject({ kind: 'prompt' });
  expect(runner.annotations.map(({ title }) => title)).toEqual(titles);
});

const outage = {
  cause: new GitHubError('failed', 'HTTP 500'),
  says: 'HTTP 500. Run this workflow job again. No prompt was sent.',
};
test.each<{ promise: string; cause: Error; part: 'compare' | 'tree'; says: string }>([
  { promise: 'GitHub fails', ...outage, part: 'compare' },
  { promise: 'GitHub fails to give the contents of a file', ...outage, part: 'tree' },
  { promise: 'of a bug', cause: new TypeError('a bug'), part: 'compare', says: 'a bug' },
])('nothing is sent because $promise', async ({ cause, part, says }) => {
  const parts = { [part]: () => Promise.reject(cause) };
  await expect(compose({ changes: 'diff' }, { parts }).composed).rejects.toThrow(says);
});

test('a secret in a commit, a file name or a patch is taken out before anything is cut', async () => {
  const secret = 'mint_abcdefgh12345';
  const message = `${'s'.repeat(190)}${secret}\n\n${'b'.repeat(490)}${secret}`;
  const filename = `${'x'.repeat(90)}${secret}.lock`;
  const file = { ...files[0], filename, patch: `+${'p'.repeat(1_995)}${secret}` } as ChangedFile;
  const found = { ...comparison, commits: [{ sha: 'c', commit: { message } }], files: [file] };
  const clean = (text: string) => text.replaceAll(secret, '***');
  const parts = { compare: async () => found };
  const { composed } = compose({ changes: 'diff' }, { parts, clean });
  const shown = JSON.stringify(await composed);
  expect(shown).toContain('***');
  expect(shown).not.toContain('mint_');
});

describe('a follow-up message to the agent job that has the pull request', () => {
  const addTo = { link: 'https://github.com/acme/docs/pull/7' };
  const asIs = (text: string) => text;
  /** The message, and the prompt that a new agent job would get. */
  async function messageIn(given: Readonly<Record<string, string>>, world?: World) {
    const composed = await compose(given, world).composed;
    if (composed.kind === 'skipped') throw new Error(composed.reason);
    return { message: messageOf(composed, addTo, asIs), text: composed.text };
  }

  test('is the prompt with three sentences before what is told of the changes', async () => {
    const { message, text } = await messageIn(FILES);
    const [sentences, rest] = message.slice('x\n\n'.length).split('\nBetween the two lines');
    expect(sentences?.split('\n').map((line) => line.slice(0, 17))).toEqual([
      'Your pull request',
      'They follow b. Co',
      'Others may have p',
    ]);
    expect(`x\n\nBetween the two lines${rest}`).toBe(text);
  });

  test('is what was typed when no changes are told', async () => {
    expect(await messageIn({ paths: 'src/**' })).toEqual({ message: 'x', text: 'x' });
    expect(await messageIn({})).toEqual({ message: 'x', text: 'x' });
  });

  test('names the common commit after a force push', async () => {
    const compareDiverged = async () => ({ ...comparison, status: 'diverged' as const });
    const { message } = await messageIn(FILES, { parts: { compare: compareDiverged } });
    expect(message).toContain('They follow m. ');
  });

  test('names no start when its changes were sent before', async () => {
    const pull_request = { number: 1, base: { sha: 'b' }, head: { sha: 'h' } };
    const own = { ...comparison, commits: [{ sha: 'h', commit: { message: 'S' } }] };
    const parts = { pullRequest: async () => own };
    const event = eventOf('pull_request', { pull_request });
    const prLink = 'https://github.com/acme/docs/pull/6';
    const failed = { jobId: 'j', state: 'failed', overlaps: true, prLink } as const;
    const start: Start = { kind: 'from', sha: 'b', earlier: [failed] };
    const again = await messageIn({ ...FILES, since: 'last-success' }, { start });
    const { message } = await messageIn(FILES, { event, parts });
    expect([message, again.message].join()).not.toContain('They follow');
    expect(again.message).toContain('Agent job j failed on some of these: do its work now.');
  });
});
