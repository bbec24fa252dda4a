/** The script of ORGANIZATIONS.md that rolls the caller out, with several repositories. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { page } from '../support/pages.ts';
import { noBash, noJq, skipWhen } from '../support/system.ts';
import { type Call, leadTo, refuse, serve } from './fake-gh.ts';
import { runStep, temporaryFolder, writeAll } from './workflow.ts';

const PAGE = page('.github/ORGANIZATIONS.md');
const SCRIPT = /```sh\n(repositories\(\) [\s\S]*?)^```$/m.exec(PAGE)?.[1] ?? '';
/** The smallest caller of the page, as the page says to write it. */
const CALLER = (/```yaml\n(on: \{ push[\s\S]*?)^```$/m.exec(PAGE)?.[1] ?? '').replace(
  'branches: [main]',
  "branches: ['BRANCH']",
);

interface Repository {
  /** Its default branch. */
  readonly base: string;
  /** Its branches, and the workflow on each. */
  readonly branches: Record<string, string | undefined>;
  readonly pulls: string[];
  /** Without a commit. */
  readonly isEmpty?: boolean;
  /** Calls whose text contains this fail. */
  fails?: string;
}

type Organization = Readonly<Record<string, Repository>>;

const repository = (base: string, more: Partial<Repository> = {}): Repository => ({
  base,
  branches: { [base]: undefined },
  pulls: [],
  ...more,
});

/** Names the repositories. */
const organizationOf = (repositories: readonly Repository[]): Organization =>
  Object.fromEntries(repositories.map((found, index) => [`acme/r${index}`, found]));

function handle(organization: Organization, call: Call): unknown {
  const { values, fields, positionals, text } = call;
  if (text === 'repo list acme') {
    return Object.keys(organization).map((nameWithOwner) => ({ nameWithOwner }));
  }
  const [name = values.repo ?? ''] = /acme\/[^/]+/.exec(positionals[1] ?? '') ?? [];
  const found = organization[name] ?? refuse(`the fake knows no ${text}`);
  if (found.fails !== undefined && text.includes(found.fails)) refuse('HTTP 502');
  const { branches, pulls, base } = found;
  const [route = '', query = ''] = (positionals[1] ?? '').split('?');
  const path = route.split('/').slice(3).join('/');
  if (found.isEmpty && path.startsWith('git/')) refuse('HTTP 409: empty');
  const branch = fields['branch'] ?? new URLSearchParams(query).get('ref') ?? base;
  const notFound = () => refuse('HTTP 404: Not Found');
  const file = 'contents/.github/workflows/docs.yml';
  const routes: Readonly<Record<string, () => unknown>> = {
    'api GET': () => ({ default_branch: base }),
    [`api GET ${file}`]: () => branches[branch] ?? notFound(),
    [`api PUT ${file}`]: () => {
      if (branches[branch] !== undefined) refuse('HTTP 422: "sha" was not supplied');
      branches[branch] = Buffer.from(fields['content'] ?? '', 'base64').toString();
    },
    'api GET git/ref/heads/': () =>
      path.replace('git/ref/heads/', '') in branches ? { object: { sha: 'c0ffee' } } : notFound(),
    'api POST git/refs': () => {
      const created = (fields['ref'] ?? '').replace('refs/heads/', '');
      if (created in branches) refuse('HTTP 422: Reference already exists');
      branches[created] = undefined;
    },
    'pr list': () => pulls.map((_, index) => ({ number: index + 1 })),
    'pr create': () => pulls.push(`${values.base} ${values.head}`),
  };
  const known = `${text.split(' ', 2).join(' ')} ${path.replace(/heads\/.+/, 'heads/')}`.trim();
  return (routes[known] ?? (() => refuse(`the fake knows no ${known}`)))();
}

/** Runs the script once. */
async function rollOut(organization: Organization, template = CALLER) {
  using folder = temporaryFolder('organization-');
  const cwd = folder.path;
  const calls: string[] = [];
  await using server = await serve((call) => {
    calls.push(call.text);
    return handle(organization, call);
  });
  writeAll(cwd, { 'template.yml': template, slept: '' });
  const run = `sleep() { echo "$1" >> slept; }\n${SCRIPT}`;
  const { output } = await runStep({ run }, { cwd, env: leadTo(server) });
  const slept = readFileSync(join(cwd, 'slept'), 'utf8').split('\n').filter(Boolean);
  const creating = calls.filter((call) => /^(?:api P|pr create)/.test(call));
  return { output, slept, creating, isPwned: existsSync(join(cwd, 'pwned')) };
}

/** What the caller on the branch of the pull request runs on. */
const branchOf = ({ branches }: Repository) => parse(branches['docs-agent'] ?? '').on.push.branches;

describe.skipIf(process.platform === 'win32')('the roll-out', () => {
  skipWhen(noBash ?? noJq);

  test("opens a pull request with each repository's own default branch", async () => {
    const all = ['main', 'trunk', 'release/2026', '1.0', 'true'].map((base) => repository(base));
    const { output, slept, creating } = await rollOut(organizationOf(all));
    expect(all.map(branchOf), output).toEqual(all.map(({ base }) => [base]));
    expect(all.map(({ pulls }) => pulls)).toEqual(all.map(({ base }) => [`${base} docs-agent`]));
    // https://docs.github.com/rest/using-the-rest-api/rate-limits-for-the-rest-api#about-secondary-rate-limits
    expect(slept).toHaveLength(all.length);
    const seconds = slept.reduce((sum, text) => sum + Number(text), 0);
    expect((creating.length / seconds) * 3600).toBeLessThan(500);
    expect((creating.length / seconds) * 60).toBeLessThan(80);
  });

  test('refuses a default branch that could be a command, by its name, and goes on', async () => {
    const names = ['$(id>pwned)#e', '`id>pwned`', "';id>pwned;'", 'a&b', 'x#|s|^|id>pwned|e'];
    const evil = names.map((base) => repository(base));
    const others = [repository('main', { isEmpty: true }), repository('main')];
    const { output, isPwned } = await rollOut(organizationOf([...evil, ...others]));
    for (const base of names) {
      expect(output).toContain(`its default branch has a special name: ${base}\nFAILED`);
    }
    expect(evil.flatMap(({ pulls }) => pulls)).toEqual([]);
    expect(isPwned).toBe(false);
    expect(output).toMatch(/acme\/r5:\n.*409.*\nFAILED.*\nacme\/r6:\n$/);
  });

  test('is taken up again where a call failed, and creates nothing twice', async () => {
    const calls = ['git/refs', 'PUT', 'pr create', 'pr list', 'heads/main'];
    const all = calls.map((fails) => repository('main', { fails }));
    const failed = await rollOut(organizationOf(all));
    expect(failed.output.match(/^FAILED/gm)).toHaveLength(calls.length);
    for (const found of all) delete found.fails;
    await rollOut(organizationOf(all));
    const { creating } = await rollOut(organizationOf(all));
    expect(creating).toEqual([]);
    expect(all.map(({ pulls }) => pulls.length)).toEqual(calls.map(() => 1));
    expect(all.map(branchOf)).toEqual(calls.map(() => ['main']));
  });

  test('leaves repositories alone that have the file, or closed the pull request', async () => {
    const hasFile = repository('main', { branches: { main: 'on: push' } });
    const hasClosed = repository('main', { pulls: ['closed'] });
    const end = await rollOut(organizationOf([hasFile, hasClosed]));
    expect(end).toMatchObject({ creating: [], slept: [] });
    expect(end.output).toBe('acme/r0:\nhas the file\nacme/r1:\nhas pull request 1\n');
  });

  test('writes a schedule where the template has one', async () => {
    const found = repository('main');
    await rollOut(organizationOf([found]), "on: { schedule: [{ cron: 'CRON' }] }\n");
    const [{ cron }] = parse(found.branches['docs-agent'] ?? '').on.schedule;
    expect(cron).toMatch(/^[1-5]?\d [0-5] \* \* \*$/);
  });
});
