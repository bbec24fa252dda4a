// Builds dist/ from src/: tsc, then ncc (one ES module and the chunks it loads on demand), then
// terser over each file, because ncc's own minifier leaves the chunks as they are.
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { minify } from 'terser';

function tool(command) {
  const { status } = spawnSync(command, { shell: true, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}

for (const folder of ['build', 'dist']) rmSync(folder, { recursive: true, force: true });
tool('tsc');
tool('ncc build build/index.js --out dist --license licenses.txt --no-cache --quiet');

// ncc lists the licences of the modules it kept apart, and misses those it merged into the first file.
const licenses = readFileSync('dist/licenses.txt', 'utf8');
const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
const missing = Object.keys(dependencies)
  .filter((name) => !licenses.split('\n').includes(name))
  .map((name) => {
    const folder = `node_modules/${name}`;
    const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
    return `\n${name}\n${readFileSync(`${folder}/${file}`, 'utf8').trim()}\n`;
  });
writeFileSync('dist/licenses.txt', licenses + missing.join(''));

for (const name of readdirSync('dist').filter((file) => file.endsWith('.js'))) {
  const path = `dist/${name}`;
  const { code } = await minify(readFileSync(path, 'utf8'), {
    module: true,
    ecma: 2020,
    compress: { passes: 2 },
    format: { comments: false },
  });
  writeFileSync(path, `${code}\n`);
}
