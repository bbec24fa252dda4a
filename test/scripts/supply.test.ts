/** What may become part of the action, and which checks it has to pass. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { jobOf, jobsOf, ROOT, type Step, workflowNames } from './workflow.ts';

const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');
const packages: Readonly<Record<string, { readonly integrity?: string }>> = JSON.parse(
  read('package-lock.json'),
).packages;

test('package-lock.json pins every package by its hash, with one undici, and no Node', () => {
  const isPinned = (path: string) => /^sha512-/.test(packages[path]?.integrity ?? '');
  expect(Object.keys(packages).filter((path) => path !== '' && !isPinned(path))).toEqual([]);
  const paths = Object.keys(packages).filter((path) => /\/(?:undici|node-[^/]*)$/.test(path));
  expect(paths).toEqual(['node_modules/undici']);
});

test.each(workflowNames)('%s runs no code in a workflow job that may write', (name) => {
  const RUNS_CODE = /\b(?:npm|npx|node|go|pip|python3?|bash|sh|make)\b|\.ci\/|\.\//;
  const TEXT = /"(?:[^"\\\n]|\\.)*"|'[^'\n]*'|^\s*#.*$/gm;
  const steps = Object.values(jobsOf(name))
    .filter(({ permissions = {} }) => Object.values(permissions).includes('write'))
    .flatMap((job) => job.steps);
  const runsCode = ({ uses = '', run = '' }: Step) =>
    /^\.\/|setup-/.test(uses) || RUNS_CODE.test(run.replaceAll(TEXT, ''));
  expect(steps.filter(runsCode)).toEqual([]);
});

test('gives the key that moves tags to commands alone', () => {
  const { environment, steps } = jobOf('release.yml', 'release');
  expect(environment).toBe('release');
  const hasKey = steps.findIndex((step) => 'ssh-key' in (step.with ?? {}));
  expect(steps[hasKey]?.uses).toMatch(/^actions\/checkout@/);
  expect(steps.slice(hasKey + 1).filter(({ uses }) => uses)).toEqual([]);
  const hasName = (name: string) => read(`.github/workflows/${name}`).includes('RELEASE_KEY');
  expect(workflowNames.filter(hasName)).toEqual(['release.yml']);
});

test('attests every file that a runner executes', () => {
  const { steps } = jobOf('release.yml', 'release');
  const attest = steps.find(({ uses }) => uses?.startsWith('actions/attest@'));
  const subjects = String(attest?.with?.['subject-path']).trim().split('\n');
  expect(subjects).toEqual(['action.yml', 'dist/*']);
  expect(parse(read('action.yml')).runs.main).toMatch(/^dist\/[^/]+$/);
  const entries = readdirSync(join(ROOT, 'dist'), { withFileTypes: true });
  expect(entries.filter((entry) => !entry.isFile())).toEqual([]);
});
