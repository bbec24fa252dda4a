/** Compares the documentation with what it documents. */
import { describe, expect, test } from 'vitest';
import { metadata } from '../support/action.ts';
import { writtenPages } from '../support/docs.ts';
import { examples, page, pageNames } from '../support/pages.ts';

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

test('the table of endings has every outcome in action.yml, and no other', () => {
  const outcomes = [
    ...(metadata.outputs['outcome']?.description ?? '').matchAll(/`([a-z-]+)`/g),
  ].map(([, name]) => name);
  const rows = [...readme.matchAll(/^\| [^|]+ \| `([a-z-]+)` \| (?:succeeds|fails)/gm)];
  expect([...new Set(rows.map(([, name]) => name))].sort()).toEqual(outcomes.sort());
});

test('every row of Troubleshooting has its own anchor', () => {
  const section = readme.split('## Troubleshooting')[1]?.split('\n## ')[0] ?? '';
  const rows = section
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .slice(2);
  const anchors = rows.map((row) => /^\| <a id="([a-z0-9-]+)"><\/a>/.exec(row)?.[1]);
  expect(rows.length).toBeGreaterThan(10);
  expect(anchors.filter((anchor) => anchor === undefined)).toEqual([]);
  expect(new Set(anchors).size).toBe(rows.length);
});

describe('every YAML example', () => {
  test('is found', () => {
    expect(examples.length).toBeGreaterThan(15);
  });

  test.each(examples)('is valid: $title', ({ steps, permissions, isWorkflow }) => {
    for (const step of steps) {
      const given = Object.keys(step.with ?? {});
      expect(given.filter((name) => !(name in metadata.inputs))).toEqual([]);
      expect(given).toEqual(expect.arrayContaining(['projectId', 'adminApiKey']));
      const needsContents = 'changes' in (step.with ?? {}) || 'paths' in (step.with ?? {});
      if (isWorkflow && needsContents) expect(permissions['contents']).toBe('read');
      if (isWorkflow && step.with?.['since'] === 'last-success') {
        expect(permissions['actions']).toBe('read');
      }
      // Where a timeout or a cancel can happen, a re-run must find the agent job.
      const waits =
        String(step.with?.['wait']) !== 'false' && String(step.with?.['dryRun']) !== 'true';
      const isFollowed = 'jobId' in (step.with ?? {}) && !('prompt' in (step.with ?? {}));
      if (isWorkflow && waits && !isFollowed) {
        expect(permissions).toMatchObject({ actions: 'read', checks: 'read' });
      }
    }
  });
});

test('links between the pages are not broken', () => {
  const anchors = new Map(
    pageNames.map((name) => [
      name,
      new Set(
        [...page(name).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
          heading
            .toLowerCase()
            .replace(/[^\w\s-]/g, '')
            .replace(/\s/g, '-'),
        ),
      ),
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
