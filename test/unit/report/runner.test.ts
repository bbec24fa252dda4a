/** The log and the files as the runner reads them. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { EOL, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createRunner } from '../../../src/effects.ts';
import { HOSTILE_TEXTS } from '../../support/hostile-texts.ts';
import { commandIn, linesOf, outputsIn } from '../../support/runner-rules.ts';

const KEY = 'mint_0123456789';
let folder = '';
let log = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'docs-agent-job-'));
  for (const name of ['output', 'summary']) writeFileSync(join(folder, name), '');
  vi.stubEnv('GITHUB_OUTPUT', join(folder, 'output'));
  vi.stubEnv('GITHUB_STEP_SUMMARY', join(folder, 'summary'));
  log = '';
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    log += text;
    return true;
  });
});

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

const read = (name: string) => readFileSync(join(folder, name), 'utf8');
const commands = () => linesOf(log).map(commandIn);

describe.each(Object.entries(HOSTILE_TEXTS))('text from outside: %s', (_name, text) => {
  test('is one line of the log, and becomes no command elsewhere', () => {
    const runner = createRunner();
    runner.info(text);
    runner.debug(text);
    runner.annotate('warning', 'Docs agent: x', `a\n${text}`);
    expect(commands().map((command) => command?.name)).toEqual([undefined, 'debug', 'warning']);
    expect(commands()[2]?.properties).toEqual({ title: 'Docs agent: x' });
    const shown = commands().flatMap((command) => linesOf(command?.data ?? ''));
    expect(shown.flatMap((line) => commandIn(line) ?? [])).toEqual([]);
  });

  test('is one output as it is', () => {
    createRunner().setOutput('job', text.toWellFormed());
    expect(outputsIn(read('output'))).toEqual({ job: text.toWellFormed() });
    expect(log).toBe('');
  });
});

test('a secret is masked, and an output that contains it stays empty', () => {
  const runner = createRunner();
  runner.mask(KEY);
  runner.setOutput('job', `{"id":"${KEY}"}`);
  runner.setOutput('jobId', 'job_1');
  expect(log).toBe(
    `::add-mask::${KEY}${EOL}The output job stays empty, because it contains a secret.${EOL}`,
  );
  expect(outputsIn(read('output'))).toEqual({ job: '', jobId: 'job_1' });
});

test('a summary is written to the file of the step', async () => {
  await createRunner().writeSummary('## Ready\n');
  expect(read('summary')).toBe('## Ready\n');
});
