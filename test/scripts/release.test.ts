/**
 * The commands of the release workflow, run in bash over a real repository, with GitHub's rules as
 * RELEASING.md sets them up.
 */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { Origin } from '../support/origin.ts';
import { FAKES, jobOf, runCommands } from './workflow.ts';

const CHANGELOG = `# Changelog

## 1.2.3 - 2026-11-22

### Fixed

- The "\`quoted\`" $thing.

## 1.2.30 - 2026-01-01

- Earlier.
`;
const NOTES = '\n### Fixed\n\n- The "`quoted`" $thing.';
const FILES = { 'package.json': '{ "version": "1.2.3" }', '.github/CHANGELOG.md': CHANGELOG };

/** Main has `old`, `checked` (what is released), and `newer`. `patch` is on another branch, after `old`. */
type Commit = 'old' | 'checked' | 'newer' | 'patch';
type Tags = Readonly<Record<string, Commit>>;

const { steps } = jobOf('release.yml', 'check');
const nodeAt = steps.findIndex(({ uses }) => uses?.includes('node'));
const VERSION = { steps: steps.slice(0, nodeAt) };
const RELEASE = jobOf('release.yml', 'release');

interface Given {
  /** The tags of the repository before the run. Those of versions have releases. */
  readonly tags?: Tags;
  /** Other releases. */
  readonly published?: readonly string[];
  readonly on?: 'checked' | 'patch';
  readonly version?: string;
  /** Files of the commit that is released. */
  readonly files?: Readonly<Record<string, string>>;
  /** See fakes/calls.sh. */
  readonly env?: Readonly<Record<string, string>>;
}

/** A repository on GitHub. */
function start(options: Given = {}) {
  const { tags = {}, published = [], on = 'checked', version = 'v1.2.3' } = options;
  const origin = new Origin();
  const folder = mkdtempSync(join(tmpdir(), 'docs-agent-job-release-'));
  const old = origin.commit({ files: FILES, message: 'old' });
  const commit = (message: Commit, parent: string) =>
    origin.commit({ files: { ...FILES, ...options.files }, message, parents: [parent] });
  const checked = commit('checked', old);
  const commits: Readonly<Record<Commit, string>> = {
    ...{ old, checked, newer: commit('newer', checked), patch: commit('patch', old) },
  };
  for (const [name, sha] of Object.entries(commits)) origin.setRef(`refs/heads/${name}`, sha);
  const releases = join(folder, 'releases');
  mkdirSync(releases);
  for (const [tag, name] of Object.entries(tags)) origin.setRef(`refs/tags/${tag}`, commits[name]);
  for (const tag of [...Object.keys(tags).filter((name) => name.includes('.')), ...published]) {
    mkdirSync(join(releases, tag), { recursive: true });
    writeFileSync(join(releases, tag, 'release'), '{"immutable":true}');
  }
  const hooks = `[core]\n  hooksPath = ${join(FAKES, 'hooks')}\n`;
  writeFileSync(join(origin.path, 'config'), hooks, { flag: 'a' });
  const readAll = (file: string) =>
    existsSync(join(folder, file)) ? readFileSync(join(folder, file), 'utf8') : undefined;
  return {
    /** Runs a workflow job in a new checkout. */
    async run(job: typeof RELEASE, faults: Readonly<Record<string, string>> = {}) {
      const checkout = join(folder, 'checkout');
      rmSync(checkout, { recursive: true, force: true });
      origin.git('clone', '--quiet', '--branch', on, origin.path, checkout);
      writeFileSync(join(folder, 'calls'), '');
      const state = { GITHUB_STATE: folder, ORIGIN: origin.path, IMMUTABLE: 'true' };
      const output = join(folder, 'output');
      const { exitCode, log } = await runCommands(job, {
        cwd: checkout,
        env: {
          ...{ ...state, GITHUB_REPOSITORY: 'acme/app', GIT_CONFIG_NOSYSTEM: '1' },
          ...{ GITHUB_SHA: commits[on], GITHUB_OUTPUT: output, ...options.env, ...faults },
        },
        expressions: {
          'inputs.version': version,
          'github.token': 'ghs_can_write',
          "github.ref == 'refs/heads/main'": String(on === 'checked'),
          'needs.check.outputs.notes': NOTES,
        },
      });
      const names = [...origin.refs()].flatMap(([ref, id]) =>
        ref.startsWith('refs/tags/') ? [[ref.slice(10), origin.commits.get(id)?.message]] : [],
      );
      return {
        exitCode,
        log,
        errors: log.match(/^::error.*$/gm) ?? [],
        output: readAll('output'),
        tags: Object.fromEntries(names),
        release: ['release', 'notes', 'latest'].map((name) => readAll(`releases/v1.2.3/${name}`)),
        writes:
          readAll('calls')?.match(/^(?:push|gh release create) .*$|^gh release create$/gm) ?? [],
      };
    },
    [Symbol.dispose]() {
      origin[Symbol.dispose]();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Runs a workflow job once. */
async function run(job: typeof RELEASE, given?: Given) {
  using started = start(given);
  return await started.run(job);
}

/** The release before, which is the newest when the run begins. */
const BEFORE: Tags = { 'v1.2.2': 'old', v1: 'old' };
const AFTER: Tags = { 'v1.2.3': 'checked', v1: 'checked' };
const releaseWith = (latest: string) => ['{"immutable":true}\n', NOTES, latest];
const RELEASED = { exitCode: 0, errors: [], tags: AFTER, release: releaseWith('true') };
const WRITES = ['push refs/tags/v1.2.3', 'gh release create', 'push refs/tags/v1'];

const errorWith = (text: string) => [expect.stringContaining(`::error title=Release::${text}`)];

// Workflows run on ubuntu-latest, and so do these.
describe.skipIf(process.platform !== 'linux').concurrent('the release', () => {
  test('has its section of the changelog as notes, also when it is made again', async () => {
    const output = `notes<<END_OF_NOTES\n${NOTES}\nEND_OF_NOTES\n`;
    expect(await run(VERSION, { tags: AFTER })).toMatchObject({ exitCode: 0, errors: [], output });
  });

  test('never moves the major tag back when an older release is run again', async () => {
    const tags: Tags = { 'v1.2.3': 'checked', 'v1.10.0': 'newer', v1: 'newer' };
    expect(await run(RELEASE, { tags })).toMatchObject({ exitCode: 0, tags, writes: [] });
  });

  test('makes a patch of an older version from its branch, which does not become the latest release', async () => {
    using started = start({ tags: { ...BEFORE, 'v2.0.0': 'newer', v2: 'newer' }, on: 'patch' });
    expect(await started.run(VERSION)).toMatchObject({ exitCode: 0 });
    expect(await started.run(RELEASE)).toMatchObject({
      exitCode: 0,
      tags: { 'v1.2.3': 'patch', v1: 'patch', v2: 'newer' },
      release: releaseWith('false'),
    });
  });

  const notWell = (version: string) =>
    `The version '${version}' is not a "v" and the version in package.json, with three numbers`;
  test.each<Given & { promise: string; says: string }>([
    { promise: 'of another number is refused', version: 'v1.2.4', says: notWell('v1.2.4') },
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
      promise: 'to whose commit the major tag could not move is refused',
      tags: { 'v1.2.2': 'patch', v1: 'patch' },
      says: 'v1 only moves forward, and this commit does not contain the one that it is on',
    },
    {
      promise: 'without anything in the changelog is refused',
      files: { '.github/CHANGELOG.md': '## 1.2.3 - 2026-11-22\n\n## 1.2.2\n\n- Old.\n' },
      says: '.github/CHANGELOG.md has no section "## 1.2.3 - date", or nothing in it.',
    },
  ])('of a version $promise', async ({ says, ...given }) => {
    expect(await run(VERSION, given)).toMatchObject({ exitCode: 1, errors: errorWith(says) });
  });

  test.each<Given & { promise: string; says: string; writes: readonly string[] }>([
    {
      promise: 'writes nothing while a release has the name of the major tag',
      published: ['v1'],
      says: 'A release has the name of the tag v1.',
      writes: [],
    },
    {
      promise: 'does not release a tag that is on another commit',
      tags: { v1: 'old', 'v1.2.3': 'patch' },
      says: 'The tag v1.2.3 is on ',
      writes: [],
    },
    {
      promise: 'fails and leaves the major tag when what it published is not immutable',
      env: { IMMUTABLE: 'false' },
      says: 'The release v1.2.3 is published, and is not immutable.',
      writes: WRITES.slice(0, 2),
    },
    {
      promise: 'fails and leaves the major tag when its tag was moved before it was locked',
      env: {
        MEANWHILE_AFTER: 'gh release create',
        MEANWHILE: 'git -C "$ORIGIN" update-ref refs/tags/v1.2.3 refs/heads/patch',
      },
      says: 'The release v1.2.3 was published with ',
      writes: WRITES.slice(0, 2),
    },
  ])('$promise', async ({ says, writes, ...given }) => {
    expect(await run(RELEASE, { tags: BEFORE, ...given })).toMatchObject({
      ...{ exitCode: 1, errors: errorWith(says), tags: { v1: 'old' }, writes },
    });
  });

  test('has the same result when it is run again after each of its writes failed, and then changes nothing', async () => {
    using started = start({ tags: BEFORE });
    const FAULTS = [
      ['v1.2.3$', 'The tag v1.2.3 is on no commit, and this run checked '],
      ['create', 'v1.2.3 is not published. The lines above say why. Press "Re-run failed'],
      ['v1$', 'v1.2.3 is published, and v1 is not on it. The lines above say why.'],
    ] as const;
    for (const [FAILS, says] of FAULTS) {
      const end = await started.run(RELEASE, { FAILS });
      expect(end).toMatchObject({ exitCode: 1, errors: errorWith(says) });
    }
    const tags = { ...BEFORE, ...AFTER };
    expect(await started.run(RELEASE)).toMatchObject({ ...RELEASED, tags });
    expect(await started.run(RELEASE)).toMatchObject({ ...RELEASED, tags, writes: [] });
  });

  test('creates the tag, then the release, and moves the major tag last, also when each answer is lost', async () => {
    const end = await run(RELEASE, { tags: BEFORE, env: { LOST: '^push|create' } });
    expect(end).toMatchObject({ ...RELEASED, tags: { ...BEFORE, ...AFTER }, writes: WRITES });
    expect(end.log.match(/did not hear that it was/g)).toHaveLength(3);
  });
});
