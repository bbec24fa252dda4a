/** Makes dist/licenses.txt: the licence of every package with code in dist/. */
import { readdirSync, readFileSync } from 'node:fs';
import { relative, sep } from 'node:path';

/** Licences that allow distributing the code with their text. Add one only after reading it. */
const ALLOWED = ['0BSD', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'ISC', 'MIT'];

/**
 * The folders of the packages that a module of webpack's statistics comes from, relative to `root`.
 * Throws when ncc did not find a module, because ncc only writes a placeholder for it.
 */
export function bundledPackages(stats: unknown, root = process.cwd()): string[] {
  const folders = new Set<string>();
  // Modules that were merged into another one are listed below it, at any depth.
  JSON.stringify(stats, (key, value) => {
    if (key !== 'nameForCondition' || typeof value !== 'string') return value;
    // webpack writes a zero byte before each `#` of a path.
    const path = relative(root, value.replaceAll('\0', '')).split(sep).join('/');
    const folder = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0];
    if (folder !== undefined) folders.add(folder);
    return value;
  });
  if (folders.has('node_modules/@vercel/ncc')) {
    throw new Error('ncc did not find a module that is imported: look at the imports by path.');
  }
  return [...folders].sort();
}

/** The licence of each package, with its text. Throws when one is not allowed, or has no text. */
export function licensesOf(folders: readonly string[]): string {
  return folders.map(licenseIn).join('\n');
}

function licenseIn(folder: string): string {
  const { name, version, license } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'));
  if (!ALLOWED.includes(license)) {
    throw new Error(`${name} ${version} is bundled, and its licence (${license}) is not allowed.`);
  }
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
  if (file === undefined) throw new Error(`${name} ${version} is bundled without a licence text.`);
  const text = readFileSync(`${folder}/${file}`, 'utf8').replaceAll('\r\n', '\n').trim();
  return `${name} ${version} (${license})\n\n${text}\n`;
}
