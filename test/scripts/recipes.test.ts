/** What comes after the agent in the recipes: when it runs, and the script that comments. */
import { createContext, runInContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { exampleIn } from '../support/pages.ts';
import { noBash, noJq, skipWhen } from '../support/system.ts';
import { type Call, leadTo, refuse, serve } from './fake-gh.ts';
import { runStep, type Step, temporaryFolder } from './workflow.ts';

/** A workflow job of a recipe. */
function jobOf(recipe: string, name: string) {
  const { yaml } = exampleIn('.github/RECIPES.md', recipe);
  const { if: condition, steps } = parse(yaml).jobs[name];
  return { condition: String(condition), steps: steps as readonly Step[] };
}

const { condition, steps } = jobOf('Comment on the code pull requests', 'comment');
const [step] = steps;

/** The functions of GitHub's expressions that the recipes use. */
const FUNCTIONS = {
  always: () => true,
  contains: (list: readonly unknown[], item: unknown) => list.includes(item),
  fromJSON: JSON.parse,
  join: (list: readonly unknown[], separator: string) => list.join(separator),
};

/** What an expression is for GitHub after a workflow job with these outputs. */
const evaluated = (expression: string, outputs: Readonly<Record<string, string>>): unknown =>
  runInContext(expression, createContext({ needs: { docs: { outputs } }, ...FUNCTIONS }));

describe('the condition of the workflow job', () => {
  const OUTCOMES = [
    ...['pull-request', 'no-changes', 'archived', 'failed', 'timed-out', 'cancelled', 'skipped'],
    ...['started', 'dry-run', 'unusable-link', 'error', ''],
  ];

  test.each([
    ['Ask for a review, and merge', 'review', ['pull-request']],
    ['Announce in Slack', 'announce', ['pull-request', 'failed', 'timed-out', 'error']],
  ])('%s runs it after these ends alone', (recipe, name, expected) => {
    const job = jobOf(recipe, name);
    expect(OUTCOMES.filter((outcome) => evaluated(job.condition, { outcome }))).toEqual(expected);
  });

  test('Check the links runs it where the branch is known, also if nothing was added to it', () => {
    const { condition: hasBranch } = jobOf('Check the links', 'links');
    expect(evaluated(hasBranch, { outcome: 'no-changes', prBranch: 'docs' })).toBeTruthy();
    expect(evaluated(hasBranch, { outcome: 'pull-request', prBranch: '' })).toBeFalsy();
  });
});

test('only the checkout of Check the links gets a secret, and does not keep it', () => {
  const [checkout, ...others] = jobOf('Check the links', 'links').steps;
  expect(checkout?.with).toMatchObject({ 'persist-credentials': false });
  expect(JSON.stringify(others)).not.toMatch(/secrets\.|github\.token|\$\{\{/);
});

/** The comments of each pull request, as GitHub keeps them. */
type Comments = Record<string, string[]>;

/** What the workflow job before has put out. */
type Outputs = Readonly<Record<'outcome' | 'prLink' | 'codePullRequests', string>>;

const LINK = 'https://github.com/acme/docs/pull/123';
const outputsOf = (...numbers: readonly number[]): Outputs => ({
  outcome: 'pull-request',
  prLink: LINK,
  codePullRequests: JSON.stringify(numbers),
});

function handle(comments: Comments, { method, fields, positionals, text }: Call): unknown {
  const [, number = ''] =
    /^repos\/acme\/app\/issues\/(\d+)\/comments$/.exec(positionals[1] ?? '') ?? [];
  const own = comments[number] ?? refuse(`the fake knows no ${text}`);
  if (method === 'POST') own.push(fields['body'] ?? '');
  return own.map((body) => ({ body }));
}

/** Runs the workflow job after one with these outputs, unless its condition says no. */
async function comment(comments: Comments, outputs: Outputs, fails = 'nothing') {
  if (evaluated(condition, outputs) !== true) return 'skipped';
  const expressions = Object.fromEntries(
    Object.values(step?.env ?? {})
      .flatMap((text) => [...text.matchAll(/\$\{\{ (.*?) \}\}/g)])
      .map(([, expression = '']) => [
        expression,
        expression === 'github.token' ? 'ghs_token' : String(evaluated(expression, outputs)),
      ]),
  );
  await using server = await serve((call) => {
    if (call.text.includes(fails)) refuse('HTTP 502: Bad Gateway');
    return handle(comments, call);
  });
  using folder = temporaryFolder('recipe-');
  const env = { GITHUB_REPOSITORY: 'acme/app', ...leadTo(server) };
  const { exitCode } = await runStep(step ?? {}, { cwd: folder.path, env, expressions });
  return exitCode;
}

const TEXT = `The docs of this change: ${LINK}`;

describe.skipIf(process.platform === 'win32')('the comment on the code pull requests', () => {
  skipWhen(noBash ?? noJq);

  test('is written once on each, and not again in a re-run', async () => {
    const comments: Comments = { 41: [], 42: ['Looks good.\nMerge it.'], 43: [] };
    expect(await comment(comments, outputsOf(41, 42))).toBe(0);
    const once = { 41: [TEXT], 42: ['Looks good.\nMerge it.', TEXT], 43: [] };
    expect(comments).toEqual(once);
    expect(await comment(comments, outputsOf(41, 42))).toBe(0);
    expect(comments).toEqual(once);
  });

  test('is written by the re-run after a timeout', async () => {
    const comments: Comments = { 41: [] };
    expect(await comment(comments, { ...outputsOf(41), outcome: 'timed-out' })).toBe('skipped');
    expect(await comment(comments, outputsOf(41))).toBe(0);
    expect(comments).toEqual({ 41: [TEXT] });
  });

  test('is written where it is missing after a failure, and nowhere twice', async () => {
    const comments: Comments = { 41: [], 42: [] };
    expect(await comment(comments, outputsOf(41, 42), 'POST repos/acme/app/issues/42/')).toBe(1);
    expect(await comment(comments, outputsOf(41, 42))).toBe(0);
    expect(comments).toEqual({ 41: [TEXT], 42: [TEXT] });
  });

  test('is not written while the comments cannot be read', async () => {
    const comments: Comments = { 41: [TEXT] };
    expect(await comment(comments, outputsOf(41), 'GET repos/acme/app/issues/41/')).toBe(1);
    expect(comments).toEqual({ 41: [TEXT] });
  });

  test('is written for each docs pull request, also if the link of one begins like that of another', async () => {
    const comments: Comments = { 41: [TEXT] };
    const prLink = LINK.slice(0, -1);
    expect(await comment(comments, { ...outputsOf(41), prLink })).toBe(0);
    expect(comments).toEqual({ 41: [TEXT, TEXT.slice(0, -1)] });
  });

  test.each([
    ['no pull request is behind the changes', outputsOf()],
    ['the agent changed no file', { ...outputsOf(41), outcome: 'no-changes' }],
    ['nothing was sent', { outcome: 'skipped', prLink: '', codePullRequests: '[]' }],
    ['the step did not run', { outcome: '', prLink: '', codePullRequests: '' }],
  ])('is not written when %s', async (_why, outputs) => {
    expect(await comment({ 41: [] }, outputs)).toBe('skipped');
  });
});
