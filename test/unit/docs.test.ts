/** Compares the documentation with what it documents. */
import { existsSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { helpUrl } from '../../src/report/wording.ts';
import { parseDuration } from '../../src/text/duration.ts';
import { metadata } from '../support/action.ts';
import { writtenReadme } from '../support/docs.ts';
import { EXCUSES } from '../support/histories/excuses.ts';
import {
  anchorsOf,
  type Example,
  exampleIn,
  examples,
  page,
  pageNames,
  type Step,
} from '../support/pages.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const readme = page('README.md');

test('the tables of the README are up to date with `npm run docs`', () => {
  expect(readme).toBe(writtenReadme());
});

/** What the log says of each ending. `wording.test.ts` writes it. */
const endings = page('test/unit/report/endings.md');

test('the README names all that the judge of random histories excuses', () => {
  const [, section = ''] =
    /^## What can be lost or paid twice$(.*?)^## /ms.exec(page('README.md')) ?? [];
  const named = Object.values(EXCUSES).map(({ readme }) => readme);
  expect(named.filter((words) => !section.includes(words))).toEqual([]);
  expect(new Set(named).size).toBe(named.length);
});

describe('TROUBLESHOOTING.md', () => {
  const name = '.github/TROUBLESHOOTING.md';
  const text = page(name);

  test('says of every outcome, and of no other, whether the step succeeds', () => {
    const told = text.matchAll(/^\|`([a-z-]+)`\|(succeeds|fails)\|/gm);
    const rows = Array.from(told, ([, outcome, step]) => `${step} with the outcome ${outcome}`);
    const seen = endings.match(/(?:succeeds|fails) with the outcome [a-z-]+/g);
    expect(rows.toSorted()).toEqual([...new Set(seen)].toSorted());
  });

  test('has a section for each ending and each error that fails the step, and six others', () => {
    const links = Array.from(endings.matchAll(/^Troubleshooting: (\S+)$/gm), ([, url = '']) => url);
    const failing = [...links, ...errorHeadings().map(helpUrl)].map((url) => new URL(url).hash);
    const inCode = new Set(failing.filter((hash) => hash !== '#it-failed'));
    expect(inCode.size).toBeGreaterThan(20);
    const others = [
      ...['how-a-run-ends', 'a-run-is-skipped', 'other-errors', 'warnings'],
      ...['the-step-does-not-start', 'start-a-new-run'],
    ];
    const documented = anchorsOf(name, [2]).map((anchor) => `#${anchor}`);
    expect(documented.toSorted()).toEqual(
      [...inCode, ...others.map((other) => `#${other}`)].toSorted(),
    );
  });

  test('quotes messages as the code has them', () => {
    // A text stands on one line of the source, with its own marks behind backslashes.
    const messages = sourceNames().flatMap((source) =>
      page(`src/${source}`)
        .replaceAll(/\\(?=[`'])/g, '')
        .split('\n'),
    );
    const quoted = [...text.replace(/<[^>]+>/g, '').matchAll(/"([^"\n]+)"/g)].map(
      ([, words = '']) => words,
    );
    expect(quoted.length).toBeGreaterThan(25);
    expect(quoted.filter((words) => !messages.some(has(words)))).toEqual([]);
  });

  test('a quote with a word changed is found', () => {
    const message = 'Agent job … of run #… is lost. Look at …';
    expect(has('Agent job … of run #… is lost.')(message)).toBe(true);
    expect(has('Agent job … of run #… was lost.')(message)).toBe(false);
    expect(has('is lost. Look')('is lost, Look')).toBe(false);
  });
});

/** Whether a message has these words in a row. `…` stands for any others. */
const has = (words: string) => (message: string) => {
  let at = 0;
  return words.split('…').every((part) => {
    const found = message.indexOf(part, at);
    at = found + part.length;
    return found !== -1;
  });
};

function sourceNames(): readonly string[] {
  return readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => name.replaceAll('\\', '/'));
}

/** Where the sources give a `RunError` its heading. */
const HEADING =
  /(?:RunError\(\s*|heading = |[hH]eading: |NOT_(?:KNOWN|FOUND) = )'((?!Completed)[A-Z][^']+)'/g;

function errorHeadings(): readonly string[] {
  const source = sourceNames().map((name) => page(`src/${name}`));
  return Array.from(source.join('\n').matchAll(HEADING), ([, heading = '']) => heading);
}

// biome-ignore lint/suspicious/noTemplateCurlyInString: an expression of GitHub's
const GROUP = '${{ github.workflow }}-${{ github.ref }}';
/** So that a dry run never takes the place of a waiting run that would send. */
// biome-ignore lint/suspicious/noTemplateCurlyInString: an expression of GitHub's
const OF_DRY_RUNS = "${{ inputs.dryRun && '-dry-run' || '' }}";
/** The same in a reusable workflow, which sees what was typed into its caller's form. */
// biome-ignore lint/suspicious/noTemplateCurlyInString: an expression of GitHub's
const OF_CALLED_DRY_RUNS = "${{ github.event.inputs.dryRun == 'true' && '-dry-run' || '' }}";

/** What has to run in the same workflow job, and prints no words of others. */
const isOther = (uses: string) => !/^actions\/(?:checkout|create-github-app-token)@/.test(uses);

const timeoutMsOf = (step: Step) => parseDuration(String(step.with?.['timeout'] ?? '30m')) ?? 0;

/** What a whole workflow lacks. */
function faultsOf({ permissions, jobs, steps, form, events }: Example): readonly string[] {
  const inputs = steps.map((step) => step.with ?? {});
  const usesChanges = inputs.some((given) => 'changes' in given || 'paths' in given);
  const isAppending = inputs.some((given) => given['pullRequest'] === 'append');
  const looksBack = usesChanges || isAppending;
  const isCalled = events.includes('workflow_call');
  const ofDryRuns = isCalled ? OF_CALLED_DRY_RUNS : form.includes('dryRun') ? OF_DRY_RUNS : '';
  const group = GROUP + ofDryRuns;
  // A run by hand has no pull request, so the form cannot help there.
  const needsForm =
    inputs.some(({ since }) => String(since).includes('last-success')) &&
    events.some((event) => !['pull_request', 'workflow_call'].includes(event));
  // An App's token brings its own permissions.
  const hasOwnToken = inputs.every((given) => 'githubToken' in given);
  const isDenied = (name: string) =>
    !hasOwnToken && !['read', 'write'].includes(permissions[name] ?? '');
  const faults = {
    'permission actions': isDenied('actions'),
    'permission checks': isDenied('checks'),
    'permission contents': looksBack && isDenied('contents'),
    'permission pull-requests': looksBack && isDenied('pull-requests'),
    'a form with since and dryRun':
      needsForm &&
      (!['since', 'dryRun'].every((name) => form.includes(name)) ||
        inputs.some(
          ({ since, dryRun }) =>
            !/\binputs\.since\b/.test(String(since)) || !/\binputs\.dryRun\b/.test(String(dryRun)),
        )),
    'an id of each step': steps.some(({ id }) => id === undefined),
    'a workflow job of its own': looksBack && jobs.some(({ others }) => others.some(isOther)),
    'a timeout-minutes that is longer than timeout': jobs.some(({ timeoutMinutes = 0, steps }) =>
      steps.some((step) => timeoutMinutes * 60_000 <= timeoutMsOf(step)),
    ),
    'the concurrency group':
      looksBack && jobs.some(({ concurrency }) => concurrency?.group !== group),
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

  test('is found', () => {
    expect(examples.length).toBeGreaterThan(15);
  });

  test.each(examples.filter(({ call }) => call === undefined))('is whole: $title', (example) => {
    expect(faultsOf(example)).toEqual([]);
  });

  test('a workflow that lacks something is not whole', () => {
    const { jobs, ...whole } = exampleIn('README.md', 'Run it on every push');
    const bare = { concurrency: undefined, timeoutMinutes: 30, others: ['run'] };
    const bareJobs = jobs.map((job) => ({ ...job, ...bare }));
    const permissions = { actions: 'read' };
    expect(faultsOf({ ...whole, permissions, jobs: bareJobs, form: ['since'] })).toEqual([
      'permission checks',
      'permission contents',
      'permission pull-requests',
      'a form with since and dryRun',
      'a workflow job of its own',
      'a timeout-minutes that is longer than timeout',
      'the concurrency group',
      'cancel-in-progress: false',
    ]);
  });

  const callers = examples.filter(({ call }) => call !== undefined);

  test.each(callers)('grants what the reusable workflow needs: $title', (caller) => {
    const reusable = examples.find(({ events }) => events.includes('workflow_call'));
    expect(caller.permissions).toEqual(reusable?.permissions);
    expect(caller.call?.secrets).toBe('inherit');
    expect(caller.form).toEqual(['since', 'dryRun']);
  });
});

test('each section that a message links is there', () => {
  const sources = sourceNames().map((name) => page(`src/${name}`));
  const links = sources.flatMap((text) => [...text.matchAll(/pageUrl\('(\w+\.md)#([\w-]+)'\)/g)]);
  expect(links.length).toBeGreaterThan(1);
  for (const [, name = '', anchor] of links) {
    expect(anchorsOf(`.github/${name}`, [2, 3])).toContain(anchor);
  }
});

test('links between the pages are not broken', () => {
  const anchors = new Map(pageNames.map((name) => [name, new Set(anchorsOf(name, [1, 2, 3, 4]))]));
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
