/** The entry point: signals, one run, the exit. */
import { clock, createRunner } from './effects.ts';
import { Cancelled } from './errors.ts';
import { readPayload } from './github/event.ts';
import { createFetch } from './http.ts';
import { CANCEL_MS } from './limits.ts';
import { run } from './run/run.ts';

const runner = createRunner();

// The runner cancels a step with SIGINT, then SIGTERM, and kills the process 10 s after the first
// signal. On Windows, the two are CTRL_C and CTRL_BREAK, which Node calls SIGBREAK.
// https://github.com/actions/runner/blob/main/src/Runner.Sdk/ProcessInvoker.cs
const cancel = new AbortController();
const late = new AbortController();
function end(reason: unknown): void {
  cancel.abort(reason);
  setTimeout(() => late.abort(reason), CANCEL_MS).unref();
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGBREAK'] as const) {
  process.on(signal, () => end(new Cancelled(signal)));
}

// The runner and git take an address without a scheme; the toolkit takes its host or user for one.
for (const name of ['http_proxy', 'HTTP_PROXY', 'https_proxy', 'HTTPS_PROXY']) {
  const address = process.env[name] ?? '';
  if (address !== '' && !address.includes('://')) process.env[name] = `http://${address}`;
}

// The runner reads commands from stderr too, maybe before it has seen the masks on stdout, so
// nothing is written there.
process.on('uncaughtException', end);
process.removeAllListeners('warning');
process.on('warning', ({ message }) => runner.debug(`Node.js warns: ${message}`));

// A process that ends early is never a success.
process.exitCode = 1;
const signals = { signal: cancel.signal, lateSignal: late.signal };
const effects = { clock, runner, fetch: createFetch(), ...signals };
const isSuccess = await run(process.env, () => readPayload(process.env), effects);
process.exitCode = isSuccess ? 0 : 1;
// Whatever still runs is not waited for. `process.exit` would wait for a DNS lookup that hangs; a
// signal does not, and means failure as well.
const EXIT_AFTER_MS = 200;
setTimeout(() => {
  const isLookingUp = process.getActiveResourcesInfo().includes('GetAddrInfoReqWrap');
  if (isLookingUp && !isSuccess) process.kill(process.pid, 'SIGKILL');
  else process.exit();
}, EXIT_AFTER_MS).unref();
