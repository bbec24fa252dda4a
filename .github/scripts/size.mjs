// Prints the sizes of dist/ and of the archive that a runner downloads, and fails above the limits.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

const LIMITS = { dist: 840_000, download: 230_000 };

const files = readdirSync('dist').map((name) => readFileSync(`dist/${name}`));
const dist = files.reduce((bytes, file) => bytes + file.length, 0);
const distGzipped = gzipSync(Buffer.concat(files)).length;
// The committed tree, with the attributes of .gitattributes applied, as GitHub archives it.
const archive = execFileSync('git', ['archive', '--format=tar', 'HEAD'], { maxBuffer: 2 ** 28 });
const download = gzipSync(archive).length;

console.log(`dist/      ${dist} bytes, ${distGzipped} gzipped (limit ${LIMITS.dist} raw)`);
console.log(`download   ${download} bytes gzipped (limit ${LIMITS.download})`);
if (dist > LIMITS.dist || download > LIMITS.download) {
  console.error('Too large: see .github/CONTRIBUTING.md for what was tried.');
  process.exit(1);
}
