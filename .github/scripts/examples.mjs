// Writes each workflow that the README and the pages in .github show into a folder of its own file,
// so that it can be linted: `node examples.mjs FOLDER`.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const [folder = ''] = process.argv.slice(2);
const pages = [
  'README.md',
  ...readdirSync('.github')
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('.github', name)),
];
for (const page of pages) {
  const blocks = readFileSync(page, 'utf8').matchAll(/^```yaml\n([\s\S]*?)^```$/gm);
  let count = 0;
  for (const [, yaml = ''] of blocks) {
    count += 1;
    if (/^on:/m.test(yaml) && /^jobs:/m.test(yaml)) {
      const name = `${page.replace(/\W/g, '-')}-${count}.yml`;
      writeFileSync(join(folder, name), yaml);
    }
  }
}
