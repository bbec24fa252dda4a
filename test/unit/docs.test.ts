/** Compares the documentation with what it documents. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseDuration } from '../../src/lib/duration.ts';
import { anchorOf, helpUrl } from '../../src/report/wording.ts';
import { metadata } from '../support/action.ts';
import { ERROR_HEADINGS, firstSentence, writtenPages } from '../support/docs.ts';
import { type Example, examples, headingsOf, page, pageNames } from '../support/pages.ts';

const readme = page('README.md');

test.each(Object.keys(writtenPages()))('%s is up to date with `npm run docs`', (name) => {
  const differing = firstDifferences(page(name), writtenPages()[name] ?? '');
  expect(differing, `${name} is out of date: run \`npm run docs\``).toEqual([]);
});

/**
 * The first lines that differ, in order. Not all of them, because one missing line moves all that
 * follow.
 */
function firstDifferences(is: string, shouldBe: string) {
  const [lines, expected] = [is.split('\n'), shouldBe.split('\n')];
  return Array.from({ length: Math.max(lines.length, expected.length) }, (_, index) => ({
    line: index + 1,
    is: lines[index],
    shouldBe: expected[index],
  }))
    .filter((pair) => pair.is !== pair.shouldBe)
    .slice(0, 3);
}

test('a line that moved is reported, and one that stayed is not', () => {
  expect(firstDifferences('a\nb\nc', 'b\na\nc')).toEqual([
    { line: 1, is: 'a', shouldBe: 'b' },
    { line: 2, is: 'b', shouldBe: 'a' },
  ]);
  expect(firstDifferences('a\nb', 'a\nb')).toEqual([]);
});

test('the README has at most 2,800 words, tables included', () => {
  expect(readme.split(/\s+/).length).toBeLessThanOrEqual(2_800);
});

test('the first sentence ends at a full stop before the next one', () => {
  expect(firstSentence('A file, like `a.md`. A relative path starts there.')).toBe(
    'A file, like `a.md`.',
  );
  expect(firstSentence('About 1.5 of them. `x` too.')).toBe('About 1.5 of them.');
  expect(firstSentence('Only one.')).toBe('Only one.');
});

describe('every outcome in action.yml, and no other, is', () => {
  const outcomes = [
    ...(metadata.outputs['outcome']?.description ?? '').matchAll(/`([a-z-]+)`/g),
  ].map(([, name]) => name);
  const named = (text: string, pattern: RegExp) => [
    ...new Set([...text.matchAll(pattern)].map(([, name]) => name)),
  ];

  test('in the README, once each', () => {
    const rows = named(readme, /^\| `([a-z-]+)` \| (?:succeeds|fails) \|/gm);
    expect(rows.toSorted()).toEqual(outcomes.toSorted());
  });

  test('in the table of endings', () => {
    const rows = named(
      page('.github/FAULTS.md'),
      /^\| [^|]+ \| `([a-z-]+)` \| (?:succeeds|fails)/gm,
    );
    expect(rows.toSorted()).toEqual(outcomes.toSorted());
  });
});

describe('TROUBLESHOOTING.md', () => {
  const NAME = '.github/TROUBLESHOOTING.md';
  /** Sections that are not about an error of the step. */
  const OTHERS = [
    'The run succeeds, and something is missing',
    'Warnings',
    'The step does not start',
  ];
  const sections = headingsOf(NAME, 2);
  const anchors = sections.map(anchorOf);
  const anchorOfError = (heading: string) => new URL(helpUrl(heading)).hash.slice(1);

  test.each(ERROR_HEADINGS)('has the section that the error links to: %s', (heading) => {
    expect(anchors).toContain(anchorOfError(heading));
  });

  test('has no section about an error that does not exist, and none twice', () => {
    const ofErrors = new Set(ERROR_HEADINGS.map(anchorOfError));
    const others = sections.filter((section) => !ofErrors.has(anchorOf(section)));
    expect(others).toEqual(OTHERS);
    expect(new Set(anchors).size).toBe(anchors.length);
  });

  test('lists each of its sections at its top', () => {
    const top = page(NAME).split('\n## ')[0] ?? '';
    const listed = [...top.matchAll(/\]\(#([^)]+)\)/g)].map(([, anchor]) => anchor);
    expect(listed.toSorted()).toEqual(anchors.toSorted());
  });

  test('has the warnings in the code, by their titles, and quotes each as it is there', () => {
    const section = page(NAME).split('\n## Warnings\n')[1]?.split('\n## ')[0] ?? '';
    const rows = [...section.matchAll(/^\| `([^|]+)` \| ([^|]+) \|/gm)];
    const titles = new Set(rows.map(([, title]) => title));
    expect(titles).toEqual(new Set(warningTitlesInCode()));
    expect(titles.size).toBeGreaterThan(4);
    const code = sources().map(({ text }) => text.replaceAll('\\`', '`'));
    const quoted = rows.map(([, , text = '']) => text);
    expect(quoted.filter((text) => !code.some((source) => source.includes(text)))).toEqual([]);
  });

  test('is about each heading of an error in the code', () => {
    const documented = new Set(ERROR_HEADINGS.map(anchorOfError));
    const headings = errorHeadingsInCode();
    expect(headings.length).toBeGreaterThan(5);
    expect(headings.filter((heading) => !documented.has(anchorOfError(heading)))).toEqual([]);
  });
});

/** The first arguments of `RunError`, and what else is called a heading outside the report. */
function errorHeadingsInCode(): readonly string[] {
  return sources().flatMap(({ name, text }) => {
    const thrown = [...text.matchAll(/\bRunError\(\s*'([^']+)'/g)];
    const named = /^report\b/.test(name)
      ? []
      : [...text.matchAll(/\b(?:heading|uncertainHeading)(?::| =) '([A-Z][^']+)'/g)];
    return [...thrown, ...named].map(([, heading = '']) => heading);
  });
}

/** The titles of warnings that do not end the run, without the name of the action. */
function warningTitlesInCode(): readonly string[] {
  return sources().flatMap(({ text }) =>
    [
      ...text.matchAll(/\bannotate\(\s*'warning',\s*'Docs agent: ([^']+)'/g),
      // Those that the wait decides on.
      ...text.matchAll(/\btitle: 'Docs agent: ([^']+)'/g),
    ].map(([, title = '']) => title),
  );
}

function sources(): readonly { readonly name: string; readonly text: string }[] {
  const root = resolve(import.meta.dirname, '../../src');
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => ({ name, text: readFileSync(join(root, name), 'utf8') }));
}

// biome-ignore lint/suspicious/noTemplateCurlyInString: an expression of GitHub's
const GROUP = '${{ github.workflow }}-${{ github.ref }}';
// biome-ignore lint/suspicious/noTemplateCurlyInString: an expression of GitHub's
const GROUP_OF_PULL_REQUEST = '${{ github.workflow }}-${{ github.event.pull_request.number }}';

/** What a whole workflow lacks, one line each. */
function faultsOf({ events, types, permissions, jobs, steps }: Example): readonly string[] {
  const inputs = steps.map((step) => step.with ?? {});
  const usesChanges = inputs.some((given) => 'changes' in given || 'paths' in given);
  // The ref of a merged pull request is its base branch, which all of them share.
  const group = types.includes('closed') ? GROUP_OF_PULL_REQUEST : GROUP;
  const isGranted = (name: string) => ['read', 'write'].includes(permissions[name] ?? '');
  const needed = [
    'actions',
    'checks',
    ...(usesChanges ? ['contents'] : []),
    ...(usesChanges && events.includes('pull_request') ? ['pull-requests'] : []),
  ];
  return [
    ...needed.filter((name) => !isGranted(name)).map((name) => `permission ${name}`),
    ...steps.filter(({ id }) => id === undefined).map(() => 'an id of the step'),
    ...jobs.flatMap(({ timeoutMinutes = 0, concurrency, steps: own }) => [
      ...own
        .map((step) => parseDuration(String(step.with?.['timeout'] ?? '30m')) ?? 0)
        .filter((timeoutMs) => timeoutMinutes * 60_000 <= timeoutMs)
        .map(() => 'a timeout-minutes that is longer than timeout'),
      ...(usesChanges && concurrency?.group !== group ? ['the concurrency group'] : []),
      ...(usesChanges && concurrency?.['cancel-in-progress'] !== false
        ? ['cancel-in-progress: false']
        : []),
    ]),
  ];
}

describe('every YAML example', () => {
  test('is found', () => {
    expect(examples.length).toBeGreaterThan(15);
  });

  test.each(examples)('gives only inputs that there are: $title', ({ steps }) => {
    for (const step of steps) {
      const given = Object.keys(step.with ?? {});
      expect(given.filter((name) => !(name in metadata.inputs))).toEqual([]);
      expect(given).toEqual(expect.arrayContaining(['projectId', 'adminApiKey']));
    }
  });

  const workflows = examples.filter(({ isWorkflow }) => isWorkflow);

  test.each(workflows.filter(({ call }) => call === undefined))('is whole: $title', (example) => {
    expect(faultsOf(example)).toEqual([]);
  });

  test('a workflow that lacks something is not whole', () => {
    const [example] = workflows.filter(({ title }) => title === 'README.md, Docs');
    const bare = { ...(example as Example), permissions: { actions: 'read' } };
    const jobs = bare.jobs.map((job) => ({ ...job, concurrency: undefined, timeoutMinutes: 30 }));
    expect(faultsOf({ ...bare, jobs })).toEqual([
      'permission checks',
      'permission contents',
      'permission pull-requests',
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
      const isThere = path === '' || exists(file);
      const isAnchor = anchor === undefined || anchors.get(file)?.has(anchor) === true;
      return isThere && isAnchor ? [] : [`${name}: ${target}`];
    }),
  );
  expect(broken).toEqual([]);
});

function exists(name: string): boolean {
  try {
    page(name);
    return true;
  } catch {
    return false;
  }
}
