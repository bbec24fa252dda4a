/** `npm run docs`: writes the tables of the documentation from action.yml, the code and the tests. */
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { writtenPages } from './support/docs.ts';

const ROOT = resolve(import.meta.dirname, '..');
for (const [name, content] of Object.entries(writtenPages())) {
  writeFileSync(join(ROOT, name), content);
}
