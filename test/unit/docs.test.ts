/** The documentation, held against what it documents. */
import { describe, expect, test } from 'vitest';
import { READ_FAULTS } from '../e2e/read-faults.ts';
import { WRITE_FAULTS } from '../e2e/write-faults.ts';
import { metadata } from '../support/action.ts';
import { examples, page, pageNames } from '../support/pages.ts';

const readme = page('README.md');
const cell = (text: string) => text.replaceAll('|', '\\|');

test('the table of inputs is that of action.yml', () => {
  const rows = Object.entries(metadata.inputs).map(([name, input]) => {
    const preset = input.default === undefined ? '' : `\`${input.default}\``;
    return `| \`${name}\` | ${input.required ? 'required' : preset} | ${cell(input.description)} |`;
  });
  expect(readme).toContain(
    ['| Input | Default | Meaning |', '| --- | --- | --- |', ...rows, ''].join('\n'),
  );
});

test('the table of outputs is that of action.yml', () => {
  const rows = Object.entries(metadata.outputs).map(
    ([name, output]) => `| \`${name}\` | ${cell(output.description)} |`,
  );
  expect(readme).toContain(['| Output | Meaning |', '| --- | --- |', ...rows, ''].join('\n'));
});

test('every outcome stands in the table of endings and in action.yml', () => {
  const outcomes = [...(metadata.outputs['outcome']?.description ?? '').matchAll(/`([a-z-]+)`/g)]
    .map(([, name]) => name)
    .filter((name) => name !== 'wait');
  const rows = [...readme.matchAll(/^\| [^|]+ \| `([a-z-]+)` \| (?:succeeds|fails)/gm)];
  expect(rows.map(([, name]) => name).sort()).toEqual(outcomes.sort());
});

test('the table of faults is that of the tests', async () => {
  const table = (faults: readonly { fault: string; behaviour: string }[]) =>
    faults.map(({ fault, behaviour }) => `| ${fault} | ${behaviour} |`).join('\n');
  await expect(`# Faults

What the end-to-end tests put the built action through, and what it does. This page is made of the tests' own table ([write-faults.ts](../test/e2e/write-faults.ts), [read-faults.ts](../test/e2e/read-faults.ts)), and a test fails when it differs. \`npm run try -- test/unit/docs.test.ts -u\` writes it anew.

## While an agent job is created, or a follow-up message is sent

A POST sent twice makes two agent jobs, so each fault is tried with both calls, and the requests that reached the service are counted.

| fault | the call |
| --- | --- |
${table(WRITE_FAULTS)}

## While an agent job is read

| fault | the agent job |
| --- | --- |
${table(READ_FAULTS)}
`).toMatchFileSnapshot('../../.github/FAULTS.md');
});

describe('every YAML example', () => {
  test('is found', () => {
    expect(examples.length).toBeGreaterThan(15);
  });

  test.each(examples)('$title', ({ steps, permissions, isWorkflow }) => {
    for (const step of steps) {
      const given = Object.keys(step.with ?? {});
      expect(given.filter((name) => !(name in metadata.inputs))).toEqual([]);
      expect(given).toEqual(expect.arrayContaining(['projectId', 'adminApiKey']));
      const needsContents = 'changes' in (step.with ?? {}) || 'paths' in (step.with ?? {});
      if (isWorkflow && needsContents) expect(permissions['contents']).toBe('read');
      if (isWorkflow && step.with?.['since'] === 'last-success') {
        expect(permissions['actions']).toBe('read');
      }
    }
  });
});

test('links between the pages lead somewhere', () => {
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
