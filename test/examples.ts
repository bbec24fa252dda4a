/**
 * `node test/examples.ts FOLDER`: writes each workflow that the documentation shows into a file of
 * that folder, so that it can be linted.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { examples } from './support/pages.ts';

const [folder = ''] = process.argv.slice(2);
for (const { title, yaml } of examples) {
  writeFileSync(join(folder, `${title.replace(/\W+/g, '-')}.yml`), yaml);
}
