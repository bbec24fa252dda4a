/**
 * What a step writes (its log, commands, outputs and summary), as the runner reads it. Uses this
 * process's stdout and environment, so only one step runs at a time.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { vi } from 'vitest';
import { createFiles } from '../../src/effects/files.ts';
import { createRunner } from '../../src/effects/runner.ts';
import type { ActionOptions, ActionResult } from './action.ts';
import { JumpingClock, runHere } from './in-process.ts';
import { commandIn, linesOf, outputsIn } from './runner-rules.ts';

/** Runs a step in this process with the real runner. Its clock jumps. */
export async function runWritten(options: ActionOptions): Promise<ActionResult> {
  const folder = mkdtempSync(join(tmpdir(), 'docs-agent-job-'));
  const output = join(folder, 'output');
  for (const [name, content] of Object.entries({ output: '', ...options.files })) {
    writeFileSync(join(folder, name), content);
  }
  vi.stubEnv('GITHUB_OUTPUT', output);
  let stdout = '';
  const spy = vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    stdout += text;
    return true;
  });
  let summary = '';
  const runner = createRunner({ isDebug: options.env?.['RUNNER_DEBUG'] === '1' });
  try {
    const result = await runHere(options, new JumpingClock(), {
      files: createFiles(folder),
      runner: {
        ...runner,
        // The toolkit remembers the path of its first summary, so don't use its file here. `Action`
        // tests the file.
        async writeSummary(markdown) {
          summary = runner.clean(markdown);
        },
      },
    });
    return {
      ...result,
      summary,
      stdout: linesOf(stdout).join('\n'),
      commands: linesOf(stdout).flatMap((line) => commandIn(line) ?? []),
      outputs: outputsIn(readFileSync(output, 'utf8')),
    };
  } finally {
    spy.mockRestore();
    vi.unstubAllEnvs();
    rmSync(folder, { recursive: true });
  }
}
