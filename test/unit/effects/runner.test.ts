import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createRunner } from '../../../src/effects/runner.ts';
import { RunError } from '../../../src/lib/errors.ts';
import { HOSTILE_TEXTS } from '../../support/hostile-texts.ts';
import { commandIn, linesOf, outputsIn } from '../../support/runner-rules.ts';

let folder: string;
let written: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'docs-agent-job-'));
  for (const name of ['output', 'summary']) {
    writeFileSync(join(folder, name), '');
    vi.stubEnv(name === 'output' ? 'GITHUB_OUTPUT' : 'GITHUB_STEP_SUMMARY', join(folder, name));
  }
  written = '';
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    written += text;
    return true;
  });
});

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

const read = (name: string) => readFileSync(join(folder, name), 'utf8');

test('a masked secret is removed from the log and the summary, and a text from outside', async () => {
  const runner = createRunner({ isDebug: true });
  runner.mask('s3cret');
  runner.info('it is s3cret');
  runner.debug(() => 'it is s3cret');
  runner.annotate('error', 'Title', 'it is s3cret');
  await runner.writeSummary('it is s3cret');
  expect(linesOf(written)).toEqual([
    '::add-mask::s3cret',
    'it is ***',
    '::debug::it is ***',
    '::error title=Title::it is ***',
  ]);
  expect(read('summary')).toBe('it is ***');
  expect([runner.clean('it is s3cret'), runner.redact('it is s3cret')]).toEqual([
    'it is ***',
    'it is ***',
  ]);
});

test('an output that would hold a masked secret is left empty, and the others are set', () => {
  const runner = createRunner({ isDebug: false });
  runner.mask('s3cret');
  const base64 = Buffer.from('s3cret').toString('base64');
  const leftOut = ['it is s3cret', base64, 'it is s3cre'].map((value, index) =>
    runner.setOutput(`output${index}`, value),
  );
  expect(leftOut).toEqual([true, true, false]);
  expect(outputsIn(read('output'))).toEqual({ output0: '', output1: '', output2: 'it is s3cre' });
});

test('debug lines are written, and made, only when debugging is on', () => {
  createRunner({ isDebug: false }).debug(() => expect.unreachable());
  expect(written).toBe('');
});

test('an annotation of 4,097 characters is cut to 4,096', () => {
  createRunner({ isDebug: false }).annotate('notice', 'T', `${'x'.repeat(4_096)}y`);
  const data = commandIn(written.trimEnd())?.data ?? '';
  expect([data.length, data.at(-1)]).toEqual([4_096, '…']);
});

test('an annotation keeps its lines, and nothing in them is a command', () => {
  createRunner({ isDebug: false }).annotate('notice', 'T', 'one\n::error::two\r##[error]three');
  expect(commandIn(written.trimEnd())).toEqual({
    name: 'notice',
    properties: { title: 'T' },
    data: 'one\n: :error::two\\r## [error]three',
  });
});

test('an annotation is not cut inside a character of two UTF-16 units', () => {
  const message = `${'x'.repeat(4_094)}😀y`;
  createRunner({ isDebug: false }).annotate('notice', 'T', message);
  const data = commandIn(written.trimEnd())?.data ?? '';
  expect(data).toBe(`${'x'.repeat(4_094)}…`);
});

test("a proxy's password is removed from errors, and from nothing else", () => {
  const runner = createRunner({ isDebug: true, proxyCredentials: ['agent_', 'short'] });
  expect(runner.redact('short agent_')).toBe('short ***');
  expect(runner.clean('agent_1')).toBe('agent_1');
  runner.info('agent_1');
  runner.annotate('notice', 'T', 'agent_2');
  expect(runner.setOutput('jobId', 'agent_4')).toBe(false);
  expect(`${written}${read('output')}`).toMatch(/agent_1.*agent_2.*agent_4/s);
  expect(written).not.toContain('add-mask');
});

test('checkOutputs throws when outputs cannot be written, and writes nothing', () => {
  const runner = createRunner({ isDebug: false });
  runner.checkOutputs();
  expect(read('output')).toBe('');
  vi.stubEnv('GITHUB_OUTPUT', join(folder, 'none', 'output'));
  expect(() => runner.checkOutputs()).toThrow(RunError);
  expect(() => runner.checkOutputs()).toThrow(/ENOENT.*so no agent job was created/);
  vi.stubEnv('GITHUB_OUTPUT', folder);
  expect(() => runner.checkOutputs()).toThrow('GITHUB_OUTPUT is not a file');
  vi.stubEnv('GITHUB_OUTPUT', '');
  expect(() => runner.checkOutputs()).toThrow('GITHUB_OUTPUT is not set');
});

test('the runner reads outputs as they were set, whatever they contain', () => {
  const values = Object.values(HOSTILE_TEXTS).map((text) => text.toWellFormed());
  const runner = createRunner({ isDebug: false });
  values.forEach((value, index) => {
    runner.setOutput(`output${index}`, value);
  });
  expect(outputsIn(read('output'))).toEqual(
    Object.fromEntries(values.map((value, index) => [`output${index}`, value])),
  );
});
