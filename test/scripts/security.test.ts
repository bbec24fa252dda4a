/** Every claim of SECURITY.md names the tests that check it. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ROOT } from './workflow.ts';

const page = readFileSync(join(ROOT, '.github/SECURITY.md'), 'utf8');
const section = page.slice(page.indexOf('## Claims'));
const claims = [...section.matchAll(/^- (?<claim>.*?)(?: Tests?: (?<tests>.*))?$/gm)].map(
  ({ groups }) => ({
    claim: groups?.['claim'] ?? '',
    tests: [...(groups?.['tests'] ?? '').matchAll(/"([^"]+)"/g)].map(([, title]) => title ?? ''),
  }),
);

const testFiles = readdirSync(join(ROOT, 'test'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.test.ts') && !name.includes('node_modules'))
  .map((name) => readFileSync(join(ROOT, 'test', name), 'utf8'))
  .join('\n');

/** The first arguments of tests and groups, and the promises of rows. */
const titles = new Set(
  [...testFiles.matchAll(/(?:\(\s*|promise:\s*)(?<quote>['"`])(?<title>.+?)\k<quote>,/g)].map(
    ({ groups }) => groups?.['title'],
  ),
);

test('there are claims to check', () => {
  expect(claims.length).toBeGreaterThan(10);
});

describe.each(claims)('$claim', ({ tests }) => {
  test('names at least one test, and every test that it names exists', () => {
    expect(tests).not.toEqual([]);
    expect(tests.filter((title) => !titles.has(title))).toEqual([]);
  });
});
