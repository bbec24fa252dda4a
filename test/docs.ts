/** `npm run docs`: writes the tables of the README from action.yml. */
import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { writtenReadme } from './support/docs.ts';

writeFileSync(resolve(import.meta.dirname, '../README.md'), writtenReadme());
