/**
 * The commands of the release workflow, run in bash over a real repository, with GitHub's rules as
 * the commands of RELEASING.md set them up.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { doseOf } from '../support/dose.ts';
import { noGit, noJq, skipWhen } from '../support/system.ts';
import { EMPTY, GitHub, install, type Ruleset, type State, TOKENS } from './fake-gh.ts';
import { commandsOf, ROOT, runStep, type Step } from './workflow.ts';

const CHANGELOG = `# Changelog

## 1.3.0 - 2026-12-24

- Later.

## 1.2.3 - 2026-11-22

### Fixed

- The "\`quoted\`" $thing.

## 1.2.30 - 2026-01-01

- Earlier.
`;
const NOTES = '\n### Fixed\n\n- The "`quoted`" $thing.\n\n';

/** Each commit and its parent. `checked` is what is released. */
const HISTORY = {
  old: undefined,
  checked: 'old',
  newer: 'checked',
  /** On the branch release/v1, which main does not contain. */
  patch: 'old',
  foreign: 'old',
} as const;
type Commit = keyof typeof HISTORY;

/** A repository with that history, and the ids of its commits. */
function makeRepository(folder: string): Readonly<Record<Commit, string>> {
  const repository = join(folder, 'remotes/acme/app.git');
  const git = (args: readonly string[], input = '') =>
    execFileSync('git', args, { cwd: repository, input, encoding: 'utf8' }).trim();
  execFileSync('git', [
    'init',
    '--quiet',
    '--bare',
    '--initial-branch=main',
    '--template=',
    repository,
  ]);
  const data = (text: string) => `data ${Buffer.byteLength(text)}\n${text}\n`;
  const names = Object.keys(HISTORY) as Commit[];
  const mark = (name: Commit) => names.indexOf(name) + 1;
  const stream = names.map((name) => {
    const parent = HISTORY[name];
    return [
      `commit refs/heads/${name}\nmark :${mark(name)}\ncommitter a <a@example.com> 1700000000 +0000\n`,
      data(name),
      parent === undefined ? '' : `from :${mark(parent)}\n`,
      `M 644 inline package.json\n${data('{ "version": "1.2.3" }')}`,
      `M 644 inline dist/index.js\n${data('built')}`,
      `M 644 inline .github/CHANGELOG.md\n${data(CHANGELOG)}\n`,
    ].join('');
  });
  git(['fast-import', '--quiet'], stream.join(''));
  const ids = Object.fromEntries(names.map((name) => [name, git(['rev-parse', name])]));
  return ids as Record<Commit, string>;
}

/** The folders that {@link checkoutOf} made. */
const checkouts = new Map<string, string>();

/** A checkout of a commit, with all others or without any. It is made once, and is to be copied. */
function checkoutOf(commit: Commit, isWhole: boolean): string {
  const name = `${commit} ${isWhole}`;
  const made = checkouts.get(name);
  if (made !== undefined) return made;
  const folder = join(template, name);
  mkdirSync(folder);
  const git = (...args: readonly string[]) => execFileSync('git', args, { cwd: folder });
  git('init', '--quiet', '--template=');
  const source = `file://${join(template, 'remotes/acme/app.git')}`;
  git('fetch', '--quiet', ...(isWhole ? [] : ['--depth=1']), source, commits[commit]);
  if (isWhole) git('fetch', '--quiet', source, '+refs/heads/*:refs/remotes/origin/*');
  git('checkout', '--quiet', commits[commit]);
  checkouts.set(name, folder);
  return folder;
}

function writeTags(repository: string, tags: Given['tags'] = {}): void {
  mkdirSync(join(repository, 'refs/tags'), { recursive: true });
  for (const [tag, commit] of Object.entries(tags)) {
    writeFileSync(join(repository, 'refs/tags', tag), `${commits[commit]}\n`);
  }
}

let template = '';
let commits: Readonly<Record<Commit, string>>;
let protectedState: State;

/** The commands under a heading of RELEASING.md. */
function documentedCommands(heading: string): string {
  const page = readFileSync(join(ROOT, '.github/RELEASING.md'), 'utf8');
  const section = page.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';
  return [...section.matchAll(/^ *```sh\n([\s\S]*?)^ *```$/gm)].map(([, text]) => text).join('\n');
}

/** Sets up a repository with the commands of RELEASING.md. */
async function setUp(): Promise<State> {
  const state = structuredClone(EMPTY);
  const folder = mkdtempSync(join(tmpdir(), 'release-'));
  cpSync(template, folder, { recursive: true });
  await using github = await GitHub.start(folder, state);
  const keygen = '#!/bin/sh\necho private 1 > key\necho public 1 > key.pub\n';
  install(join(folder, 'bin/ssh-keygen'), keygen);
  const run = documentedCommands('Set it up');
  const env = { ...github.env, GH_TOKEN: TOKENS.admin, TMPDIR: folder };
  const { exitCode, output } = await runStep({ run }, { cwd: folder, env });
  rmSync(folder, { recursive: true });
  expect(exitCode, output).toBe(0);
  return { ...state, calls: [] };
}

const STEPS = commandsOf('release.yml', 'release');
const named = (name: string, steps = STEPS) => steps.filter((step) => step.name === name);
const CHECKS = named('Check what protects a release');
const WEEKLY = commandsOf('weekly.yml', 'tags');
/** Without the checks of the settings, which have tests of their own. */
const RELEASE = STEPS.filter((step) => !CHECKS.includes(step));
const VERSION = named('Check the version', commandsOf('release.yml', 'check'));

interface Given {
  /** The tags of the repository before the run. */
  readonly tags?: Readonly<Record<string, Commit>>;
  /** Published releases before the run. */
  readonly releases?: readonly string[];
  readonly change?: (state: State) => void;
  /** The commit and the branch that the workflow runs on. */
  readonly on?: Commit;
  readonly branch?: string;
  readonly version?: string;
  /** Files of the checkout that differ. */
  readonly files?: Readonly<Record<string, string>>;
  /** All tags and commits are checked out. */
  readonly isWhole?: boolean;
}

const PUBLISHED = { draft: false, immutable: true };

interface Run {
  readonly exitCode: number;
  readonly log: string;
  /** The tags after the run, with the names of their commits. */
  readonly tags: Readonly<Record<string, string>>;
  readonly state: State;
}

/** Runs steps, up to the first that fails, and then all of them once more if there is an `again`. */
async function run(steps: readonly Step[], given: Given = {}, again?: (first: Run) => void) {
  const { on = 'checked', branch = 'main', version = 'v1.2.3', isWhole = false } = given;
  const folder = mkdtempSync(join(tmpdir(), 'release-'));
  const checkout = join(folder, 'checkout');
  const nameOf = (sha: string) => Object.entries(commits).find(([, id]) => id === sha)?.[0] ?? sha;
  try {
    cpSync(join(template, 'remotes'), join(folder, 'remotes'), { recursive: true });
    const state = structuredClone(protectedState);
    for (const tag of given.releases ?? []) state.releases[tag] = PUBLISHED;
    await using github = await GitHub.start(folder, state);
    writeTags(github.repository, given.tags);
    given.change?.(state);
    const attempt = async (): Promise<Run> => {
      rmSync(checkout, { recursive: true, force: true });
      cpSync(checkoutOf(on, isWhole), checkout, { recursive: true });
      if (isWhole) writeTags(join(checkout, '.git'), given.tags);
      for (const [name, text] of Object.entries(given.files ?? {})) {
        mkdirSync(join(checkout, name, '..'), { recursive: true });
        writeFileSync(join(checkout, name), text);
      }
      let log = '';
      let exitCode = 0;
      for (const step of steps) {
        const result = await runStep(step, {
          cwd: checkout,
          env: {
            ...github.env,
            GITHUB_SHA: commits[on],
            GITHUB_REF: `refs/heads/${branch}`,
            GITHUB_REF_NAME: branch,
            RUNNER_TEMP: folder,
          },
          expressions: {
            'inputs.version': version,
            'github.token': TOKENS.write,
            'secrets.RELEASE_SETTINGS_TOKEN': TOKENS.settings,
            'secrets.RELEASE_KEY': state.environment.secrets['RELEASE_KEY'] ?? '',
          },
        });
        log += result.output;
        exitCode = result.exitCode;
        if (exitCode !== 0) break;
      }
      const after = Object.entries(github.tags()).map(([tag, sha]) => [tag, nameOf(sha)]);
      return { exitCode, log, tags: Object.fromEntries(after), state };
    };
    const first = await attempt();
    if (again === undefined) return first;
    again(first);
    return await attempt();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const RELEASED = {
  exitCode: 0,
  tags: { 'v1.2.3': 'checked', v1: 'checked' },
  state: { releases: { 'v1.2.3': { ...PUBLISHED, isLatest: true, notes: NOTES } } },
};
/** The release before, which is the newest when the run begins. */
const BEFORE: Given = { tags: { 'v1.2.2': 'old', v1: 'old' }, releases: ['v1.2.2'] };

const writes = ({ state: { calls } }: Run) =>
  calls.filter((call) => /^(?:api P|push |release (?:create|edit))/.test(call));
const errors = ({ log }: Run) => log.match(/^::error.*$/gm) ?? [];

// Workflows run on ubuntu-latest, and so do these.
describe.skipIf(process.platform !== 'linux').concurrent('the release', () => {
  const reason = noJq ?? noGit;
  skipWhen(reason);

  beforeAll(async () => {
    if (reason !== undefined) return;
    template = mkdtempSync(join(tmpdir(), 'release-'));
    commits = makeRepository(template);
    protectedState = await setUp();
  });
  afterAll(() => rmSync(template, { recursive: true, force: true }));

  test('creates the tag, then the release with its section of the changelog, and moves the major tag last', async () => {
    const end = await run(STEPS);
    expect(end).toMatchObject(RELEASED);
    const created = `${'0'.repeat(40)} ${commits.checked}`;
    expect(writes(end)).toEqual([
      `push refs/tags/v1.2.3 ${created}`,
      'release create v1.2.3',
      'release edit v1.2.3',
      `push refs/tags/v1 ${created}`,
    ]);
    // The key is shown nowhere.
    expect(end.log).not.toContain('private');
  });

  test('moves a major tag that already exists', async () => {
    expect(await run(RELEASE, BEFORE)).toMatchObject(RELEASED);
  });

  test('never moves the major tag back when an older release is run again', async () => {
    const end = await run(RELEASE, {
      tags: { 'v1.2.3': 'checked', 'v1.9.0': 'checked', 'v1.10.0': 'newer', v1: 'newer' },
      releases: ['v1.10.0', 'v1.9.0', 'v1.2.3'],
    });
    expect(end).toMatchObject({ exitCode: 0, tags: { v1: 'newer' } });
  });

  test('makes a patch of an older version from its branch, which does not become the latest release', async () => {
    const end = await run(STEPS, {
      tags: { 'v1.2.2': 'old', v1: 'old', 'v2.0.0': 'newer', v2: 'newer' },
      releases: ['v1.2.2', 'v2.0.0'],
      on: 'patch',
      branch: 'release/v1',
    });
    expect(end).toMatchObject({
      exitCode: 0,
      tags: { 'v1.2.3': 'patch', v1: 'patch', v2: 'newer' },
      state: { releases: { 'v1.2.3': { ...PUBLISHED, isLatest: false } } },
    });
  });

  describe('of a version', () => {
    const wrong = ['1.2.3', 'v1.2', 'v1.2.3 ', 'v1.2.4', ''];
    const GIVEN: readonly (Given & { promise: string; says?: string })[] = [
      { promise: 'that follows the one before is made', tags: { 'v1.2.2': 'old', v1: 'old' } },
      {
        promise: 'that has a tag already is made again',
        tags: { 'v1.2.3': 'checked', v1: 'checked' },
      },
      {
        promise: 'on an older branch is made while main is ahead',
        tags: { 'v1.2.2': 'old', v1: 'old', 'v2.0.0': 'newer', v2: 'newer' },
        on: 'patch',
        branch: 'release/v1',
      },
      ...wrong.map((version) => ({
        promise: `that is typed as "${version}" is refused`,
        version,
        says: `The version '${version}' was given, and v1.2.3 is expected: a "v" and the version in package.json.`,
      })),
      {
        promise: 'that is a pre-release in package.json is refused',
        version: 'v1.2.3-rc.1',
        files: { 'package.json': '{ "version": "1.2.3-rc.1" }' },
        says: 'The version in package.json is 1.2.3-rc.1, and a release has three numbers, like 1.2.3.',
      },
      ...['feature', 'release/v2'].map((branch) => ({
        promise: `is refused on the branch ${branch}`,
        branch,
        says: `This ran on ${branch}. Run it on main, or on release/v1 for a patch of an older version.`,
      })),
      {
        promise: 'below one that the commit contains is refused',
        tags: { 'v1.2.2': 'old', v1: 'checked', 'v1.10.0': 'checked' },
        says: 'v1.2.3 is below v1.10.0, which this commit contains. Choose a higher version, or make the patch on the branch release/v1.',
      },
      {
        promise: 'to whose commit the major tag could not move is refused',
        tags: { 'v1.2.2': 'patch', v1: 'patch' },
        says: 'v1 could not move to this commit, which does not contain the commit of v1',
      },
      {
        promise: 'without a section in the changelog is refused',
        files: { '.github/CHANGELOG.md': CHANGELOG.replace('## 1.2.3', '## 1.2.4') },
        says: '.github/CHANGELOG.md has no section "## 1.2.3 - date", or nothing in it.',
      },
      {
        promise: 'with an empty section is refused',
        files: { '.github/CHANGELOG.md': '## 1.2.3 - 2026-11-22\n\n## 1.2.2\n\n- Old.\n' },
        says: '.github/CHANGELOG.md has no section "## 1.2.3 - date", or nothing in it.',
      },
    ];
    test.each(GIVEN)('$promise', async ({ says, ...given }) => {
      const end = await run(VERSION, { ...given, isWhole: true });
      expect(errors(end)).toEqual(
        says === undefined ? [] : [expect.stringContaining(`::error title=Release::${says}`)],
      );
      expect(end.exitCode).toBe(says === undefined ? 0 : 1);
    });
  });

  const ruleset = (state: State, name: string) => {
    const index = state.rulesets.findIndex((entry) => entry.name === name);
    return (change: (found: Ruleset) => Partial<Ruleset>) => {
      const found = state.rulesets[index] as Ruleset;
      state.rulesets[index] = { ...found, ...change(found) };
    };
  };
  const without = (name: string, type: string) => (state: State) =>
    ruleset(state, name)(({ rules }) => ({ rules: rules.filter((rule) => rule.type !== type) }));
  const withParameters =
    (type: string, parameters: Readonly<Record<string, unknown>>) => (state: State) =>
      ruleset(
        state,
        'Reviewed branches',
      )(({ rules }) => ({
        rules: rules.map((rule) =>
          rule.type === type ? { type, parameters: { ...rule.parameters, ...parameters } } : rule,
        ),
      }));
  const refs =
    (name: string, include: readonly string[], exclude: readonly string[] = []) =>
    (state: State) =>
      ruleset(state, name)(() => ({ conditions: { ref_name: { include, exclude } } }));
  const checks = (check: Readonly<Record<string, unknown>>) =>
    withParameters('required_status_checks', { required_status_checks: [check] });

  type Ways = readonly [missing: string, ...ways: ((state: State) => void)[]];
  /** What protects a branch, and the ways in which it can be missing. */
  const OF_A_BRANCH: readonly Ways[] = [
    [
      'a pull request that a code owner approves',
      withParameters('pull_request', { require_code_owner_review: false }),
      withParameters('pull_request', { required_approving_review_count: 0 }),
    ],
    [
      'stale approvals dismissed, or the last push approved',
      withParameters('pull_request', {
        dismiss_stale_reviews_on_push: false,
        require_last_push_approval: false,
      }),
    ],
    [
      'the status check "All" of GitHub Actions',
      checks({ context: 'Test', integration_id: 15368 }),
      checks({ context: 'All' }),
    ],
    [
      'no deletion, no force push',
      without('Reviewed branches', 'non_fast_forward'),
      without('Reviewed branches', 'deletion'),
    ],
  ];
  const OTHERS: readonly Ways[] = [
    [
      'branches v* and release/v*: no creation',
      refs('Reserved branches', ['refs/heads/v*']),
      refs('Reserved branches', ['refs/heads/v1', 'refs/heads/release/v*']),
    ],
    [
      'tags v*: no creation, no update, no deletion, no force push',
      without('Release tags', 'creation'),
      without('Release tags', 'update'),
      without('Locked tags', 'non_fast_forward'),
      (state) => ruleset(state, 'Release tags')(() => ({ enforcement: 'evaluate' })),
      refs('Release tags', ['refs/tags/v*'], ['refs/tags/v1']),
    ],
    [
      'CODEOWNERS without an error',
      (state) => state.codeownersErrors.push({ kind: 'Unknown owner' }),
    ],
    [
      'environment release: a reviewer who did not start the run',
      ({ environment }) => Object.assign(environment, { prevent_self_review: false }),
      ({ environment }) => Object.assign(environment, { reviewers: [] }),
    ],
    [
      'environment release: only the branches main and release/v*',
      ({ environment }) => environment.branches.push({ name: '*', type: 'branch' }),
      ({ environment }) => environment.branches.push({ name: 'main', type: 'tag' }),
      ({ environment }) => Object.assign(environment, { branches: [] }),
    ],
  ];
  const ofBranch = (branch: string): readonly Ways[] =>
    OF_A_BRANCH.map(([missing, ...ways]) => [`${branch}: ${missing}`, ...ways]);
  const PROTECTIONS = [...ofBranch('main'), ...ofBranch('release/v*'), ...OTHERS];
  const saysMissing = (missing: readonly string[]) => [
    `::error title=Release::GitHub does not show all that protects a release. Missing: ${missing.join('; ')}; see .github/RELEASING.md. Nothing was released.`,
  ];

  // All that can be missing in a first way at once, then in a second, because each run takes a while.
  test.each(doseOf([1, 2, 3, 4, 5]))(
    'does nothing when something is missing, way %i',
    async (way) => {
      const missing = PROTECTIONS.filter((ways) => ways[way] !== undefined);
      const change = (state: State) => {
        for (const ways of [...OF_A_BRANCH, ...OTHERS]) (ways[way] as Ways[1] | undefined)?.(state);
      };
      const end = await run(CHECKS, { change });
      expect(errors(end)).toEqual(saysMissing(missing.map(([what]) => what)));
      expect(end.exitCode).toBe(1);
    },
  );

  test('does nothing when release/v* is not protected like main', async () => {
    const end = await run(CHECKS, { change: refs('Reviewed branches', ['refs/heads/main']) });
    expect(errors(end)).toEqual(saysMissing(ofBranch('release/v*').map(([what]) => what)));
  });

  test('does nothing when GitHub shows none of what protects it', async () => {
    const fails = ['rules', 'codeowners', 'environments'];
    const end = await run(STEPS, { change: (state) => state.fails.push(...fails) });
    expect(end.exitCode).toBe(1);
    for (const [missing] of PROTECTIONS) expect(end.log).toContain(missing);
    expect(writes(end)).toEqual([]);
  });

  const BUILDS = [
    { promise: 'passes a second build that is the same', built: 'built', says: [] },
    {
      promise: 'stops when another Node builds something else',
      built: 'something else',
      says: [expect.stringContaining(' builds another dist/ than the one that is committed.')],
    },
  ];
  test.each(BUILDS)('$promise', async ({ built, says }) => {
    const files = {
      'package-lock.json': '{ "lockfileVersion": 3, "packages": { "": { "version": "1.2.3" } } }',
      '.github/scripts/build.mjs': `import { existsSync, writeFileSync } from 'node:fs';
        if (!existsSync('.work/built')) writeFileSync('dist/index.js', '${built}');`,
      '.work/built': '',
    };
    const end = await run(commandsOf('release.yml', 'rebuild'), { files });
    expect(errors(end)).toEqual(says);
    expect(end.exitCode, end.log).toBe(says.length);
  });

  const [ACTIONS, KEY, ADMIN] = ['Integration', 'DeployKey', 'RepositoryRole'];
  const NOBODY = '0'.repeat(40);
  const PUSHES: readonly [
    actor: string | undefined,
    ref: string,
    from: Commit | null,
    to: Commit | null,
    breaks: string[],
  ][] = [
    [KEY, 'refs/tags/v1.2.3', null, 'checked', []],
    [KEY, 'refs/tags/v1', 'old', 'checked', []],
    [KEY, 'refs/tags/v1', 'checked', 'old', ['non_fast_forward']],
    [KEY, 'refs/tags/v1', 'checked', null, ['deletion']],
    [KEY, 'refs/heads/main', 'old', 'checked', ['pull_request']],
    [ACTIONS, 'refs/tags/v1', 'old', 'checked', ['update']],
    [ACTIONS, 'refs/tags/v1.2.4', null, 'foreign', ['creation']],
    [ADMIN, 'refs/tags/v1', 'old', 'checked', ['update']],
    [ADMIN, 'refs/heads/v1', null, 'foreign', ['creation']],
    [ADMIN, 'refs/heads/release/v1', null, 'foreign', ['pull_request', 'creation']],
    [ADMIN, 'refs/heads/feature', null, 'foreign', []],
  ];
  test('alone creates and moves tags, and only forward, with the settings of RELEASING.md', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'release-'));
    cpSync(join(template, 'remotes'), join(folder, 'remotes'), { recursive: true });
    await using github = await GitHub.start(folder, structuredClone(protectedState));
    const id = (commit: Commit | null) => (commit === null ? NOBODY : commits[commit]);
    const found = PUSHES.map(([actor = '', ref, from, to]) =>
      github.brokenRules(actor, ref, id(from), id(to)),
    );
    expect(found).toEqual(PUSHES.map((push) => push[4]));
    rmSync(folder, { recursive: true });
  });

  test('checks the major tags each week with the same step', async () => {
    const [weekly, ...others] = WEEKLY;
    const [before] = named('Check that each major tag is its newest release');
    expect(others).toEqual([]);
    expect(weekly?.run).toBe(before?.run);
    expect(await run(WEEKLY, BEFORE)).toMatchObject({ exitCode: 0, log: '' });
    const tags = { ...BEFORE.tags, v1: 'foreign' } as const;
    const moved = await run(WEEKLY, { ...BEFORE, tags });
    expect(errors(moved)).toEqual([
      expect.stringContaining(`v1 is on ${commits.foreign}, which is no release.`),
    ]);
  });

  const STOPPED: readonly (Given & { promise: string; says: string })[] = [
    {
      promise: 'does nothing when releases are not immutable',
      change: (state) => {
        state.immutable = false;
      },
      says: 'Releases are not known to be immutable. Turn on Settings',
    },
    {
      promise: 'does nothing when a second deploy key can write',
      change: (state) => state.keys.push({ key: 'public 2', read_only: false }),
      says: 'There is not exactly one deploy key that can write, and each of them could move tags.',
    },
    {
      promise: 'does nothing without its key',
      change: ({ environment }) => {
        environment.secrets = {};
      },
      says: 'The environment "release" has no secret RELEASE_KEY.',
    },
    {
      promise: 'does nothing when the major tag is on a commit that is no release',
      tags: { 'v1.2.2': 'old', v1: 'foreign' },
      releases: ['v1.2.2'],
      says: 'is no release. Everyone who uses @v1 runs that commit. The ruleset "Release tags" lets only the release move tags',
    },
    {
      promise: 'does nothing when there is a major tag before the first release',
      tags: { v1: 'foreign' },
      says: 'is no release. Everyone who uses @v1 runs that commit.',
    },
    {
      promise: 'does nothing when another major tag is on a commit that is no release',
      ...BEFORE,
      tags: { ...BEFORE.tags, v2: 'foreign' },
      says: 'is no release. Everyone who uses @v2 runs that commit.',
    },
    {
      promise: 'does nothing when an earlier release did not move the major tag',
      tags: { 'v1.2.1': 'old', 'v1.2.2': 'checked', v1: 'old' },
      releases: ['v1.2.1', 'v1.2.2'],
      says: 'and not on its newest release, v1.2.2. Press "Re-run failed jobs" in the run of the workflow Release that released v1.2.2.',
    },
    {
      promise: 'does not release a tag that is on another commit',
      tags: { 'v1.2.3': 'foreign' },
      says: 'and this run checked',
    },
    {
      promise: 'says that GitHub refused the tag',
      change: (state) => ruleset(state, 'Release tags')(() => ({ bypass_actors: [] })),
      says: 'The tag v1.2.3 is on no commit',
    },
  ];
  test.each(STOPPED)('$promise', async ({ says, ...given }) => {
    const before = given.tags ?? {};
    const end = await run(RELEASE, given);
    expect(errors(end)).toEqual([expect.stringContaining(says)]);
    expect(end).toMatchObject({ exitCode: 1, tags: before });
    expect(Object.keys(end.tags)).toEqual(Object.keys(before).toSorted());
    expect(end.state.releases).not.toHaveProperty('v1.2.3');
  });

  /** Somebody moves the tag of the draft after a call, past the rulesets. */
  const moves = (after: string) => (state: State) => {
    const move = (github: GitHub) => {
      if ('v1.2.3' in state.releases) {
        github.git('update-ref', 'refs/tags/v1.2.3', commits.foreign);
      }
    };
    state.meanwhile = [[after, move]];
  };
  const draft = (fields: object) => (state: State) => {
    state.releases['v1.2.3'] = { draft: true, immutable: false, notes: 'Not ours.', ...fields };
  };

  test('publishes nothing when the tag is moved while it runs', async () => {
    const end = await run(RELEASE, {
      ...BEFORE,
      change: moves('release create'),
    });
    expect(errors(end)).toEqual([
      expect.stringContaining(`The tag v1.2.3 was moved to ${commits.foreign} while this ran.`),
    ]);
    expect(end.state.releases['v1.2.3']).toMatchObject({ draft: true });
    expect(end.tags).toMatchObject({ v1: 'old' });
  });

  test('does not move the major tag when the tag was moved just before it was locked', async () => {
    const end = await run(RELEASE, {
      ...BEFORE,
      change: moves('release list'),
    });
    expect(errors(end)).toEqual([
      expect.stringContaining(`was published with ${commits.foreign} and 0 files`),
    ]);
    expect(end).toMatchObject({ exitCode: 1, tags: { v1: 'old' } });
  });

  test('writes its own notes into a draft that somebody else made', async () => {
    expect(await run(RELEASE, { ...BEFORE, change: draft({}) })).toMatchObject(RELEASED);
  });

  test('refuses the files of a draft that somebody else made', async () => {
    const end = await run(RELEASE, { ...BEFORE, change: draft({ assets: ['a.tgz', 'b.tgz'] }) });
    expect(errors(end)).toEqual([
      expect.stringContaining('Somebody attached files to the draft of v1.2.3: a.tgz, b.tgz.'),
    ]);
    expect(end.state.releases['v1.2.3']).toMatchObject({ draft: true });
  });

  test('does not move the major tag when a file was attached just before the release was locked', async () => {
    const attach = ({ state }: GitHub) => {
      if ('v1.2.3' in state.releases) draft({ assets: ['a.tgz'] })(state);
    };
    const change = (state: State) => {
      state.meanwhile = [['release list', attach]];
    };
    const end = await run(RELEASE, { ...BEFORE, change });
    expect(errors(end)).toEqual([expect.stringContaining('and 1 files, and this run checked')]);
    expect(end.tags).toMatchObject({ v1: 'old' });
  });

  test('fails when what it published is not immutable', async () => {
    const change = (state: State) => {
      state.releases['v1.2.3'] = { draft: false, immutable: false };
    };
    const end = await run(RELEASE, { tags: { 'v1.2.3': 'checked', v1: 'checked' }, change });
    expect(errors(end)).toEqual([
      expect.stringContaining('The release v1.2.3 is published, and is not immutable.'),
    ]);
  });

  test('says what is true when moving the major tag fails', async () => {
    const end = await run(RELEASE, {
      ...BEFORE,
      change: (state) => state.fails.push('push refs/tags/v1 '),
    });
    expect(errors(end)).toEqual([
      `::error title=Release::v1.2.3 is published, and v1 is on ${commits.old}, not on v1.2.3 (${commits.checked}). The lines above say why. Press "Re-run failed jobs".`,
    ]);
  });

  const WRITES = ['push refs/tags/v1.2.3', 'release create', 'release edit', 'push refs/tags/v1 '];

  test.each(doseOf(WRITES))(
    'has the same result when it is run again after %s failed',
    async (call) => {
      const given = { ...BEFORE, change: (state: State) => state.fails.push(call) };
      const end = await run(RELEASE, given, (first) => {
        expect(first.exitCode).toBe(1);
        first.state.fails = [];
      });
      expect(end).toMatchObject(RELEASED);
    },
  );

  test.each(doseOf(WRITES.filter((call) => call !== 'release create')))(
    'reads what became of %s when its answer is lost',
    async (call) => {
      const end = await run(RELEASE, { ...BEFORE, change: (state) => state.lost.push(call) });
      expect(end).toMatchObject(RELEASED);
      expect(end.log).toContain('did not hear that it was');
      expect(errors(end)).toEqual([]);
    },
  );

  test('changes nothing when it is run again after it succeeded', async () => {
    const end = await run(RELEASE, BEFORE, ({ state }) => {
      state.calls = [];
    });
    expect(end).toMatchObject(RELEASED);
    expect(writes(end)).toEqual([]);
  });
});
