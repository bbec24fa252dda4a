/**
 * The commands of the release workflow, run in bash over a real repository, with GitHub's rules as
 * RELEASING.md sets them up.
 */
import { cpSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { GitRepository } from '../support/git-repository.ts';
import { noGit, noJq, skipWhen } from '../support/system.ts';
import { GitHub, newState, type State, TOKEN } from './fake-gh.ts';
import { commandsOf, runStep, type Step, temporaryFolder, writeAll } from './workflow.ts';

const CHANGELOG = `# Changelog

## 1.3.0 - 2026-12-24

- Later.

## 1.2.3 - 2026-11-22

### Fixed

- The "\`quoted\`" $thing.

## 1.2.30 - 2026-01-01

- Earlier.
`;
const NOTES = '\n### Fixed\n\n- The "`quoted`" $thing.';
const FILES = {
  'package.json': '{ "version": "1.2.3" }',
  'dist/index.js': 'built',
  '.github/CHANGELOG.md': CHANGELOG,
};

/** Each commit and its parents. `checked` is what is released, and main does not contain `patch`. */
const HISTORY = { old: [], checked: ['old'], newer: ['checked'], patch: ['old'], foreign: ['old'] };
type Commit = keyof typeof HISTORY;

/** Has the repository on GitHub, and a checkout of each kind. All are copied. */
const template = temporaryFolder('release-');
let commits: Readonly<Record<Commit, string>>;

function makeTemplate(): void {
  const names = Object.keys(HISTORY) as Commit[];
  using source = new GitRepository(
    names.map((name) => ({ name, parents: HISTORY[name], files: FILES })),
  );
  const clone = (...args: readonly string[]) =>
    source.git('clone', '--quiet', '--no-local', '--template=', ...args);
  clone('--bare', '.', join(template.path, 'remotes/acme/app.git'));
  for (const commit of ['checked', 'patch']) {
    clone('--branch', commit, '.', join(template.path, commit));
    source.git('-C', join(template.path, commit), 'remote', 'set-url', 'origin', REMOTE);
  }
  const ids = names.map((name) => [name, source.sha(name)]);
  commits = Object.fromEntries(ids) as Record<Commit, string>;
}

/** The repository on GitHub, as a checkout sees it. */
const REMOTE = '../remotes/acme/app.git';

const VERSION = commandsOf('release.yml', 'check').slice(0, 1);
const REBUILD = commandsOf('release.yml', 'rebuild');
const RELEASE = commandsOf('release.yml', 'release');

interface Given {
  /** The tags of the repository before the run. Those of versions have releases. */
  readonly tags?: Readonly<Record<string, Commit>>;
  readonly change?: (state: State) => void;
  /** The commit that the workflow runs on, and whether that is on main. */
  readonly on?: 'checked' | 'patch';
  readonly version?: string;
  /** Files of the checkout that differ. */
  readonly files?: Readonly<Record<string, string>>;
}

const PUBLISHED = { isImmutable: true };

/** A copy of the repository, with GitHub in front of it. */
async function start({ tags = {}, change, on = 'checked', version = 'v1.2.3', files }: Given = {}) {
  const { path: folder, [Symbol.dispose]: dispose } = temporaryFolder('release-');
  const [checkout, output] = [join(folder, 'checkout'), join(folder, 'output')];
  cpSync(join(template.path, 'remotes'), join(folder, 'remotes'), { recursive: true });
  const state = newState();
  const github = await GitHub.start(folder, state);
  for (const [tag, commit] of Object.entries(tags)) {
    github.setTag(tag, commits[commit]);
    if (tag.includes('.')) state.releases[tag] = PUBLISHED;
  }
  change?.(state);
  const nameOf = (sha: string) => Object.entries(commits).find(([, id]) => id === sha)?.[0] ?? sha;
  const env = { ...github.env, GITHUB_SHA: commits[on], GITHUB_OUTPUT: output };
  const expressions = {
    'inputs.version': version,
    'github.token': TOKEN,
    "github.ref == 'refs/heads/main'": String(on === 'checked'),
    'needs.check.outputs.notes': NOTES,
  };
  return {
    github,
    state,
    /** Runs steps in a new checkout, up to the first that fails. */
    async run(steps: readonly Step[]) {
      rmSync(checkout, { recursive: true, force: true });
      cpSync(join(template.path, on), checkout, { recursive: true });
      cpSync(github.tagFolder, join(checkout, '.git/refs/tags'), { recursive: true });
      writeAll(checkout, { ...files, '../output': '' });
      let log = '';
      let exitCode: number | null = 0;
      for (const step of steps) {
        if (exitCode !== 0) break;
        const end = await runStep(step, { cwd: checkout, env, expressions });
        log += end.output;
        exitCode = end.exitCode;
      }
      const after = Object.entries(github.tags()).map(([tag, sha]) => [tag, nameOf(sha)]);
      const tagsAfter: Readonly<Record<string, string>> = Object.fromEntries(after);
      return { exitCode, log, output: readFileSync(output, 'utf8'), tags: tagsAfter, state };
    },
    async [Symbol.asyncDispose]() {
      await github[Symbol.asyncDispose]();
      dispose();
    },
  };
}

/** Runs steps once. */
async function run(steps: readonly Step[], given?: Given) {
  await using started = await start(given);
  return await started.run(steps);
}

const AFTER = { 'v1.2.3': 'checked', v1: 'checked' } as const;
const RELEASED = {
  exitCode: 0,
  tags: AFTER,
  state: { releases: { 'v1.2.3': { ...PUBLISHED, isLatest: true, notes: NOTES } } },
};
/** The release before, which is the newest when the run begins. */
const BEFORE = { 'v1.2.2': 'old', v1: 'old' } as const;
/** A version whose branch is behind main. */
const PATCH: Given = { tags: { ...BEFORE, 'v2.0.0': 'newer', v2: 'newer' }, on: 'patch' };

const writes = ({ calls }: State) => calls.filter((call) => /^(?:push|release create) /.test(call));
const errors = ({ log }: { log: string }) => log.match(/^::error.*$/gm) ?? [];
const containing = (texts: readonly string[]) => texts.map((text) => expect.stringContaining(text));

// Workflows run on ubuntu-latest, and so do these.
describe.skipIf(process.platform !== 'linux').concurrent('the release', () => {
  const reason = noJq ?? noGit;
  skipWhen(reason);

  beforeAll(() => {
    if (reason === undefined) makeTemplate();
    return () => template[Symbol.dispose]();
  });

  test('creates the tag, then the release with its section of the changelog, and moves the major tag last', async () => {
    await using started = await start();
    expect(await started.run(VERSION)).toMatchObject({
      exitCode: 0,
      output: `notes<<END_OF_NOTES\n${NOTES}\nEND_OF_NOTES\n`,
    });
    expect(await started.run(RELEASE)).toMatchObject(RELEASED);
    const created = `${'0'.repeat(40)} ${commits.checked}`;
    expect(writes(started.state)).toEqual([
      `push refs/tags/v1.2.3 ${created}`,
      'release create v1.2.3',
      `push refs/tags/v1 ${created}`,
    ]);
  });

  test('moves the major tag forward, and never back when an older release is run again', async () => {
    expect(await run(RELEASE, { tags: BEFORE })).toMatchObject(RELEASED);
    const tags = { 'v1.2.3': 'checked', 'v1.10.0': 'newer', v1: 'newer' } as const;
    const again = await run(RELEASE, { tags });
    expect(again).toMatchObject({ exitCode: 0, tags });
    expect(writes(again.state)).toEqual([]);
  });

  test('makes a patch of an older version from its branch, which does not become the latest release', async () => {
    expect(await run(RELEASE, PATCH)).toMatchObject({
      exitCode: 0,
      tags: { 'v1.2.3': 'patch', v1: 'patch', v2: 'newer' },
      state: { releases: { 'v1.2.3': { ...PUBLISHED, isLatest: false } } },
    });
  });

  describe('of a version', () => {
    const noSection = (text: string) => ({
      files: { '.github/CHANGELOG.md': text },
      says: '.github/CHANGELOG.md has no section "## 1.2.3 - date", or nothing in it.',
    });
    const notWell = (version: string) =>
      `The version '${version}' is not a "v" and the version in package.json, with three numbers`;
    const GIVEN: readonly (Given & { promise: string; says?: string })[] = [
      { promise: 'that follows the one before is made', tags: BEFORE },
      { promise: 'that this commit has already is made again', tags: AFTER },
      { promise: 'on an older branch is made while main is ahead', ...PATCH },
      ...['v1.2.4', '1.2.3', ''].map((version) => ({
        promise: `that is typed as "${version}" is refused`,
        version,
        says: notWell(version),
      })),
      {
        promise: 'that is a pre-release is refused',
        version: 'v1.2.3-rc.1',
        files: { 'package.json': '{ "version": "1.2.3-rc.1" }' },
        says: notWell('v1.2.3-rc.1'),
      },
      {
        promise: 'below one that the commit contains is refused',
        tags: { 'v1.2.2': 'old', 'v1.10.0': 'old', v1: 'old' },
        says: 'v1.2.3 is not above v1.10.0, which this commit contains. Choose a higher version',
      },
      {
        promise: 'of a commit before this one is refused',
        tags: { 'v1.2.3': 'old', v1: 'old' },
        says: 'v1.2.3 is not above v1.2.3, which this commit contains.',
      },
      {
        promise: 'to whose commit the major tag could not move is refused',
        tags: { 'v1.2.2': 'patch', v1: 'patch' },
        says: 'v1 only moves forward, and this commit does not contain the one that it is on',
      },
      {
        promise: 'without a section in the changelog is refused',
        ...noSection(CHANGELOG.replace('## 1.2.3', '## 1.2.4')),
      },
      {
        promise: 'with an empty section is refused',
        ...noSection('## 1.2.3 - 2026-11-22\n\n## 1.2.2\n\n- Old.\n'),
      },
    ];
    test.each(GIVEN)('$promise', async ({ says, ...given }) => {
      const end = await run(VERSION, given);
      const wanted = says === undefined ? [] : [`::error title=Release::${says}`];
      expect(errors(end), end.log).toEqual(containing(wanted));
      expect(end.exitCode).toBe(wanted.length);
    });
  });

  const isOther = ' builds another dist/ than the one that is committed.';
  test.each([
    { promise: 'passes a second build that is the same', built: 'built', says: [] },
    { promise: 'stops when another Node builds something else', built: 'other', says: [isOther] },
  ])('$promise', async ({ built, says }) => {
    const files = {
      '.github/scripts/build.mjs': `import { existsSync, writeFileSync } from 'node:fs';
        if (!existsSync('.work/built')) writeFileSync('dist/index.js', '${built}');`,
      '.work/built': '',
    };
    const end = await run(REBUILD, { files });
    expect(errors(end)).toEqual(containing(says));
    expect(end.exitCode, end.log).toBe(says.length);
    expect(end.log).toMatch(/^npm ci --ignore-scripts /);
  });

  test('writes nothing while a release has the name of the major tag', async () => {
    const change = ({ releases }: State) => Object.assign(releases, { v1: PUBLISHED });
    const end = await run(RELEASE, { tags: BEFORE, change });
    expect(errors(end)).toEqual(containing(['A release has the name of the tag v1.']));
    expect([end.exitCode, end.tags, writes(end.state)]).toEqual([1, BEFORE, []]);
  });

  test('releases the next major version while a release locks the one before', async () => {
    const change = ({ releases }: State) => Object.assign(releases, { v1: PUBLISHED });
    const end = await run(RELEASE, { tags: BEFORE, change, version: 'v2.0.0' });
    const tags = { ...BEFORE, v2: 'checked', 'v2.0.0': 'checked' };
    expect(end).toMatchObject({ exitCode: 0, tags });
  });

  test('does not release a tag that is on another commit', async () => {
    const end = await run(RELEASE, {
      tags: { ...BEFORE, 'v1.2.3': 'foreign' },
      change: ({ releases }) => delete releases['v1.2.3'],
    });
    expect(errors(end)).toEqual(containing([`is on ${commits.foreign}, and this run checked`]));
    expect(end).toMatchObject({ exitCode: 1, tags: { v1: 'old' } });
    expect(end.state.releases).not.toHaveProperty('v1.2.3');
  });

  type Fault = Readonly<{ promise: string; change: (state: State) => void; says: string }>;
  const FAULTS: readonly Fault[] = [
    {
      promise: 'what it published is not immutable',
      change: (state) => Object.assign(state, { isImmutable: false }),
      says: 'The release v1.2.3 is published, and is not immutable.',
    },
    {
      promise: 'its tag was moved before it was locked',
      change: (state) => {
        const move = (github: GitHub) => github.setTag('v1.2.3', commits.foreign);
        state.meanwhile = ['release create', move];
      },
      says: 'The release v1.2.3 was published with FOREIGN, and this run checked',
    },
  ];
  test.each(FAULTS)('fails and leaves the major tag when $promise', async ({ change, says }) => {
    const end = await run(RELEASE, { tags: BEFORE, change });
    expect(errors(end)).toEqual(containing([says.replace('FOREIGN', commits.foreign)]));
    expect(end).toMatchObject({ exitCode: 1, tags: { v1: 'old' } });
  });

  test('says why the major tag does not move when a release locked it, which is not listed', async () => {
    const lock = ({ state }: GitHub) => Object.assign(state.releases, { v1: PUBLISHED });
    const change = (state: State) => {
      state.meanwhile = ['release list', lock];
    };
    const end = await run(RELEASE, { tags: BEFORE, change });
    expect(errors(end)).toEqual(containing(['If GitHub never lets v1 move, a release locked it']));
    expect(end).toMatchObject({ exitCode: 1, tags: { v1: 'old', 'v1.2.3': 'checked' } });
  });

  test('has the same result when it is run again after each of its writes failed, and then changes nothing', async () => {
    await using started = await start({ tags: BEFORE });
    const { state } = started;
    const WRITES = [
      ['push refs/tags/v1.2.3', 'The tag v1.2.3 is on no commit, and this run checked '],
      ['release create', 'v1.2.3 is not published. The lines above say why. Press "Re-run failed'],
      ['push refs/tags/v1 ', 'v1.2.3 is published, and v1 is not on it. The lines above say why.'],
    ] as const;
    for (const [call, says] of WRITES) {
      state.fails = [call];
      const end = await started.run(RELEASE);
      expect(errors(end)).toEqual(containing([says]));
      expect(end.exitCode).toBe(1);
    }
    state.fails = [];
    expect(await started.run(RELEASE)).toMatchObject(RELEASED);
    state.calls = [];
    expect(await started.run(RELEASE)).toMatchObject(RELEASED);
    expect(writes(state)).toEqual([]);
  });

  test('reads what became of each write when its answer is lost', async () => {
    const lost = ['pushed refs/tags/v1.2.3 ', 'release create', 'pushed refs/tags/v1 '];
    const end = await run(RELEASE, { tags: BEFORE, change: (state) => state.lost.push(...lost) });
    expect(end).toMatchObject(RELEASED);
    expect(end.log.match(/did not hear that it was/g)).toHaveLength(lost.length);
    expect(errors(end)).toEqual([]);
  });
});
