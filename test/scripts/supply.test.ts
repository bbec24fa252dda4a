/** What may become part of the action, and which checks it has to pass. */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { bundledPackages, licensesOf } from '../../.github/scripts/licenses.ts';
import { noGit } from '../support/system.ts';
import { ROOT, temporaryFolder, workflow, workflowNames, writeAll } from './workflow.ts';

const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');

interface Package {
  readonly version: string;
  readonly integrity?: string;
  readonly hasInstallScript?: boolean;
}

const packagesIn = (lock: string) =>
  Object.entries<Package>(JSON.parse(read(lock)).packages).filter(([path]) => path !== '');

/** Packages whose install script must run, each with its reason. */
const INSTALL_SCRIPTS: Readonly<Record<string, string>> = {};

/** Each lock file, and the package manager that updates it. */
const LOCKS: Readonly<Record<string, string>> = {
  'package-lock.json': 'npm',
  '.github/scripts/mutation/package-lock.json': 'npm',
  'test/runtimes/package-lock.json': 'npm',
  '.github/scripts/tools/go.sum': 'gomod',
  '.github/scripts/tools/requirements.txt': 'pip',
};

test('every lock file is known here, and updated unless its old versions are tested', ({
  skip,
}) => {
  skip(noGit !== undefined, noGit);
  const isLock =
    /(?:^|[/])(?:package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|go\.sum|requirements.*\.txt|poetry\.lock|uv\.lock)$/;
  const files = execFileSync('git', ['ls-files'], { cwd: ROOT, encoding: 'utf8' }).split('\n');
  expect(files.filter((name) => isLock.test(name)).toSorted()).toEqual(
    Object.keys(LOCKS).toSorted(),
  );

  const { updates } = parse(read('.github/dependabot.yml'));
  const updated: string[] = updates.map(
    (entry: Readonly<Record<string, string>>) =>
      `${entry['package-ecosystem']} ${entry['directory']}`,
  );
  const wanted = Object.entries(LOCKS)
    .filter(([lock]) => !lock.startsWith('test/runtimes/'))
    .map(([lock, manager]) => `${manager} /${lock.replace(/\/?[^/]+$/, '')}`);
  expect(updated.toSorted()).toEqual([...wanted, 'github-actions /'].toSorted());
});

const NPM_LOCKS = Object.keys(LOCKS).filter((lock) => LOCKS[lock] === 'npm');

describe.each(NPM_LOCKS)('%s', (lock) => {
  test('pins every package by its hash', () => {
    const isPinned = ({ integrity }: Package) => integrity?.startsWith('sha512-');
    expect(packagesIn(lock).filter(([, entry]) => !isPinned(entry))).toEqual([]);
  });

  test('has no package that needs its install script, except those with a reason', () => {
    const withScript = packagesIn(lock).filter(([, entry]) => entry.hasInstallScript);
    expect(withScript.map(([path]) => path)).toEqual(Object.keys(INSTALL_SCRIPTS));
  });
});

test('the Node that runs everything is in the lock file', () => {
  const nodes = packagesIn('package-lock.json').flatMap(([path, { version }]) => {
    const platform = /^node_modules\/node-((?:linux|win|darwin)-.*)/.exec(path)?.[1];
    return platform === undefined ? [] : [[platform, version]];
  });
  const [version = ''] = nodes.map(([, found]) => found);
  expect(version).toMatch(/^24\./);
  expect(nodes).toEqual(['linux-arm64', 'linux-x64', 'win-x64'].map((name) => [name, version]));
});

test('Go and Python tools are pinned by their hashes', () => {
  const requirements = read('.github/scripts/tools/requirements.txt')
    .split(/(?<!\\)\n/)
    .filter(Boolean);
  expect(requirements.filter((line) => !/--hash=sha256:[0-9a-f]{64}/.test(line))).toEqual([]);
  const sums = read('.github/scripts/tools/go.sum');
  const required = read('.github/scripts/tools/go.mod').matchAll(/^\t([^\s]+\/[^\s]+) (v[^\s]+)/gm);
  const isPinned = ([, name, version]: readonly string[]) => sums.includes(`${name} ${version}`);
  expect([...required].filter((module) => !isPinned(module))).toEqual([]);
});

// Code owners follow the last pattern that matches a file, so a pattern without an owner frees files:
// https://docs.github.com/repositories/managing-your-repositorys-settings-and-features/customizing-your-repository/about-code-owners
test('every file has an owner', () => {
  const rules = read('.github/CODEOWNERS').match(/^[^#\s].*$/gm);
  expect(rules).toEqual(['* @docs-agent/maintainers']);
});

describe.each(workflowNames)('the workflow %s', (name) => {
  const { permissions, jobs } = workflow(name);

  test('gives a workflow job only the permissions that it names', () => {
    expect(permissions).toEqual({});
  });

  test('pins every action by its commit', () => {
    const lines = read(`.github/workflows/${name}`).match(/^.*\buses: (?!\.\/).*$/gm) ?? [];
    // Dependabot updates the version in the comment together with the commit.
    expect(lines.filter((line) => !/@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(line))).toEqual([]);
  });

  test('keeps no token in a checkout', () => {
    const checkouts = Object.values(jobs)
      .flatMap(({ steps }) => steps)
      .filter(({ uses }) => uses?.startsWith('actions/checkout@'));
    expect(checkouts.filter((step) => step.with?.['persist-credentials'] !== false)).toEqual([]);
  });

  test('runs no code of a package, and one script of the repository, in a workflow job that may write', () => {
    // It is read by the same people as the workflow, and no key is there yet.
    const ALLOWED = name === 'release.yml' ? ['bash .github/scripts/major-tags.sh'] : [];
    const RUNS_CODE = /\b(?:npm|npx|node|go|pip|python3?|bash|sh|make)\b|\.ci\/|\.github\/|\.\//;
    const DATA = /"(?:[^"\\\n]|\\.)*"|'[^'\n]*'|\$\{file#\.\/\}|^\s*#.*$/gm;
    const steps = Object.values(jobs)
      .filter(({ permissions: own = {} }) => Object.values(own).includes('write'))
      .flatMap((job) => job.steps);
    const runsCode = ({ run = '' }) => RUNS_CODE.test(run.replaceAll(DATA, ''));
    expect(steps.filter(runsCode).map(({ run }) => run)).toEqual(ALLOWED);
    expect(steps.filter(({ uses = '' }) => /^\.\/|setup-/.test(uses))).toEqual([]);
  });
});

test('gives the key that moves tags to commands alone', () => {
  const { environment, steps = [] } = workflow('release.yml').jobs['release'] ?? {};
  const hasKey = steps.findIndex(({ env = {} }) => 'RELEASE_KEY' in env);
  expect(environment).toBe('release');
  const RUNS_SCRIPT = /\.github\/scripts\//;
  const withKey = steps.slice(hasKey);
  expect(withKey.filter(({ uses, run = '' }) => uses || RUNS_SCRIPT.test(run))).toEqual([]);
  const hasName = (name: string) => read(`.github/workflows/${name}`).includes('RELEASE_KEY');
  expect(workflowNames.filter(hasName)).toEqual(['release.yml']);
});

test('attests every file that a runner executes', () => {
  const { steps = [] } = workflow('release.yml').jobs['release'] ?? {};
  const attest = steps.find(({ uses }) => uses?.startsWith('actions/attest@'));
  const subjects = String(attest?.with?.['subject-path']).trim().split('\n');
  expect(subjects).toEqual(['action.yml', 'dist/*']);
  const { main } = parse(read('action.yml')).runs;
  expect(main).toMatch(/^dist\/[^/]+$/);
  const entries = readdirSync(join(ROOT, 'dist'), { withFileTypes: true });
  expect(entries.filter((entry) => !entry.isFile())).toEqual([]);
});

describe('the licences of bundled packages', () => {
  const folder = temporaryFolder('licenses-');
  const root = folder.path;
  afterAll(() => folder[Symbol.dispose]());
  const licenses = (name: string, license: string, texts: Readonly<Record<string, string>>) => {
    const manifest = JSON.stringify({ name, version: '1.0.0', license });
    writeAll(join(root, name), { 'package.json': manifest, ...texts });
    return licensesOf([join(root, name)]);
  };
  const module = (path: string) => ({ nameForCondition: join(root, path) });

  test('cover nested packages, and modules that were merged into another', () => {
    const merged = { ...module('build/index.js'), modules: [module('node_modules/a/lib/x.js')] };
    const nested = 'node_modules/@s/b/node_modules/@s/c';
    const stats = { modules: [merged, module(`${nested}/index.js`)] };
    expect(bundledPackages(stats, root)).toEqual([nested, 'node_modules/a']);
  });

  test('stop the build when one is not allowed', () => {
    const find = () => licenses('copyleft', 'GPL-3.0-only', { LICENSE: 'text' });
    expect(find).toThrow('its licence (GPL-3.0-only) is not allowed');
  });

  test('stop the build when one has no text', () => {
    const find = () => licenses('bare', 'MIT', {});
    expect(find).toThrow('bare 1.0.0 is bundled without a licence text');
  });

  test('stop the build when ncc did not find a module', () => {
    const stats = { modules: [module('node_modules/@vercel/ncc/dist/ncc/@@notfound.js')] };
    expect(() => bundledPackages(stats, root)).toThrow('ncc did not find a module');
  });

  test('are listed for each package that is imported', () => {
    const { dependencies } = JSON.parse(read('package.json'));
    const listed = [...read('dist/licenses.txt').matchAll(/^(\S+) \d\S* \([\w.-]+\)$/gm)];
    const names = listed.map(([, name]) => name);
    expect(names).toEqual(expect.arrayContaining(Object.keys(dependencies)));
  });
});
