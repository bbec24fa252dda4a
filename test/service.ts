/**
 * `npm run service [-- failed]`: starts a local Mintlify that runs for some minutes, for the later
 * steps of a workflow, and sets its address as the output `url`. Its agent jobs end with a pull
 * request, or with the given status.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync } from 'node:fs';
import { Mintlify, PR_LINK } from './support/mintlify.ts';

const LIFE_MS = 5 * 60_000;
const [status = 'completed', mode] = process.argv.slice(2);

if (mode === 'serve') {
  const prLink = status === 'completed' ? PR_LINK : null;
  const mintlify = await Mintlify.start({
    script: [{ status: 'active' }, { afterReads: 2, status, prLink }],
  });
  process.stdout.write(`${mintlify.url}\n`);
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
