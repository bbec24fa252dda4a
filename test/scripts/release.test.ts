/** The commands of the release workflow, run in bash with a fake `gh`. */
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { noJq, skipWhen } from '../support/system.ts';
import { GH, type State, startGh } from './fake-gh.ts';
import { commandsOf, runStep, type Step } from './workflow.ts';

const CHECKED = 'c0ffee0000000000000000000000000000000000';
const OTHER = 'badc0de000000000000000000000000000000000';

const NO_REWRITE = [{ type: 'deletion' }, { type: 'non_fast_forward' }];
const REVIEW = { type: 'pull_request', parameters: { require_code_owner_review: true } };
const CHECKS = {
  type: 'required_status_checks',
  parameters: { required_status_checks: [{ context: 'All' }] },
};
const TAGS = {
  target: 'tag',
  enforcement: 'active',
  conditions: { ref_name: { include: ['refs/tags/v*'], exclude: [] } },
  rules: NO_REWRITE,
};

/** As GitHub's documentation shows the answers: https://docs.github.com/rest */
const PROTECTED: State['settings'] = {
  'rules/branches/main': [...NO_REWRITE, REVIEW, CHECKS],
  'codeowners/errors?ref=main': { errors: [] },
  'rulesets?targets=tag': [{ id: 21 }, { id: 42 }],
  'rulesets/21': { ...TAGS, enforcement: 'disabled' },
  'rulesets/42': TAGS,
  'environments/release': {
    protection_rules: [{ type: 'required_reviewers', reviewers: [{ type: 'Team' }] }],
  },
  'environments/release/deployment-branch-policies': { branch_policies: [{ name: 'main' }] },
};

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

const FRESH: State = {
  immutable: true,
  settings: PROTECTED,
  refs: { 'refs/heads/main': CHECKED },
  releases: {},
  calls: [],
  fails: [],
  moves: [],
};

const RELEASED: Pick<State, 'refs' | 'releases'> = {
  refs: { 'refs/heads/main': CHECKED, 'refs/tags/v1.2.3': CHECKED, 'refs/tags/v1': CHECKED },
  releases: { 'v1.2.3': { draft: false, immutable: true } },
};

type Run = State & { readonly exitCode: number; readonly log: string };

const STEPS = commandsOf('release.yml', 'release');
const PROTECTION = STEPS.filter(({ name }) => name === 'Check what protects a release');

/** The workflow job that writes, with a repository that is protected. */
const release = (given: Partial<State>) =>
  run(
    STEPS.filter((step) => !PROTECTION.includes(step)),
    given,
  );

/** Runs steps, up to the first that fails. */
async function run(steps: readonly Step[], given: Partial<State>, changelog = CHANGELOG) {
  const folder = mkdtempSync(join(tmpdir(), 'release-'));
  try {
    mkdirSync(join(folder, '.github'));
    writeFileSync(join(folder, '.github/CHANGELOG.md'), changelog);
    writeFileSync(join(folder, 'package.json'), '{ "version": "1.2.3" }');
    const state: State = structuredClone({ ...FRESH, ...given, calls: [] });
    await using gh = await startGh(state);
    const bin = join(folder, 'bin');
    mkdirSync(bin);
    writeFileSync(join(bin, 'gh'), GH);
    chmodSync(join(bin, 'gh'), 0o755);
    let log = '';
    let exitCode = 0;
    for (const step of steps) {
      const result = await runStep(step, {
        cwd: folder,
        env: {
          PATH: [bin, process.env['PATH']].join(delimiter),
          FAKE_GH_PORT: String(gh.port),
          GITHUB_REPOSITORY: 'acme/app',
          GITHUB_SHA: CHECKED,
          RUNNER_TEMP: folder,
        },
        expressions: {
          'inputs.version': 'v1.2.3',
          'github.token': 'ghs_can_write',
          'secrets.RELEASE_SETTINGS_TOKEN': 'github_pat_settings',
        },
      });
      log += result.output;
      exitCode = result.exitCode;
      if (exitCode !== 0) break;
    }
    const end: Run = { ...state, exitCode, log };
    return end;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const writes = ({ calls }: State) =>
  calls.filter((call) => /^api P|^release (?:create|edit)/.test(call));

// Workflows run on ubuntu-latest, and so do these.
describe.skipIf(process.platform !== 'linux').concurrent('the release', () => {
  skipWhen(noJq);

  test('creates the tag, then the release with its section of the changelog, and moves the major tag last', async () => {
    const end = await run(STEPS, {});
    expect(end).toMatchObject({ exitCode: 0, ...RELEASED });
    // Pull requests that update the action show its users the notes.
    expect(end.releases['v1.2.3']?.notes).toBe(NOTES);
    expect(writes(end)).toEqual([
      'api POST repos/acme/app/git/refs',
      'release create v1.2.3',
      'release edit v1.2.3',
      'api PATCH repos/acme/app/git/refs/tags/v1',
      'api POST repos/acme/app/git/refs',
    ]);
  });

  test('moves a major tag that already exists', async () => {
    const end = await release({ refs: { ...FRESH.refs, 'refs/tags/v1': OTHER } });
    expect(end).toMatchObject({ exitCode: 0, ...RELEASED });
  });

  test('never moves the major tag back when an older release is run again', async () => {
    const newer = 'beefbeef00000000000000000000000000000000';
    const published = { draft: false, immutable: true };
    const end = await release({
      refs: { ...RELEASED.refs, 'refs/tags/v1.10.0': newer, 'refs/tags/v1': newer },
      releases: {
        'v2.0.0': published,
        'v1.11.0': { draft: true, immutable: false },
        'v1.10.0': published,
        'v1.9.0': published,
        ...RELEASED.releases,
      },
    });
    expect(end).toMatchObject({ exitCode: 0, refs: { 'refs/tags/v1': newer } });
  });

  test.each([
    { promise: 'without the section', changelog: CHANGELOG.replace('## 1.2.3', '## 1.2.4') },
    {
      promise: 'with an empty section',
      changelog: '## 1.2.3 - 2026-11-22\n\n## 1.2.2\n\n- Old.\n',
    },
  ])('is refused $promise', async ({ changelog }) => {
    const step = commandsOf('release.yml', 'check').filter(
      ({ name }) => name === 'Check the version',
    );
    expect(await run(step, {})).toMatchObject({ exitCode: 0 });
    const { exitCode, log } = await run(step, {}, changelog);
    expect(exitCode).toBe(1);
    expect(log).toContain('CHANGELOG.md has no section "## 1.2.3 - date", or nothing in it.');
  });

  const rules = (...found: readonly unknown[]) => ({ 'rules/branches/main': found });
  const tagRules = (ruleset: Readonly<Record<string, unknown>>) => ({
    'rulesets/42': { ...TAGS, ...ruleset },
  });
  const names = (include: readonly string[], exclude: readonly string[]) => ({
    conditions: { ref_name: { include, exclude } },
  });
  const UNPROTECTED: readonly { missing: string; settings: State['settings'] }[] = [
    {
      missing: 'main: a pull request that code owners review',
      settings: rules(...NO_REWRITE, { ...REVIEW, parameters: {} }, CHECKS),
    },
    {
      missing: 'main: the status check "All"',
      settings: rules(...NO_REWRITE, REVIEW, {
        ...CHECKS,
        parameters: { required_status_checks: [{ context: 'Test' }] },
      }),
    },
    {
      missing: 'main: no deletion, no force push',
      settings: rules({ type: 'deletion' }, REVIEW, CHECKS),
    },
    {
      missing: 'CODEOWNERS without an error',
      settings: { 'codeowners/errors?ref=main': { errors: [{ kind: 'Unknown owner' }] } },
    },
    { missing: 'tags v*: no deletion, no force push', settings: { 'rulesets?targets=tag': [] } },
    {
      missing: 'tags v*: no deletion, no force push',
      settings: tagRules({ rules: [{ type: 'deletion' }] }),
    },
    {
      missing: 'tags v*: no deletion, no force push',
      settings: tagRules(names(['refs/tags/v*'], ['refs/tags/v1'])),
    },
    {
      missing: 'tags v*: no deletion, no force push',
      settings: tagRules(names(['refs/tags/beta*'], [])),
    },
    {
      missing: 'environment release: required reviewers',
      settings: { 'environments/release': { protection_rules: [{ type: 'branch_policy' }] } },
    },
    {
      missing: 'environment release: only the branch main',
      settings: {
        'environments/release/deployment-branch-policies': { branch_policies: [{ name: '*' }] },
      },
    },
  ];
  test.each(UNPROTECTED)('does nothing without "$missing"', async ({ missing, settings }) => {
    const end = await run(PROTECTION, { settings: { ...PROTECTED, ...settings } });
    expect(end.exitCode).toBe(1);
    expect(end.log).toContain(`Missing: ${missing}; see "Releases" in CONTRIBUTING.md.`);
  });

  test('does nothing when GitHub shows none of what protects it', async () => {
    const end = await run(STEPS, { settings: {} });
    expect(end.exitCode).toBe(1);
    for (const { missing } of UNPROTECTED) expect(end.log).toContain(missing);
    expect(writes(end)).toEqual([]);
  });

  test('does nothing when releases are not immutable', async () => {
    const end = await release({ immutable: false });
    expect(end.exitCode).toBe(1);
    expect(end.log).toContain('Releases are not known to be immutable. Turn on Settings');
    expect(writes(end)).toEqual([]);
  });

  test('does not release a tag that is on another commit', async () => {
    const end = await release({ refs: { ...FRESH.refs, 'refs/tags/v1.2.3': OTHER } });
    expect(end.exitCode).toBe(1);
    expect(end.log).toContain(`The tag v1.2.3 is on ${OTHER}, and this run checked ${CHECKED}.`);
    expect(end).toMatchObject({ refs: { 'refs/tags/v1.2.3': OTHER }, releases: {} });
  });

  test('publishes nothing when the tag is moved while it runs', async () => {
    const end = await release({ moves: [['release create', 'refs/tags/v1.2.3', OTHER]] });
    expect(end.exitCode).toBe(1);
    expect(end.log).toContain(`The tag v1.2.3 was moved to ${OTHER} while this ran.`);
    expect(end.releases).toEqual({ 'v1.2.3': { draft: true, immutable: false, notes: NOTES } });
    expect(end.refs).not.toHaveProperty('refs/tags/v1');
  });

  test('fails when what it published is not immutable', async () => {
    const end = await release({
      ...RELEASED,
      releases: { 'v1.2.3': { draft: false, immutable: false } },
    });
    expect(end.exitCode).toBe(1);
    expect(end.log).toContain('The release v1.2.3 is published, and is not immutable.');
  });

  test('says how to move the major tag when moving it fails', async () => {
    const end = await release({ ...RELEASED, fails: ['tags/v1 ', 'POST', 'PATCH'] });
    expect(end.exitCode).toBe(1);
    expect(end.log).toContain("git push --force origin 'refs/tags/v1.2.3^{commit}:refs/tags/v1'");
  });

  test.each([
    'api POST repos/acme/app/git/refs',
    'release create',
    'release edit',
    'api PATCH repos/acme/app/git/refs/tags/v1',
  ])('has the same result when it is run again after %s failed', async (call) => {
    const first = await release({ fails: [call] });
    const { refs, releases } = first;
    const again = await release({ refs, releases });
    expect(again).toMatchObject({ exitCode: 0, ...RELEASED });
  });

  test('changes nothing when it is run again after it succeeded', async () => {
    expect(await release(RELEASED)).toMatchObject({ exitCode: 0, ...RELEASED });
  });
});
