// Prints the sizes of dist/ and of the archive that a runner downloads, and fails above the limits.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

const LIMITS = { dist: 2_050_000, download: 480_000 };

const dist = readdirSync('dist').reduce(
  (bytes, name) => bytes + readFileSync(`dist/${name}`).length,
  0,
);
// The committed tree, with the attributes of .gitattributes applied, as GitHub archives it.
const archive = execFileSync('git', ['archive', '--format=tar', 'HEAD'], { maxBuffer: 2 ** 28 });
const download = gzipSync(archive).length;

console.log(`dist/      ${dist} bytes (limit ${LIMITS.dist})`);
console.log(`download   ${download} bytes, as every run downloads them (limit ${LIMITS.download})`);
if (dist > LIMITS.dist || download > LIMITS.download) {
  console.error(
    'Too large: find out which package grew before you raise the limits in this script.',
  );
  process.exit(1);
}
