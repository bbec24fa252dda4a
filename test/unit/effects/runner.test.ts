import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { clock } from '../../../src/effects/clock.ts';
import { createFiles } from '../../../src/effects/files.ts';
import { createRunner } from '../../../src/effects/runner.ts';
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

test('a mask covers the log, and is taken out of outputs and summary', async () => {
  const runner = createRunner({ isDebug: true });
  runner.mask('s3cret');
  runner.info('it is s3cret');
  runner.debug('it is s3cret');
  runner.annotate('error', 'Title', 'it is s3cret');
  runner.setOutput('model', 'it is s3cret');
  await runner.writeSummary('it is s3cret');
  expect(linesOf(written)).toEqual([
    '::add-mask::s3cret',
    'it is ***',
    '::debug::it is ***',
    '::error title=Title::it is ***',
  ]);
  expect(outputsIn(read('output'))).toEqual({ model: 'it is ***' });
  expect(read('summary')).toBe('it is ***');
});

test('debug lines are written only when debugging', () => {
  createRunner({ isDebug: false }).debug('x');
  expect(written).toBe('');
});

test('an annotation of 4,097 characters is cut to 4,096', () => {
  createRunner({ isDebug: false }).annotate('notice', 'T', `${'x'.repeat(4_096)}y`);
  const data = commandIn(written.trimEnd())?.data ?? '';
  expect([data.length, data.at(-1)]).toEqual([4_096, '…']);
});

test('lines of an annotation stay lines, and nothing in them is a command', () => {
  createRunner({ isDebug: false }).annotate('notice', 'T', 'one\n::error::two\r##[error]three');
  expect(commandIn(written.trimEnd())).toEqual({
    name: 'notice',
    properties: { title: 'T' },
    data: 'one\n: :error::two\\r## [error]three',
  });
});

test('files are read from the workspace, up to a byte over the limit', async () => {
  writeFileSync(join(folder, 'prompt.md'), 'für');
  const files = createFiles(folder);
  expect(Buffer.from(await files.read('prompt.md', 10)).toString()).toBe('für');
  expect(Buffer.from(await files.read(join(folder, 'prompt.md'), 10)).toString()).toBe('für');
  expect((await files.read('prompt.md', 1)).byteLength).toBe(2);
  await expect(files.read('none.md', 10)).rejects.toThrow('ENOENT');
});

test('a sleep ends early when it is cancelled, and the clock goes on', async () => {
  const started = clock.now();
  await clock.sleep(60_000, AbortSignal.timeout(20));
  expect(clock.now() - started).toBeLessThan(30_000);
  await clock.sleep(5, new AbortController().signal);
  expect(clock.date()).toBeGreaterThan(Date.UTC(2026, 0, 1));
  expect(clock.random()).toBeLessThan(1);
});
