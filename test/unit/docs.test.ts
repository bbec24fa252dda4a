/** Compares the documentation with what it documents. */
import { existsSync, readdirSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { join, resolve } from 'node:path';
import { type Node, parse } from 'acorn';
import { describe, expect, test } from 'vitest';
import { anchorOf, helpUrl } from '../../src/report/wording.ts';
import { parseDuration } from '../../src/text/duration.ts';
import { metadata } from '../support/action.ts';
import { writtenPages } from '../support/docs.ts';
import {
  type Example,
  examples,
  headingsOf,
  page,
  pageNames,
  type Step,
} from '../support/pages.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const readme = page('README.md');
const written = writtenPages();

test.each(Object.entries(written))('%s is up to date with `npm run docs`', (name, content) => {
  expect(page(name)).toBe(content);
});

test('each recipe is a file, which its section links to, and there is no other', () => {
  const files = readdirSync(join(ROOT, '.github/recipes')).map((name) => `.github/recipes/${name}`);
  const recipes = Object.keys(written).filter((name) => name !== 'README.md');
  expect(files.toSorted()).toEqual(recipes.toSorted());
  const pages = readme + page('.github/RECIPES.md');
  const unlinked = files.filter((name) => !pages.includes(`recipes/${name.split('/').at(-1)})`));
  expect(unlinked).toEqual([]);
});

const wordsOf = (text: string) => text.trim().split(/\s+/).length;

test.each([
  ['README.md', 1_600],
  ['.github/CONTRIBUTING.md', 1_300],
  ['.github/BENCHMARKS.md', 700],
])('%s has at most %i words, tables included', (name, most) => {
  expect(wordsOf(page(name))).toBeLessThanOrEqual(most);
});

test('all pages together have at most 15,300 words', () => {
  expect(pageNames.reduce((sum, name) => sum + wordsOf(page(name)), 0)).toBeLessThanOrEqual(15_300);
});

test('the first workflow of the README begins within 150 words', () => {
  expect(wordsOf(readme.split('```yaml')[0] ?? '')).toBeLessThanOrEqual(150);
});

/** What the log says of each ending. `wording.test.ts` writes it. */
const endings = page('test/unit/report/endings.txt');

test('the README says of every outcome, and of no other, whether the step succeeds', () => {
  const told = readme.matchAll(/^\|`([a-z-]+)`\|(succeeds|fails)\|/gm);
  const rows = Array.from(told, ([, outcome, step]) => `${step} with the outcome ${outcome}`);
  const seen = endings.match(/(?:succeeds|fails) with the outcome [a-z-]+/g);
  expect(rows.toSorted()).toEqual([...new Set(seen)].toSorted());
});

describe('TROUBLESHOOTING.md', () => {
  const NAME = '.github/TROUBLESHOOTING.md';
  const all = texts();

  test('has a section for each ending and each error that fails the step, and three others', () => {
    const links = endings.match(/https:\S+#\S+/g) ?? [];
    const failing = [...links, ...errorHeadings().map(helpUrl)].map((url) => new URL(url).hash);
    const inCode = new Set(failing.filter((hash) => hash !== '#it-failed'));
    expect(inCode.size).toBeGreaterThan(20);
    const missing = '#the-run-succeeds-and-something-is-missing';
    const others = [missing, '#warnings', '#the-step-does-not-start'];
    const documented = headingsOf(NAME, 2).map((heading) => `#${anchorOf(heading)}`);
    expect(documented.toSorted()).toEqual([...inCode, ...others].toSorted());
  });

  test('has a section for each title of a warning, and no other', () => {
    const titles = new Set(all.flatMap(({ text }) => warningTitle(text) ?? []));
    expect(titles.size).toBeGreaterThan(10);
    const [, warnings = ''] = page(NAME).split('\n## Warnings\n');
    const [section = ''] = warnings.split('\n## ');
    const documented = [...section.matchAll(/^### (.+)$/gm)].map(([, title = '']) => title);
    expect(documented.toSorted()).toEqual([...titles].toSorted());
  });

  test('can be searched for the words of every message, and quotes none that does not exist', () => {
    const messages = all
      .filter(({ name, isLogged }) => !isLogged && TELLING.test(name))
      .map(({ text }) => text)
      .filter((text) => phraseOf(text).filter((word) => word !== '…').length >= PHRASE);
    expect(messages.length).toBeGreaterThan(150);
    const has = phrasesIn(page(NAME));
    const missing = messages.filter(
      (text) => !NO_ADVICE.some((start) => text.startsWith(start)) && !isFoundIn(has, text),
    );
    expect(missing).toEqual([]);
    const inCode = phrasesIn(all.map(({ text }) => text).join('\n'));
    const quoted = [...page(NAME).matchAll(/"([^"\n]+)"/g)].map(([, text = '']) => text);
    expect(quoted.length).toBeGreaterThan(60);
    expect(quoted.filter((text) => !isFoundIn(inCode, text))).toEqual([]);
  });
});

/** A text in the sources. `…` stands for what a template fills in. */
interface Text {
  readonly name: string;
  readonly text: string;
  /** It is only written to the log. */
  readonly isLogged: boolean;
}

/** Where errors and warnings get their words. The report's other words need no advice. */
const TELLING =
  /^(?:run|prompt|agent|records|github|inputs|effects|lib.errors|changes.(?:changes|start))\b/;

/** What tells that something succeeded, how the wait goes, or what a dry run would do. */
const NO_ADVICE: readonly string[] = [
  ...['Attempt … stopped', 'Checking', "GitHub's rate limit was", 'Listing', 'No commit found'],
  ...['Pull request … has changed since', 'Reading', 'The files of pull request'],
  ...['contains … with', 'pull request … is closed', 'the run was stopped'],
  ...['the service no longer', 'this is the first run', 'this step has no earlier'],
  ...['workflow job of attempt', ', … of them', '… does not', '… had already ended'],
  ...['… is no longer known', '… is not the name of a repository', '…, so the prompt'],
  // Titles, which a test of their own is about, and queries.
  ...['Docs agent: ', '_…: object', 'query($owner'],
];

/** Every text in the sources. */
const texts = () => sourceNames().flatMap((name) => textsIn(name, page(`src/${name}`)));

function sourceNames(): readonly string[] {
  return readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => name.replaceAll('\\', '/'));
}

type Syntax = Node & Readonly<Record<string, unknown>>;

function textsIn(name: string, source: string): readonly Text[] {
  const code = stripTypeScriptTypes(source);
  const found: Text[] = [];
  const visit = (node: unknown, isLogged: boolean): void => {
    if (Array.isArray(node)) for (const each of node) visit(each, isLogged);
    if (node === null || typeof node !== 'object' || !('type' in node)) return;
    const { type, value, quasis, callee, ...parts } = node as Syntax;
    if (type === 'ImportDeclaration') return;
    if (type === 'Literal' && typeof value === 'string') {
      found.push({ name, text: value, isLogged });
    }
    if (type === 'TemplateLiteral') {
      const parts = quasis as readonly { readonly value: { readonly cooked: string } }[];
      found.push({ name, text: parts.map((part) => part.value.cooked).join('…'), isLogged });
    }
    const called = (callee as { property?: { name?: string } } | undefined)?.property?.name;
    const isLog = isLogged || called === 'info' || called === 'debug';
    for (const part of [value, callee, ...Object.values(parts)]) visit(part, isLog);
  };
  visit(parse(code, { ecmaVersion: 'latest', sourceType: 'module' }), false);
  return found;
}

/** The words of a text, in small letters. */
const phraseOf = (text: string) => text.toLowerCase().match(/[\p{L}\d_#:.-]*[\p{L}\d]|…/gu) ?? [];

const PHRASE = 4;

/** Every row of one to four words in a text. */
function phrasesIn(text: string): ReadonlySet<string> {
  const words = phraseOf(text);
  const sizes = Array.from({ length: PHRASE }, (_, index) => index + 1);
  const rows = words.flatMap((_word, index) =>
    sizes.map((size) => words.slice(index, index + size).join(' ')),
  );
  return new Set(rows);
}

/** Whether four words in a row of a text are there, or its longest row if that is shorter. */
function isFoundIn(phrases: ReadonlySet<string>, text: string): boolean {
  const rows = phraseOf(text)
    .join(' ')
    .split('…')
    .map((row) => row.trim().split(' '));
  const size = Math.min(PHRASE, Math.max(...rows.map((row) => row.length)));
  return rows.some((row) =>
    row.some((_word, index) => {
      const phrase = row.slice(index, index + size);
      return phrase.length === size && phrases.has(phrase.join(' '));
    }),
  );
}

const warningTitle = (text: string) =>
  /^Docs agent: (?!The |…)((?!agent job created|follow-up message accepted|no agent job|an agent job|the message may|re-run).+)$/.exec(
    text,
  )?.[1];

/** Where the sources give a `RunError` its heading. */
const HEADING =
  /(?:RunError\(\s*|heading = |[hH]eading: |NOT_(?:KNOWN|FOUND) = )'((?!Completed)[A-Z][^']+)'/g;

function errorHeadings(): readonly string[] {
  const source = sourceNames().map((name) => page(`src/${name}`));
  return Array.from(source.join('\n').matchAll(HEADING), ([, heading = '']) => heading);
}

// biome-ignore lint/suspicious/noTemplateCurlyInString: an expression of GitHub's
const GROUP = '${{ github.workflow }}-${{ github.ref }}';

/** What has to run in the same workflow job, and prints no words of others. */
const isOther = (uses: string) => !/^actions\/(?:checkout|create-github-app-token)@/.test(uses);

const timeoutMsOf = (step: Step) => parseDuration(String(step.with?.['timeout'] ?? '30m')) ?? 0;

/** What a whole workflow lacks. */
function faultsOf({ events, permissions, jobs, steps }: Example): readonly string[] {
  const inputs = steps.map((step) => step.with ?? {});
  const usesChanges = inputs.some((given) => 'changes' in given || 'paths' in given);
  const isAppending = inputs.some((given) => given['pullRequest'] === 'append');
  const looksBack = usesChanges || isAppending;
  const readsPulls = isAppending || (usesChanges && events.includes('pull_request'));
  // An App's token brings its own permissions.
  const hasOwnToken = inputs.every((given) => 'githubToken' in given);
  const isDenied = (name: string) =>
    !hasOwnToken && !['read', 'write'].includes(permissions[name] ?? '');
  const faults = {
    'permission actions': isDenied('actions'),
    'permission checks': isDenied('checks'),
    'permission contents': usesChanges && isDenied('contents'),
    'permission pull-requests': readsPulls && isDenied('pull-requests'),
    'an id of each step': steps.some(({ id }) => id === undefined),
    'a workflow job of its own': jobs.some(({ others }) => others.some(isOther)),
    'a timeout-minutes that is longer than timeout': jobs.some(({ timeoutMinutes = 0, steps }) =>
      steps.some((step) => timeoutMinutes * 60_000 <= timeoutMsOf(step)),
    ),
    'the concurrency group':
      looksBack && jobs.some(({ concurrency }) => concurrency?.group !== GROUP),
    'cancel-in-progress: false':
      looksBack && jobs.some(({ concurrency }) => concurrency?.['cancel-in-progress'] !== false),
  };
  return Object.entries(faults).flatMap(([fault, isThere]) => (isThere ? [fault] : []));
}

describe('every YAML example', () => {
  test.each(examples)('gives only inputs that there are: $title', ({ steps }) => {
    for (const step of steps) {
      const given = Object.keys(step.with ?? {});
      expect(given.filter((name) => !(name in metadata.inputs))).toEqual([]);
      expect(given).toEqual(expect.arrayContaining(['projectId', 'adminApiKey']));
    }
  });

  const workflows = examples.filter(({ isWorkflow }) => isWorkflow);

  test('is found', () => {
    expect(workflows.length).toBeGreaterThan(15);
  });

  test.each(workflows.filter(({ call }) => call === undefined))('is whole: $title', (example) => {
    expect(faultsOf(example)).toEqual([]);
  });

  test('a workflow that lacks something is not whole', () => {
    const [example] = workflows.filter(({ title }) => title === 'README.md, Docs');
    const { jobs, ...whole } = example as Example;
    const bare = { concurrency: undefined, timeoutMinutes: 30, others: ['run'] };
    const bareJobs = jobs.map((job) => ({ ...job, ...bare }));
    expect(faultsOf({ ...whole, permissions: { actions: 'read' }, jobs: bareJobs })).toEqual([
      'permission checks',
      'permission contents',
      'permission pull-requests',
      'a workflow job of its own',
      'a timeout-minutes that is longer than timeout',
      'the concurrency group',
      'cancel-in-progress: false',
    ]);
  });

  const callers = workflows.filter(({ call }) => call !== undefined);

  test.each(callers)('grants what the reusable workflow needs: $title', (caller) => {
    const reusable = workflows.find(({ events }) => events.includes('workflow_call'));
    expect(caller.permissions).toEqual(reusable?.permissions);
    expect(caller.call?.secrets).toBe('inherit');
  });

  test('the smallest caller of the reusable workflow has six lines', () => {
    expect(callers[0]?.yaml.trim().split('\n')).toHaveLength(6);
  });
});

test('links between the pages are not broken', () => {
  const anchors = new Map(
    pageNames.map((name) => [
      name,
      new Set([1, 2, 3, 4].flatMap((level) => headingsOf(name, level)).map(anchorOf)),
    ]),
  );
  const broken = pageNames.flatMap((name) =>
    [...page(name).matchAll(/\]\((?!https?:)([^)\s]+)\)/g)].flatMap(([, target = '']) => {
      const [path = '', anchor] = target.split('#');
      const folder = name.startsWith('.github/') ? '.github/' : '';
      const file = path === '' ? name : new URL(`${folder}${path}`, 'file:///').pathname.slice(1);
      const isThere = path === '' || existsSync(join(ROOT, file));
      const isAnchor = anchor === undefined || anchors.get(file)?.has(anchor) === true;
      return isThere && isAnchor ? [] : [`${name}: ${target}`];
    }),
  );
  expect(broken).toEqual([]);
});
