/** Wires the run to the real environment, clock and signals, and makes no decisions of its own. */
import { clock } from './effects/clock.ts';
import { createFiles } from './effects/files.ts';
import { createHttp } from './effects/http.ts';
import { exit, isStrayConnectionError } from './effects/process.ts';
import { normalizeProxyVariables, proxyCredentialsIn } from './effects/proxy.ts';
import { createRunner } from './effects/runner.ts';
import { createGitHub } from './github/rest.ts';
import { readWorkflow } from './github/workflow.ts';
import { readInputs } from './inputs/inputs.ts';
import { CancelledError } from './model/run-error.ts';
import { run } from './run.ts';

const { env } = process;
normalizeProxyVariables(env);
const proxyCredentials = proxyCredentialsIn(env);
const runner = createRunner({ isDebug: env['RUNNER_DEBUG'] === '1', proxyCredentials });

// The runner cancels a step with SIGINT, then SIGTERM, and kills the process 10 s after the first
// signal. On Windows, the two are CTRL_C and CTRL_BREAK, which Node calls SIGBREAK.
// https://github.com/actions/runner/blob/main/src/Runner.Sdk/ProcessInvoker.cs
const cancel = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGBREAK'] as const) {
  process.on(signal, () => {
    if (!cancel.signal.aborted) runner.info(`Received ${signal}. The step is ending.`);
    cancel.abort(new CancelledError(signal));
  });
}

// The runner also looks for commands in stderr, and may read it before it sees the masks on stdout.
// So an uncaught error ends the run with a report, and Node's warnings become debug lines. Writing
// to stdout fails once the runner stops reading it; the run then continues without a log.
process.stdout.on('error', () => undefined);
process.on('uncaughtException', (error) => {
  if (isStrayConnectionError(error))
    runner.debug(() => `Error on an unused connection: ${runner.redact(error.message)}`);
  else cancel.abort(error);
});
process.removeAllListeners('warning');
process.on('warning', ({ message }) => runner.debug(() => `Node warns: ${runner.redact(message)}`));

// Fail by default, so that a process that ends early never counts as a success.
process.exitCode = 1;
const http = createHttp(proxyCredentials);
const workflow = readWorkflow();
const isSuccess = await run(readInputs(env), workflow.facts, {
  http,
  clock,
  runner,
  files: createFiles(env['GITHUB_WORKSPACE'] ?? process.cwd()),
  openGitHub: async (access) => createGitHub(access, workflow),
  readEvent: () => workflow.event,
  signal: cancel.signal,
});
http.close();
exit(isSuccess);
