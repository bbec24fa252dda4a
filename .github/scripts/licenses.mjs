/** What dist/licenses.txt holds: the licence of every package with code in dist/. */
import { readdirSync, readFileSync } from 'node:fs';
import { relative, sep } from 'node:path';

/** Licences that allow to pass the code on, with their text. Add one only after reading it. */
const ALLOWED = ['0BSD', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'ISC', 'MIT'];

/**
 * The folders of the packages that a module of webpack's statistics comes from. Throws when ncc
 * wrote a placeholder for a module that it did not find, which it does without a word.
 */
export function bundledPackages(stats) {
  const folders = new Set();
  // `modules` also holds those that were merged into another, at any depth.
  JSON.stringify(stats, (key, value) => {
    if (key !== 'nameForCondition' || typeof value !== 'string') return value;
    const path = relative(process.cwd(), value).split(sep).join('/');
    const folder = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0];
    if (folder !== undefined) folders.add(folder);
    return value;
  });
  if (folders.has('node_modules/@vercel/ncc')) {
    throw new Error('A module that is imported was not found: look at the imports by path.');
  }
  return [...folders].sort();
}

/**
 * The licence of each package, with its text. Throws when one is not allowed, or has no text.
 * @param {string[]} folders
 */
export function licensesOf(folders) {
  return folders.map(licenseIn).join('\n');
}

function licenseIn(folder) {
  const { name, version, license } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'));
  if (!ALLOWED.includes(license)) {
    throw new Error(`${name} ${version} is bundled, and its licence (${license}) is not allowed.`);
  }
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
  if (file === undefined) throw new Error(`${name} ${version} is bundled without a licence text.`);
  const text = readFileSync(`${folder}/${file}`, 'utf8').replaceAll('\r\n', '\n').trim();
  return `${name} ${version} (${license})\n\n${text}\n`;
}
