/** The script of ORGANIZATIONS.md that rolls the caller out, with several repositories. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { page } from '../support/pages.ts';
import { noBash, noJq, skipWhen } from '../support/system.ts';
import { answerTo, type Call, callOf, fieldsOf, GH, install, Refusal, serve } from './fake-gh.ts';
import { runStep } from './workflow.ts';

const PAGE = page('.github/ORGANIZATIONS.md');
const SCRIPT = /```sh\n(repositories\(\) [\s\S]*?)^```$/m.exec(PAGE)?.[1] ?? '';
/** The smallest caller of the page, as the page says to write it. */
const CALLER = (/```yaml\n(on: \{ push[\s\S]*?)^```$/m.exec(PAGE)?.[1] ?? '').replace(
  'branches: [main]',
  "branches: ['BRANCH']",
);

interface Repository {
  readonly base: string;
  /** Without a commit. */
  readonly isEmpty?: boolean;
  /** Its branches, and the workflow on each. */
  branches: Record<string, string | undefined>;
  pulls: string[];
}

type Organization = Record<string, Repository>;

const repository = (base: string, workflow?: string): Repository => ({
  base,
  branches: { [base]: workflow },
  pulls: [],
});

function handle(organization: Organization, call: Call): unknown {
  const { values, positionals, text } = call;
  if (text === 'repo list acme') {
    return Object.keys(organization).map((nameWithOwner) => ({ nameWithOwner }));
  }
  const [name = values.repo ?? ''] = /acme\/[^/]+/.exec(positionals[1] ?? '') ?? [];
  const found = organization[name];
  if (found === undefined) throw new Refusal(`the fake knows no ${text}`);
  const [route = '', query = ''] = (positionals[1] ?? '').split('?');
  const fields = fieldsOf(values.field);
  const branch = fields['branch'] ?? fieldsOf([query])['ref'] ?? found.base;
  const known = `${text.split(' ').slice(0, 2).join(' ')} ${route.split('/').slice(3).join('/')}`;
  if (found.isEmpty === true && known.includes('git/')) throw new Refusal('HTTP 409: empty');
  switch (known.replace(/heads\/.+/, 'heads/')) {
    case 'api GET ':
      return { default_branch: found.base };
    case 'api GET contents/.github/workflows/docs.yml':
      if (found.branches[branch] === undefined) throw new Refusal('HTTP 404: Not Found');
      return {};
    case 'api PUT contents/.github/workflows/docs.yml':
      if (found.branches[branch] !== undefined)
        throw new Refusal('HTTP 422: "sha" was not supplied');
      found.branches[branch] = Buffer.from(fields['content'] ?? '', 'base64').toString();
      return {};
    case 'api GET git/ref/heads/':
      if (!(route.slice(route.indexOf('heads/') + 6) in found.branches)) {
        throw new Refusal('HTTP 404: Not Found');
      }
      return { object: { sha: 'c0ffee' } };
    case 'api POST git/refs':
      found.branches[(fields['ref'] ?? '').replace('refs/heads/', '')] = undefined;
      return {};
    case 'pr list ':
      return found.pulls.map((_, index) => ({ number: index + 1 }));
    case 'pr create ':
      found.pulls.push(`${values.base} ${values.head}`);
      return '';
    default:
      throw new Refusal(`the fake knows no ${known}`);
  }
}

/** Runs the script once. The calls in `fails` fail. */
async function rollOut(organization: Organization, template = CALLER, fails: string[] = []) {
  const folder = mkdtempSync(join(tmpdir(), 'organization-'));
  const bin = join(folder, 'bin');
  const calls: string[] = [];
  await using service = await serve((_token, words) => {
    const call = callOf(words);
    calls.push(call.text);
    return answerTo(call, () => {
      if (fails.some((part) => call.text.includes(part))) throw new Refusal('HTTP 502');
      return handle(organization, call);
    });
  });
  try {
    install(join(bin, 'gh'), GH);
    install(join(bin, 'sleep'), '#!/bin/sh\necho "$1" >> slept\n');
    writeFileSync(join(folder, 'template.yml'), template);
    writeFileSync(join(folder, 'slept'), '');
    const PATH = [bin, process.env['PATH']].join(delimiter);
    const env = { PATH, FAKE_GH_PORT: String(service.port) };
    const { output } = await runStep({ run: SCRIPT }, { cwd: folder, env });
    const slept = readFileSync(join(folder, 'slept'), 'utf8').split('\n').filter(Boolean);
    const creating = calls.filter((call) => /^(?:api P|pr create)/.test(call));
    return { output, slept, creating, isPwned: existsSync(join(folder, 'pwned')) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** What the caller on the branch of the pull request runs on. */
const branchOf = ({ branches }: Repository) => parse(branches['docs-agent'] ?? '').on.push.branches;

describe.skipIf(process.platform === 'win32')('the roll-out', () => {
  skipWhen(noBash ?? noJq);

  test("opens a pull request with each repository's own default branch", async () => {
    const names = ['main', 'trunk', 'release/2026', '1.0', 'true'];
    const all = Object.fromEntries(
      names.map((base, index) => [`acme/r${index}`, repository(base)]),
    );
    const { output, slept, creating } = await rollOut(all);
    expect(Object.values(all).map(branchOf), output).toEqual(names.map((name) => [name]));
    expect(Object.values(all).flatMap(({ pulls }) => pulls)).toEqual(
      names.map((base) => `${base} docs-agent`),
    );
    // https://docs.github.com/rest/using-the-rest-api/rate-limits-for-the-rest-api#about-secondary-rate-limits
    expect(slept).toHaveLength(names.length);
    const seconds = slept.reduce((sum, text) => sum + Number(text), 0);
    expect((creating.length / seconds) * 3600).toBeLessThan(500);
    expect((creating.length / seconds) * 60).toBeLessThan(80);
  });

  test('refuses a default branch that could be a command, by its name, and goes on', async () => {
    const evil = ['$(id>pwned)#e', '`id>pwned`', "';id>pwned;'", 'a&b', 'x#|s|^|id>pwned|e'];
    const all: Organization = Object.fromEntries(
      evil.map((base, n) => [`acme/r${n}`, repository(base)]),
    );
    const empty: Repository = { ...repository('main'), isEmpty: true };
    const { output, isPwned } = await rollOut({
      ...all,
      'acme/empty': empty,
      'acme/z': repository('main'),
    });
    for (const base of evil) {
      expect(output).toContain(`its default branch has a special name: ${base}\nFAILED`);
    }
    expect(Object.values(all).flatMap(({ pulls }) => pulls)).toEqual([]);
    expect(isPwned).toBe(false);
    expect(output).toMatch(/acme\/empty:\n.*409.*\nFAILED.*\nacme\/z:\n$/);
  });

  test.each(['git/refs', 'PUT', 'pr create', 'pr list', 'heads/main'])(
    'is taken up again after %s failed',
    async (call) => {
      const all = { 'acme/a': repository('main'), 'acme/b': repository('trunk') };
      await rollOut(all, CALLER, [call]);
      await rollOut(all);
      const { creating } = await rollOut(all);
      expect(creating).toEqual([]);
      expect(Object.values(all).map(({ pulls }) => pulls.length)).toEqual([1, 1]);
      expect(Object.values(all).map(branchOf)).toEqual([['main'], ['trunk']]);
    },
  );

  test('leaves repositories alone that have the file, or closed the pull request', async () => {
    const closed: Repository = { ...repository('main'), pulls: ['closed'] };
    const all = { 'acme/a': repository('main', 'on: push'), 'acme/b': closed };
    const { output, creating, slept } = await rollOut(all);
    expect(creating).toEqual([]);
    expect(slept).toEqual([]);
    expect(output).toBe('acme/a:\nhas the file\nacme/b:\nhas pull request 1\n');
  });

  test('writes a schedule where the template has one', async () => {
    const all = { 'acme/a': repository('main') };
    await rollOut(all, "on: { schedule: [{ cron: 'CRON' }] }\n");
    const [{ cron }] = parse(all['acme/a'].branches['docs-agent'] ?? '').on.schedule;
    expect(cron).toMatch(/^[1-5]?\d [0-5] \* \* \*$/);
  });
});
