/**
 * `npm run service [-- failed]`: starts a local service that runs for some minutes, for the later
 * steps of a workflow, and sets its address as the output `url`. Its agent jobs end with a pull
 * request, or with the given status.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync } from 'node:fs';
import { AgentService, PR_LINK } from './support/agent-service.ts';

const LIFE_MS = 5 * 60_000;
const [status = 'completed', mode] = process.argv.slice(2);

if (mode === 'serve') {
  const service = await AgentService.start({
    schedule: [
      { afterMs: 0, status: 'active' },
      { afterMs: 2_500, status, prLink: status === 'completed' ? PR_LINK : null },
    ],
  });
  process.stdout.write(`${service.url}\n`);
  setTimeout(() => process.exit(), LIFE_MS);
} else {
  const child = spawn(process.execPath, [import.meta.filename, status, 'serve'], {
    detached: true,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [data] = await once(child.stdout, 'data');
  const url = String(data).trim();
  console.log(`The local service listens at ${url}`);
  if (process.env['GITHUB_OUTPUT']) appendFileSync(process.env['GITHUB_OUTPUT'], `url=${url}\n`);
  child.stdout.destroy();
  child.unref();
}
