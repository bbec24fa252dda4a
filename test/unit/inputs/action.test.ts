/** action.yml says the same as the code. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { INPUT_NAMES } from '../../../src/inputs.ts';
import { outputsOf } from '../../../src/report/report.ts';
import { FACTS } from '../report/known.ts';
import { read } from './given.ts';

type All = Readonly<Record<string, { readonly description: string; readonly default?: string }>>;

const { inputs, outputs }: { inputs: All; outputs: All } = parse(
  readFileSync(resolve(import.meta.dirname, '../../../action.yml'), 'utf8'),
);

test('the inputs are those of the schema, with its defaults', async () => {
  expect(Object.keys(inputs)).toEqual(INPUT_NAMES);
  const defaults = Object.entries(inputs).map(([name, input]) => [name, input.default ?? '']);
  const plain = defaults.filter(([, preset]) => preset !== '' && !preset?.includes('${{'));
  expect(plain.length).toBeGreaterThan(5);
  expect(await read(Object.fromEntries(plain))).toEqual(await read({}));
});

test('the outputs are those of a report, and each says when it is empty', () => {
  const written = outputsOf({ facts: FACTS, call: { kind: 'not-sent' } }, { outcome: 'error' });
  expect(Object.keys(outputs)).toEqual(Object.keys(written));
  for (const { description } of Object.values(outputs))
    expect(description).toMatch(/Empty (if|with) |Never empty|`\[\]` if/);
});

test.each(Object.entries({ ...inputs, ...outputs }))(
  '%s is described in one to three sentences',
  (_name, { description }) => {
    expect(description).toMatch(/^[^\n]+\.$/);
    expect(description.split(/[.] (?=[A-Z`[])/).length).toBeLessThanOrEqual(3);
  },
);
