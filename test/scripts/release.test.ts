/**
 * The commands of the release workflow, run in bash over a real repository, with GitHub's rules as
 * the commands of RELEASING.md set them up.
 */
import type { ChildProcess } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { doseOf } from '../support/dose.ts';
import { GitRepository } from '../support/git-repository.ts';
import { noGit, noJq, skipWhen } from '../support/system.ts';
import { GitHub, newState, type Ruleset, type State, TOKENS } from './fake-gh.ts';
import {
  commandsOf,
  ROOT,
  runStep,
  type Step,
  temporaryFolder,
  workflow,
  writeAll,
} from './workflow.ts';

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
const SCRIPT = '.github/scripts/major-tags.sh';
const FILES = {
  [SCRIPT]: readFileSync(join(ROOT, SCRIPT), 'utf8'),
  'package.json': '{ "version": "1.2.3" }',
  'dist/index.js': 'built',
  '.github/CHANGELOG.md': CHANGELOG,
};

/** Each commit and its parents. `checked` is what is released, and main does not contain `patch`. */
const HISTORY = { old: [], checked: ['old'], newer: ['checked'], patch: ['old'], foreign: ['old'] };
type Commit = keyof typeof HISTORY;
type Tags = Readonly<Record<string, Commit>>;

/** Has the repository on GitHub, and a checkout of each kind. All are copied. */
const template = temporaryFolder('release-');
let commits: Readonly<Record<Commit, string>>;
let protectedState: State;

/** Makes the repository and its checkouts: of one commit alone, and whole, to check the version. */
function makeTemplate(): void {
  const names = Object.keys(HISTORY) as Commit[];
  const history = names.map((name) => ({ name, parents: HISTORY[name], files: FILES }));
  using source = new GitRepository(history);
  const clone = (...args: readonly string[]) =>
    source.git('clone', '--quiet', '--no-local', '--template=', ...args);
  clone('--bare', '.', join(template.path, 'remotes/acme/app.git'));
  for (const commit of ['checked', 'patch']) {
    clone('--branch', commit, '.', join(template.path, `${commit} whole`));
    clone('--branch', commit, '--depth=1', '.', join(template.path, commit));
  }
  const ids = names.map((name) => [name, source.sha(name)]);
  commits = Object.fromEntries(ids) as Record<Commit, string>;
}

const STEPS = commandsOf('release.yml', 'release');
const named = (name: string, steps = STEPS) => steps.filter((step) => step.name === name);
const CHECKS = named('Check what protects a release');
/** Without the checks of the settings, which have tests of their own. */
const RELEASE = STEPS.filter((step) => !CHECKS.includes(step));
const DRAFT = named('Draft the release, publish it, and read what was published');
const MOVE = named('Move the major tag');
const TAGS = named('Check the major tags');
const WITH_KEY = STEPS.slice(STEPS.indexOf(named('Get the key that may push tags')[0] as Step));
const WEEKLY = commandsOf('weekly.yml', 'tags');
const WEEKLY_MAY = workflow('weekly.yml').jobs['tags']?.permissions?.['contents'] ?? '';
const VERSION = named('Check the version', commandsOf('release.yml', 'check'));

interface Given {
  /** The tags of the repository before the run. */
  readonly tags?: Tags;
  /** Published releases before the run. */
  readonly releases?: readonly string[];
  readonly change?: (state: State) => void;
  /** The commit and the branch that the workflow runs on. */
  readonly on?: 'checked' | 'patch';
  readonly branch?: string;
  readonly version?: string;
  /** Files of the checkout that differ. */
  readonly files?: Readonly<Record<string, string>>;
}

const PUBLISHED = { draft: false, immutable: true };
type Settings = Pick<Given, 'version' | 'files'>;

/** A copy of the repository, with GitHub in front of it. Steps run in copies of a checkout. */
async function start(given: Given = {}, state = structuredClone(protectedState)) {
  const { on = 'checked', branch = 'main' } = given;
  const { path: folder, [Symbol.dispose]: dispose } = temporaryFolder('release-');
  const checkout = join(folder, 'checkout');
  cpSync(join(template.path, 'remotes'), join(folder, 'remotes'), { recursive: true });
  const github = await GitHub.start(folder, state);
  for (const [tag, commit] of Object.entries(given.tags ?? {})) github.setTag(tag, commits[commit]);
  for (const tag of given.releases ?? []) state.releases[tag] = PUBLISHED;
  given.change?.(state);
  const nameOf = (sha: string) => Object.entries(commits).find(([, id]) => id === sha)?.[0] ?? sha;
  const env = {
    ...github.env,
    GITHUB_SHA: commits[on],
    GITHUB_REF: `refs/heads/${branch}`,
    GITHUB_REF_NAME: branch,
    RUNNER_TEMP: folder,
  };
  let running: ChildProcess | undefined;
  const hasKey = () => existsSync(join(folder, 'key'));
  return {
    folder,
    github,
    state,
    /** Does what the runner does in the end to a step that is cancelled. */
    cancel: () => running?.kill('SIGKILL'),
    /** Whether the key that may push tags is on the disk. */
    hasKey,
    /** Runs a command of a person who may write, but not administer. */
    byHand: (run: string) =>
      runStep({ run }, { cwd: folder, env: { ...env, GH_TOKEN: TOKENS.write } }),
    /** Runs steps in a new checkout. After the first that fails, only those run that always run. */
    async run(steps: readonly Step[], { version = 'v1.2.3', files = {} }: Settings = given) {
      rmSync(checkout, { recursive: true, force: true });
      cpSync(join(template.path, steps === VERSION ? `${on} whole` : on), checkout, {
        recursive: true,
      });
      writeAll(checkout, files);
      if (steps === VERSION)
        cpSync(github.tagFolder, join(checkout, '.git/refs/tags'), { recursive: true });
      const expressions = {
        'inputs.version': version,
        'github.token': steps === WEEKLY && WEEKLY_MAY === 'read' ? TOKENS.read : TOKENS.write,
        'secrets.RELEASE_SETTINGS_TOKEN': TOKENS.settings,
        'secrets.RELEASE_KEY': state.environment.secrets['RELEASE_KEY'] ?? '',
      };
      const onStart = (child: ChildProcess) => {
        running = child;
      };
      let log = '';
      let exitCode: number | null = 0;
      for (const step of steps) {
        if (exitCode !== 0 && step.if !== 'always()') continue;
        const end = await runStep(step, { cwd: checkout, env, expressions, onStart });
        log += end.output;
        if (exitCode === 0) exitCode = end.exitCode;
      }
      const after = Object.entries(github.tags()).map(([tag, sha]) => [tag, nameOf(sha)]);
      const tagsAfter: Readonly<Record<string, string>> = Object.fromEntries(after);
      return { exitCode, log, tags: tagsAfter, state, hasKey: hasKey() };
    },
    async [Symbol.asyncDispose]() {
      await github[Symbol.asyncDispose]();
      dispose();
    },
  };
}

type Started = Awaited<ReturnType<typeof start>>;

/** Runs steps once. */
async function run(steps: readonly Step[], given?: Given) {
  await using started = await start(given);
  return await started.run(steps);
}

/** What the commands under a heading of RELEASING.md set up. */
async function setUp(): Promise<State> {
  const page = readFileSync(join(ROOT, '.github/RELEASING.md'), 'utf8');
  const section = page.split('\n## Set it up\n')[1]?.split('\n## ')[0] ?? '';
  const blocks = [...section.matchAll(/^ *```sh\n([\s\S]*?)^ *```$/gm)];
  const run = blocks.map(([, text]) => text).join('\n');
  await using started = await start({}, newState());
  const { folder, github, state } = started;
  const TMPDIR = join(folder, 'temporary');
  mkdirSync(TMPDIR);
  const env = { ...github.env, GH_TOKEN: TOKENS.admin, HOME: folder, TMPDIR };
  const { exitCode, output } = await runStep({ run }, { cwd: ROOT, env });
  expect(exitCode, output).toBe(0);
  // The key is nowhere but on GitHub.
  expect(readdirSync(TMPDIR)).toEqual([]);
  return { ...state, calls: [] };
}

const RELEASED = {
  exitCode: 0,
  tags: { 'v1.2.3': 'checked', v1: 'checked' },
  state: { releases: { 'v1.2.3': { ...PUBLISHED, isLatest: true, notes: NOTES } } },
};
/** The release before, which is the newest when the run begins. */
const BEFORE = { tags: { 'v1.2.2': 'old', v1: 'old' }, releases: ['v1.2.2'] } as const;

const writes = ({ calls }: State) =>
  calls.filter((call) => /^(?:api P|push |release (?:create|edit))/.test(call));
const errors = ({ log }: { log: string }) => log.match(/^::error.*$/gm) ?? [];
const containing = (texts: readonly string[]) => texts.map((text) => expect.stringContaining(text));

// Workflows run on ubuntu-latest, and so do these.
describe.skipIf(process.platform !== 'linux').concurrent('the release', () => {
  const reason = noJq ?? noGit;
  skipWhen(reason);

  beforeAll(async () => {
    if (reason === undefined) {
      makeTemplate();
      protectedState = await setUp();
    }
    return () => template[Symbol.dispose]();
  });

  test('creates the tag, then the release with its section of the changelog, and moves the major tag last', async () => {
    const end = await run(STEPS);
    expect(end).toMatchObject(RELEASED);
    const created = `${'0'.repeat(40)} ${commits.checked}`;
    expect(writes(end.state)).toEqual([
      `push refs/tags/v1.2.3 ${created}`,
      'release create v1.2.3',
      'release edit v1.2.3',
      `push refs/tags/v1 ${created}`,
    ]);
    // The key is shown nowhere, and nothing that runs later finds it.
    expect(end.log).not.toContain('private');
    expect(end.hasKey).toBe(false);
  });

  test('never moves the major tag back when an older release is run again', async () => {
    const end = await run(RELEASE, {
      tags: { 'v1.2.3': 'checked', 'v1.9.0': 'checked', 'v1.10.0': 'newer', v1: 'newer' },
      releases: ['v1.10.0', 'v1.9.0', 'v1.2.3'],
    });
    expect(end).toMatchObject({ exitCode: 0, tags: { v1: 'newer' } });
  });

  const PATCH: Given = {
    tags: { 'v1.2.2': 'old', v1: 'old', 'v2.0.0': 'newer', v2: 'newer' },
    releases: ['v1.2.2', 'v2.0.0'],
    on: 'patch',
    branch: 'release/v1',
  };
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
    const GIVEN: readonly (Given & { promise: string; says?: string })[] = [
      { promise: 'that follows the one before is made', ...BEFORE },
      {
        promise: 'that has a tag already is made again',
        tags: { 'v1.2.3': 'checked', v1: 'checked' },
      },
      { promise: 'on an older branch is made while main is ahead', ...PATCH },
      ...doseOf(['v1.2.3 ', '1.2.3', 'v1.2', '', 'v1.2.4']).map((version) => ({
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
      {
        promise: 'is refused on the branch of another version',
        branch: 'release/v2',
        says: 'This ran on release/v2. Run it on main, or on release/v1 for a patch of an older version.',
      },
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
      expect(errors(end)).toEqual(containing(wanted));
      expect(end.exitCode).toBe(wanted.length);
    });
  });

  type Change = (state: State) => void;
  const ruleset = ({ rulesets }: State, name: string) =>
    rulesets.find((entry) => entry.name === name) as Ruleset;
  const without =
    (name: string, without: string): Change =>
    (state) => {
      const found = ruleset(state, name);
      Object.assign(found, { rules: found.rules.filter(({ type }) => type !== without) });
    };
  const withParameters =
    (of: string, parameters: object): Change =>
    (state) => {
      const rule = ruleset(state, 'Reviewed branches').rules.find(({ type }) => type === of);
      Object.assign(rule?.parameters ?? {}, parameters);
    };
  const refs =
    (name: string, include: readonly string[], exclude: readonly string[] = []): Change =>
    (state) =>
      Object.assign(ruleset(state, name).conditions.ref_name, { include, exclude });
  const checks = (check: object) =>
    withParameters('required_status_checks', { required_status_checks: [check] });

  type Ways = Readonly<Record<string, readonly Change[]>>;
  /** What protects a branch, and the ways in which it can be missing. */
  const OF_A_BRANCH: Ways = {
    'a pull request that a code owner approves': [
      withParameters('pull_request', { require_code_owner_review: false }),
      withParameters('pull_request', { required_approving_review_count: 0 }),
    ],
    'stale approvals dismissed, or the last push approved': [
      withParameters('pull_request', {
        dismiss_stale_reviews_on_push: false,
        require_last_push_approval: false,
      }),
    ],
    'the status check "All" of GitHub Actions': [
      checks({ context: 'Test', integration_id: 15368 }),
      checks({ context: 'All' }),
    ],
    'no deletion, no force push': [
      without('Reviewed branches', 'non_fast_forward'),
      without('Reviewed branches', 'deletion'),
    ],
  };
  const OTHERS: Ways = {
    'branches v* and release/v*: no creation': [
      refs('Reserved branches', ['refs/heads/v*']),
      refs('Reserved branches', ['refs/heads/v1', 'refs/heads/release/v*']),
    ],
    'tags v*: no creation, no update, no deletion, no force push': [
      without('Release tags', 'creation'),
      without('Release tags', 'update'),
      without('Locked tags', 'non_fast_forward'),
      (state) => Object.assign(ruleset(state, 'Release tags'), { enforcement: 'evaluate' }),
      refs('Release tags', ['refs/tags/v*'], ['refs/tags/v1']),
    ],
    'CODEOWNERS without an error': [
      ({ codeownersErrors }) => codeownersErrors.push({ kind: 'Unknown owner' }),
    ],
    'environment release: a reviewer who did not start the run': [
      ({ environment }) => Object.assign(environment, { prevent_self_review: false }),
      ({ environment }) => Object.assign(environment, { reviewers: [] }),
    ],
    'environment release: only the branches main and release/v*': [
      ({ environment }) => environment.branches.push({ name: '*', type: 'branch' }),
      ({ environment }) => environment.branches.push({ name: 'main', type: 'tag' }),
      ({ environment }) => Object.assign(environment, { branches: [] }),
    ],
  };
  const ofBranch = (branch: string): Ways =>
    Object.fromEntries(
      Object.entries(OF_A_BRANCH).map(([what, ways]) => [`${branch}: ${what}`, ways]),
    );
  const PROTECTIONS: Ways = { ...ofBranch('main'), ...ofBranch('release/v*'), ...OTHERS };
  const saysMissing = (missing: readonly string[]) => [
    `::error title=Release::GitHub does not show all that protects a release. Missing: ${missing.join('; ')}; see .github/RELEASING.md. Nothing was released.`,
  ];

  // All that can be missing in a first way at once, then in a second, because each run takes a while.
  const WAYS = doseOf([1, 2, 3, 4, 5]);
  test.each(WAYS)('does nothing when something is missing, way %i', async (way) => {
    const change = (state: State) => {
      for (const ways of Object.values({ ...OF_A_BRANCH, ...OTHERS })) ways[way - 1]?.(state);
    };
    const end = await run(CHECKS, { change });
    const missing = Object.keys(PROTECTIONS).filter((what) => PROTECTIONS[what]?.[way - 1]);
    expect(errors(end)).toEqual(saysMissing(missing));
    expect(end.exitCode).toBe(1);
  });

  test('does nothing when release/v* is not protected like main', async () => {
    const end = await run(CHECKS, { change: refs('Reviewed branches', ['refs/heads/main']) });
    expect(errors(end)).toEqual(saysMissing(Object.keys(ofBranch('release/v*'))));
  });

  test('does nothing when GitHub shows none of what protects it', async () => {
    const fails = ['rules', 'codeowners', 'environments'];
    const end = await run(STEPS, { change: (state) => state.fails.push(...fails) });
    expect(end.exitCode).toBe(1);
    expect(errors(end)).toEqual(saysMissing(Object.keys(PROTECTIONS)));
    expect(writes(end.state)).toEqual([]);
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
    const end = await run(commandsOf('release.yml', 'rebuild'), { files });
    expect(errors(end)).toEqual(containing(says));
    expect(end.exitCode, end.log).toBe(says.length);
    expect(end.log).toMatch(/^npm ci --ignore-scripts /);
  });

  const [ACTIONS, KEY, ADMIN] = ['Integration', 'DeployKey', 'RepositoryRole'] as const;
  type Id = Commit | null;
  type Push = readonly [actor: string, ref: string, from: Id, to: Id, ...breaks: string[]];
  const PUSHES: readonly Push[] = [
    [KEY, 'refs/tags/v1.2.3', null, 'checked'],
    [KEY, 'refs/tags/v1', 'old', 'checked'],
    [KEY, 'refs/tags/v1', 'checked', 'old', 'non_fast_forward'],
    [KEY, 'refs/tags/v1', 'checked', null, 'deletion'],
    [KEY, 'refs/heads/main', 'old', 'checked', 'pull_request'],
    [ACTIONS, 'refs/tags/v1', 'old', 'checked', 'update'],
    [ACTIONS, 'refs/tags/v1.2.4', null, 'foreign', 'creation'],
    [ADMIN, 'refs/tags/v1', 'old', 'checked', 'update'],
    [ADMIN, 'refs/heads/v1', null, 'foreign', 'creation'],
    [ADMIN, 'refs/heads/release/v1', null, 'foreign', 'pull_request', 'creation'],
    [ADMIN, 'refs/heads/feature', null, 'foreign'],
  ];
  test('alone creates and moves tags, and only forward, with the settings of RELEASING.md', async () => {
    await using started = await start({});
    const id = (commit: Id) => (commit === null ? '0'.repeat(40) : commits[commit]);
    const found = PUSHES.map(([actor, ref, from, to]) => {
      const broken = started.github.brokenRules(actor, ref, id(from), id(to));
      return [actor, ref, from, to, ...broken];
    });
    expect(found).toEqual(PUSHES);
  });

  test('checks the major tags each week', async () => {
    expect(await run(WEEKLY, BEFORE)).toMatchObject({ exitCode: 0, log: '' });
    const moved = await run(WEEKLY, { ...BEFORE, tags: { ...BEFORE.tags, v1: 'foreign' } });
    const says = `v1 is on ${commits.foreign}, which is no release.`;
    expect(errors(moved)).toEqual(containing([says]));
  });

  const BY_HAND = 'gh release create v1 --repo acme/app';
  const LOCKS = `${BY_HAND} --draft=false`;
  /** Runs the command that an error names as the way out. */
  const wayOut = (end: { log: string }) => /gh release delete .* --yes/.exec(end.log)?.[0] ?? '';

  type OnTag = Readonly<{ promise: string; by: string; immutable: boolean; seen: boolean }>;
  const ON_TAG: readonly OnTag[] = [
    {
      promise: 'a draft with the name of a major tag, which the weekly check may not see',
      by: `${BY_HAND} --draft`,
      immutable: true,
      seen: false,
    },
    {
      promise: 'a release on a major tag that is not immutable',
      by: LOCKS,
      immutable: false,
      seen: true,
    },
  ];
  test.each(doseOf(ON_TAG))('stops for $promise, and goes on without it', async (given) => {
    await using started = await start(BEFORE);
    const { state } = started;
    state.immutable = given.immutable;
    expect(await started.byHand(given.by)).toMatchObject({ exitCode: 0 });
    state.immutable = true;
    state.calls = [];
    const end = await started.run(RELEASE);
    expect(end).toMatchObject({ exitCode: 1, tags: BEFORE.tags });
    expect(errors(end)).toEqual(containing(['with the name of the tag v1']));
    expect(writes(state)).toEqual([]);
    expect((await started.run(WEEKLY)).exitCode).toBe(given.seen ? 1 : 0);

    expect(await started.byHand(wayOut(end))).toMatchObject({ exitCode: 0 });
    expect(await started.run(RELEASE)).toMatchObject(RELEASED);
    expect(await started.run(WEEKLY)).toMatchObject({ exitCode: 0, log: '' });
  });

  const NEVER_MOVES =
    'If GitHub never lets v1 move, a release locked it, which may be deleted by now:';
  const LOCKINGS: readonly { promise: string; lock: (started: Started) => Promise<unknown> }[] = [
    {
      promise: 'before it runs',
      // No ruleset refuses it, because no tag changes.
      lock: async ({ byHand }) => expect(await byHand(LOCKS)).toMatchObject({ exitCode: 0 }),
    },
    {
      promise: 'while it runs',
      lock: async ({ state, run }) => {
        const locks = () => Object.assign(state.releases, { v1: PUBLISHED });
        state.meanwhile = ['release create v1.2.3', locks];
        expect(errors(await run(RELEASE))).toEqual(containing([NEVER_MOVES]));
      },
    },
  ];
  test.each(doseOf(LOCKINGS))('says how to go on when v1 was locked $promise', async ({ lock }) => {
    await using started = await start(BEFORE);
    await lock(started);
    started.state.calls = [];
    const says = containing([`v1 is locked on ${commits.old} for ever`]);
    const end = await started.run(RELEASE);
    expect(end).toMatchObject({ exitCode: 1, tags: { v1: 'old' } });
    expect(errors(end)).toEqual(says);
    expect(errors(await started.run(WEEKLY))).toEqual(says);
    expect(writes(started.state)).toEqual([]);
    await goOn(started, /Add the line "(.*?)"/.exec(end.log)?.[1] ?? '', commits.old);
  });

  test('says how to go on when v1 was locked by a release that is deleted', async () => {
    await using started = await start(BEFORE);
    await started.byHand(LOCKS);
    await started.byHand('gh release delete v1 --repo acme/app --yes');
    expect(errors(await started.run(RELEASE))).toEqual(containing([NEVER_MOVES]));
    await goOn(started, `v1 ${commits.old}`, commits.old);
  });

  /** Adds a line to the script, and releases the next major version. */
  async function goOn({ github, run }: Started, line: string, v1?: string): Promise<void> {
    const script = FILES[SCRIPT].replace("\nlocked='\n", `$&${line}\n`);
    expect(errors(await run(TAGS, { files: { [SCRIPT]: script } }))).toEqual(
      containing(['v1 is locked, so v1.2.3 would not reach those who use @v1.']),
    );
    const files = {
      [SCRIPT]: script,
      'package.json': '{ "version": "2.0.0" }',
      '.github/CHANGELOG.md': '## 2.0.0 - 2026-12-25\n\n- Write `@v2`.\n',
    };
    const next = { version: 'v2.0.0', files };
    for (const steps of [VERSION, RELEASE, WEEKLY]) {
      expect(await run(steps, next)).toMatchObject({ exitCode: 0 });
    }
    const { checked, newer } = commits;
    expect(github.tags()).toMatchObject({ v2: checked, 'v2.0.0': checked });
    expect(github.tags()['v1']).toBe(v1);
    // The line is about this commit alone.
    github.setTag('v1', newer);
    expect(await run(WEEKLY, next)).toMatchObject({ exitCode: 1 });
  }

  test('goes on without v1 when it was moved to a commit that is no release, and locked', async () => {
    const change = ({ releases }: State) => Object.assign(releases, { v1: PUBLISHED });
    const tags = { ...BEFORE.tags, v1: 'foreign' } as const;
    await using started = await start({ ...BEFORE, tags, change });
    expect(errors(await started.run(WEEKLY))).toEqual(containing([isNoRelease('v1')]));
    await started.byHand('gh release delete v1 --repo acme/app --yes');
    rmSync(join(started.github.tagFolder, 'v1'));
    await goOn(started, 'v1 deleted');
  });

  const ENDS = ['api GET meta', 'release edit', 'push refs/tags/v1 '].flatMap((call) => [
    { promise: `a step fails after ${call}`, call, isCancelled: false },
    { promise: `it is cancelled in ${call}`, call, isCancelled: true },
  ]);
  test.each(doseOf(ENDS))('removes its key when $promise', async ({ call, isCancelled }) => {
    await using started = await start(BEFORE);
    const { state, hasKey } = started;
    let hadKey = false;
    const act = () => {
      hadKey = hasKey();
      if (isCancelled) started.cancel();
      else state.fails = [''];
    };
    state.meanwhile = [call, act];
    const { exitCode } = await started.run(WITH_KEY);
    expect({ exitCode, hadKey, hasKey: hasKey() }).toEqual({
      exitCode: isCancelled ? null : 1,
      hadKey: true,
      hasKey: false,
    });
  });

  const isNoRelease = (tag: string) => `is no release. Everyone who uses @${tag} runs that commit.`;
  const STOPPED: readonly (Given & { promise: string; says: string })[] = [
    {
      promise: 'does nothing when releases are not immutable',
      change: (state) => Object.assign(state, { immutable: false }),
      says: 'Releases are not known to be immutable. Turn on Settings',
    },
    {
      promise: 'does nothing when a second deploy key can write',
      change: (state) => state.keys.push({ key: 'public 2', read_only: false }),
      says: 'There is not exactly one deploy key that can write, and each of them could move tags.',
    },
    {
      promise: 'does nothing without its key',
      change: ({ environment }) => Object.assign(environment, { secrets: {} }),
      says: 'The environment "release" has no secret RELEASE_KEY.',
    },
    {
      promise: 'does nothing when the major tag is on a commit that is no release',
      tags: { 'v1.2.2': 'old', v1: 'foreign' },
      releases: ['v1.2.2'],
      says: `${isNoRelease('v1')} The ruleset "Release tags" lets only the release move tags`,
    },
    {
      promise: 'does nothing when there is a major tag before the first release',
      tags: { v1: 'foreign' },
      says: isNoRelease('v1'),
    },
    {
      promise: 'does nothing when another major tag is on a commit that is no release',
      ...BEFORE,
      tags: { ...BEFORE.tags, v2: 'foreign' },
      says: isNoRelease('v2'),
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
  ];
  test.each(STOPPED)('$promise', async ({ says, ...given }) => {
    const end = await run(RELEASE, given);
    expect(errors(end)).toEqual(containing([says]));
    expect(end.exitCode).toBe(1);
    expect(end.tags).toEqual(given.tags ?? {});
    expect(end.state.releases).not.toHaveProperty('v1.2.3');
  });

  const draft = (fields: object) => (state: State) => {
    state.releases['v1.2.3'] = { draft: true, immutable: false, notes: 'Not ours.', ...fields };
  };
  /** Somebody does something to the draft after a call, past the rulesets. */
  const meanwhile = (after: string, act: (github: GitHub) => void) => (state: State) => {
    state.meanwhile = [after, (github) => 'v1.2.3' in state.releases && act(github)];
  };
  const moveTag = (github: GitHub) => github.setTag('v1.2.3', commits.foreign);

  type WithDraft = Readonly<{ promise: string; change: Change; says: string; isDraft?: false }>;
  const WITH_DRAFT: readonly WithDraft[] = [
    {
      promise: 'publishes nothing when the tag is moved while it runs',
      change: meanwhile('release create', moveTag),
      says: 'The tag v1.2.3 was moved to FOREIGN while this ran.',
    },
    {
      promise: 'does not move the major tag when the tag was moved just before it was locked',
      change: meanwhile('release list', moveTag),
      says: 'was published with FOREIGN and 0 files',
      isDraft: false,
    },
    {
      promise: 'refuses the files of a draft that somebody else made',
      change: draft({ assets: ['a.tgz', 'b.tgz'] }),
      says: 'Somebody attached files to the draft of v1.2.3: a.tgz, b.tgz.',
    },
    {
      promise:
        'does not move the major tag when a file was attached just before the release was locked',
      change: meanwhile('release list', ({ state }) => draft({ assets: ['a.tgz'] })(state)),
      says: 'and 1 files, and this run checked',
      isDraft: false,
    },
    {
      promise: 'fails when what it published is not immutable',
      change: draft({ draft: false }),
      says: 'The release v1.2.3 is published, and is not immutable.',
      isDraft: false,
    },
  ];
  test.each(WITH_DRAFT)('$promise', async ({ change, says, isDraft = true }) => {
    const tags = { ...BEFORE.tags, 'v1.2.3': 'checked' } as const;
    const end = await run([...DRAFT, ...MOVE], { ...BEFORE, tags, change });
    expect(errors(end)).toEqual(containing([says.replace('FOREIGN', commits.foreign)]));
    expect(end).toMatchObject({ exitCode: 1, tags: { v1: 'old' } });
    expect(end.state.releases['v1.2.3']).toMatchObject({ draft: isDraft });
  });

  test('writes its own notes into a draft that somebody else made', async () => {
    const tags = { 'v1.2.3': 'checked' } as const;
    const { state } = await run(DRAFT, { tags, change: draft({}) });
    expect(state).toMatchObject(RELEASED.state);
  });

  test('has the same result when it is run again after each of its writes failed, and then changes nothing', async () => {
    await using started = await start(BEFORE);
    const { state } = started;
    const WRITES = [
      ['push refs/tags/v1.2.3', 'The tag v1.2.3 is on no commit, and this run checked '],
      ['release create'],
      ['release edit', 'v1.2.3 is not published. The lines above say why. Press "Re-run failed'],
      [
        'push refs/tags/v1 ',
        `v1.2.3 is published, and v1 is on ${commits.old}, not on v1.2.3 (${commits.checked}). The lines above say why. Press "Re-run failed jobs".`,
      ],
    ] as const;
    for (const [call, ...says] of WRITES) {
      state.fails = [call];
      const end = await started.run(RELEASE);
      expect(errors(end)).toEqual(containing(says));
      expect(end.exitCode).toBe(1);
    }
    state.fails = [];
    expect(await started.run(RELEASE)).toMatchObject(RELEASED);
    state.calls = [];
    expect(await started.run(RELEASE)).toMatchObject(RELEASED);
    expect(writes(state)).toEqual([]);
  });

  test('reads what became of each write when its answer is lost', async () => {
    const lost = ['pushed refs/tags/v1.2.3 ', 'release edit', 'pushed refs/tags/v1 '];
    const end = await run(RELEASE, { ...BEFORE, change: (state) => state.lost.push(...lost) });
    expect(end).toMatchObject(RELEASED);
    expect(end.log.match(/did not hear that it was/g)).toHaveLength(lost.length);
    expect(errors(end)).toEqual([]);
  });
});
