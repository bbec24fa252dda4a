/** The shell: the real environment, clock and signals. Decides nothing. */
import { clock } from './effects/clock.ts';
import { createFiles } from './effects/files.ts';
import { createHttp } from './effects/http.ts';
import { exit, isStrayConnectionError } from './effects/process.ts';
import { normalizeProxyVariables, proxyCredentials } from './effects/proxy.ts';
import { createRunner } from './effects/runner.ts';
import { CancelledError } from './errors.ts';
import { readInputs } from './inputs.ts';
import { run } from './run.ts';
import { readRunFacts } from './run-facts.ts';

const { env } = process;
const runner = createRunner({ isDebug: env['RUNNER_DEBUG'] === '1' });

// The runner cancels with SIGINT and then SIGTERM; on Windows with CTRL_C and then CTRL_BREAK,
// which Node calls SIGBREAK. It kills 10 s after the first.
// https://github.com/actions/runner/blob/main/src/Runner.Sdk/ProcessInvoker.cs
const cancel = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGBREAK'] as const) {
  process.on(signal, () => {
    if (!cancel.signal.aborted) runner.info(`Received ${signal}. The step is ending.`);
    cancel.abort(new CancelledError(signal));
  });
}

// The runner reads stderr for commands, and before it has read the masks on stdout. So nothing goes
// there: an error of our own ends the run with all that is known, and Node's warnings are debug lines.
// Nobody may read the log any more, and then each line written to it is an error.
process.stdout.on('error', () => undefined);
process.on('uncaughtException', (error) => {
  if (isStrayConnectionError(error))
    runner.debug(`A connection that is no longer used: ${error.message}`);
  else cancel.abort(error);
});
process.removeAllListeners('warning');
process.on('warning', (warning) => runner.debug(`Node warns: ${warning.message}`));

normalizeProxyVariables(env);
const http = createHttp({ credentials: proxyCredentials(env) });
const isSuccess = await run(readInputs(env), readRunFacts(env), {
  http,
  clock,
  runner,
  files: createFiles(env['GITHUB_WORKSPACE'] ?? process.cwd()),
  openGitHub: async (access) => (await import('./effects/github.ts')).openGitHub(access),
  signal: cancel.signal,
});
http.close();
exit(isSuccess);
