/** Compares action.yml, the README, and the pages in .github with the action that they describe. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { outputsOf } from '../../src/report/report.ts';
import { OUTCOMES } from '../../src/report/wording.ts';
import { FACTS } from './report/known.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const read = (name: string) => readFileSync(join(ROOT, name), 'utf8');

interface Described {
  readonly description: string;
  readonly required?: boolean;
  readonly default?: string;
}
type All = Readonly<Record<string, Described>>;
const { inputs, outputs }: { inputs: All; outputs: All } = parse(read('action.yml'));

const pages = new Map(
  ['README.md', ...readdirSync(join(ROOT, '.github')).map((name) => `.github/${name}`)]
    .filter((name) => name.endsWith('.md'))
    .map((name) => [name, read(name)]),
);

test('action.yml has the outputs of a report, and says when each is empty', () => {
  const written = outputsOf({ facts: FACTS, ending: { kind: 'started' } }, 'error');
  expect(Object.keys(outputs)).toEqual(Object.keys(written));
  for (const { description } of Object.values(outputs))
    expect(description).toMatch(/Empty (if|with) |Never empty|`\[\]` if/);
});

const firstSentence = (text: string) => /^.*?\.(?=\s+[A-Z`]|\s*$)/s.exec(text)?.[0] ?? text;
const table = (head: readonly string[], rows: readonly (readonly string[])[]) =>
  [head, head.map(() => '---'), ...rows].map((cells) => `|${cells.join('|')}|\n`).join('');
const defaultOf = ({ required, default: preset = '' }: Described) => {
  const shown = preset.replace(/^\$\{\{ (.+) \}\}$/, '$1');
  return required ? 'required' : shown && `\`${shown}\``;
};
const tables = {
  inputs: table(
    ['Input', 'Meaning', 'Default'],
    Object.entries(inputs)
      // Its default is the only value that makes sense.
      .filter(([name]) => name !== 'matrix')
      .map(([name, input]) => [`\`${name}\``, firstSentence(input.description), defaultOf(input)]),
  ),
  outputs: table(
    ['Output', 'Meaning'],
    Object.entries(outputs).map(([name, { description }]) => [
      `\`${name}\``,
      firstSentence(description),
    ]),
  ),
};

test('the tables of the README are the first sentences of action.yml; -u writes them', async () => {
  const written = Object.entries(tables).reduce(
    (text, [name, content]) =>
      text.replace(
        new RegExp(`(<!-- ${name}[^>]*-->\n)[\\s\\S]*?(<!-- /${name} -->)`),
        (_all, start, end) => `${start}${content}${end}`,
      ),
    read('README.md'),
  );
  await expect(written).toMatchFileSnapshot(join(ROOT, 'README.md'));
});

describe('the pages', () => {
  /** https://docs.github.com/get-started/writing-on-github: section links */
  const anchorOf = (heading: string) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-');
  const anchorsOf = (text: string) =>
    Array.from(text.matchAll(/^#+ (.+)$/gm), ([, heading = '']) => anchorOf(heading));
  const isThere = (from: string, target: string) => {
    const [path = '', anchor] = target.split('#');
    const name = path === '' ? from : join(dirname(from), path);
    if (!existsSync(join(ROOT, name))) return false;
    return anchor === undefined || anchorsOf(read(name)).includes(anchor);
  };

  test.each([...pages])('link to what exists: %s', (page, text) => {
    const targets = Array.from(text.matchAll(/\]\((?!https?:)([^)]+)\)/g), ([, to = '']) => to);
    expect(targets.filter((target) => !isThere(page, target))).toEqual([]);
  });

  test("name one owner of this action to copy, and no stranger's action", () => {
    const all = [...pages.values()].join('\n');
    const owners = new Set(
      Array.from(all.matchAll(/([\w-]+)\/docs-agent-job/g), ([, name]) => name),
    );
    expect(owners.size).toBe(1);
    const used = Array.from(all.matchAll(/uses: ([\w-]+)\//g), ([, name]) => name);
    // In a recipe, OWNER is the reader's organization.
    const known = [...owners, 'OWNER', 'actions'];
    expect(used.filter((owner) => !known.includes(owner))).toEqual([]);
  });

  test('name only files that exist', () => {
    const contributing = pages.get('.github/CONTRIBUTING.md') ?? '';
    const files = contributing.match(/(?<=`)(?:src|test)\/[\w./]+\.ts(?=`)/g) ?? [];
    expect(files.length).toBeGreaterThan(5);
    expect(files.filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
  });

  test('list every outcome, and so does action.yml', () => {
    const troubleshooting = pages.get('.github/TROUBLESHOOTING.md') ?? '';
    const listed = Array.from(
      troubleshooting.matchAll(/^\|`([a-z-]+)`\|(?:succeeds|fails)/gm),
      ([, name]) => name,
    );
    const { description = '' } = outputs['outcome'] ?? {};
    const described = Array.from(description.matchAll(/`([a-z-]+)`/g), ([, name]) => name);
    const all = Object.keys(OUTCOMES).toSorted();
    expect([listed.toSorted(), described.toSorted()]).toEqual([all, all]);
  });
});
