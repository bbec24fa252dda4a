/** The shell: the real environment, clock and signals. Decides nothing. */
import { clock } from './effects/clock.ts';
import { createFiles } from './effects/files.ts';
import { createHttp } from './effects/http.ts';
import { createRunner } from './effects/runner.ts';
import { CancelledError } from './errors.ts';
import { readInputs } from './inputs.ts';
import { run } from './run.ts';

/** What still runs this long after the report was written is not waited for. */
const EXIT_AFTER_MS = 200;

const runner = createRunner({ isDebug: process.env['RUNNER_DEBUG'] === '1' });

// The runner cancels with SIGINT and then SIGTERM; on Windows with CTRL_C and then CTRL_BREAK,
// which Node calls SIGBREAK. It kills 10 s after the first.
// https://github.com/actions/runner/blob/main/src/Runner.Sdk/ProcessInvoker.cs
const cancel = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGBREAK'] as const) {
  process.on(signal, () => {
    if (!cancel.signal.aborted) runner.info(`Received ${signal}: the step ends.`);
    cancel.abort(new CancelledError(signal));
  });
}

// A fault of our own must not end as a stack trace on stderr, which the runner reads for commands
// before it has read the masks on stdout. It ends the run as a cancel does, with all that is known.
process.on('uncaughtException', (error) => cancel.abort(error));

// The toolkit takes a proxy without a scheme for a scheme without a host.
for (const name of ['http_proxy', 'HTTP_PROXY', 'https_proxy', 'HTTPS_PROXY']) {
  const proxy = process.env[name];
  if (proxy && !proxy.includes('://')) process.env[name] = `http://${proxy}`;
}

const http = createHttp();
const isSuccess = await run(
  readInputs(process.env),
  { actor: process.env['GITHUB_ACTOR'], eventName: process.env['GITHUB_EVENT_NAME'] },
  {
    http,
    clock,
    runner,
    files: createFiles(process.env['GITHUB_WORKSPACE'] ?? process.cwd()),
    openGitHub: async (access) => (await import('./effects/github.ts')).openGitHub(access),
    signal: cancel.signal,
  },
);
http.close();
process.exitCode = isSuccess ? 0 : 1;
// A name look-up or a proxy's connection in the making cannot be taken back, and would hold the step.
setTimeout(() => process.exit(), EXIT_AFTER_MS).unref();
