/**
 * `node .github/scripts/examples.mjs FOLDER`: writes each workflow that the README and the pages in
 * .github show into a file of that folder, so that it can be linted. An example that shows only a
 * part stands for README's workflow for every push with that part.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { parse, stringify } from 'yaml';

const workflowsOn = (page) =>
  [...readFileSync(page, 'utf8').matchAll(/^```yaml\n([\s\S]*?)^```$/gm)].map(([, yaml]) => yaml);

/** Replaces a part, in its place. Steps are the same if their ids are. */
function withPart(whole, part) {
  if (Array.isArray(whole) && Array.isArray(part)) {
    const before = (step) => whole.find(({ id }) => id === step.id);
    const others = whole.filter((step) => part.every(({ id }) => id !== step.id));
    return [...part.map((step) => withPart(before(step), step)), ...others];
  }
  const isMap = (value) => value instanceof Object && !Array.isArray(value);
  if (!isMap(whole) || !isMap(part)) return part ?? whole;
  const parts = Object.entries(part).map(([key, value]) => [key, withPart(whole[key], value)]);
  return { ...whole, ...Object.fromEntries(parts) };
}

const [, , folder] = process.argv;
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
const onEveryPush = parse(workflowsOn('README.md').find((yaml) => /^ {2}push:/m.test(yaml)));
const pages = readdirSync('.github').filter((name) => name.endsWith('.md'));
for (const page of ['README.md', ...pages.map((name) => `.github/${name}`)]) {
  for (const [index, yaml] of workflowsOn(page).entries()) {
    const name = `${page.replace('.github/', '').replace('.md', '')}-${index + 1}`;
    const { on, jobs = {} } = parse(yaml);
    const isWhole = on && Object.values(jobs).some((job) => job['runs-on'] || job.uses);
    const whole = () => stringify(withPart(onEveryPush, parse(yaml)), { lineWidth: 0 });
    writeFileSync(`${folder}/${name}.yml`, isWhole ? yaml : whole());
  }
}
