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
