import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createRunner } from '../../../src/effects/runner.ts';
import { RunError } from '../../../src/model/run-error.ts';
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
  expect(runner.clean('it is s3cret')).toBe('it is ***');
  expect(runner.redact('it is s3cret')).toBe('it is ***');
});

test('an output that would hold a masked secret is left empty, and the others are set', () => {
  const runner = createRunner({ isDebug: false });
  runner.mask('s3cret');
  const base64 = Buffer.from('s3cret').toString('base64');
  expect(runner.setOutput('plain', 'it is s3cret')).toBe(true);
  expect(runner.setOutput('encoded', base64)).toBe(true);
  expect(runner.setOutput('other', 'it is s3cre')).toBe(false);
  expect(outputsIn(read('output'))).toEqual({ plain: '', encoded: '', other: 'it is s3cre' });
});

test('debug lines are written, and made, only when debugging is on', () => {
  createRunner({ isDebug: false }).debug(() => expect.unreachable());
  expect(written).toBe('');
});

test.each([
  { message: 'x'.repeat(4_096), shown: 'x'.repeat(4_096) },
  { message: 'x'.repeat(4_097), shown: `${'x'.repeat(4_095)}…` },
  // It is not cut inside a character of two UTF-16 units.
  { message: `${'x'.repeat(4_094)}😀y`, shown: `${'x'.repeat(4_094)}…` },
])('an annotation is cut to 4,096 characters: case %#', ({ message, shown }) => {
  createRunner({ isDebug: false }).annotate('notice', 'T', message);
  expect(commandIn(written.trimEnd())?.data).toBe(shown);
});

test('an annotation keeps its lines, and nothing in them is a command', () => {
  createRunner({ isDebug: false }).annotate('notice', 'T', 'one\n::error::two\r##[error]three');
  const data = 'one\n: :error::two\\r## [error]three';
  const notice = { name: 'notice', properties: { title: 'T' }, data };
  expect(commandIn(written.trimEnd())).toEqual(notice);
});

test("a proxy's password is removed from errors, and from nothing else", () => {
  const runner = createRunner({ isDebug: true, proxyCredentials: ['agent_'] });
  expect(runner.redact('to agent_@proxy')).toBe('to ***@proxy');
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
  const texts = Object.values(HOSTILE_TEXTS).map(
    (text, n) => [`o${n}`, text.toWellFormed()] as const,
  );
  const runner = createRunner({ isDebug: false });
  for (const [name, text] of texts) runner.setOutput(name, text);
  expect(outputsIn(read('output'))).toEqual(Object.fromEntries(texts));
});
