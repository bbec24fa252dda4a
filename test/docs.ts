/** `npm run docs`: writes the tables of the README from action.yml, and each recipe as a file. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { writtenPages } from './support/docs.ts';

const ROOT = resolve(import.meta.dirname, '..');
mkdirSync(join(ROOT, '.github/recipes'), { recursive: true });
for (const [name, content] of Object.entries(writtenPages())) {
  writeFileSync(join(ROOT, name), content);
}
