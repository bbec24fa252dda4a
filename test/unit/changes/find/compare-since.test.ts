/** Where the changes of a new tag or release start. In public repositories, git judges. */
import { describe, expect, test } from 'vitest';
import { compareSince } from '../../../../src/changes/find/compare-since.ts';
import { findChanges } from '../../../../src/changes/find/find-changes.ts';
import { clock } from '../../../../src/effects/clock.ts';
import { createHttp } from '../../../../src/effects/http.ts';
import type { Tag } from '../../../../src/github/event.ts';
import type { ChangedFile, GitHub } from '../../../../src/github/github.ts';
import { createGitHub } from '../../../../src/github/rest.ts';
import { doseOf } from '../../../support/dose.ts';
import { answer, FACTS, fakeEffects } from '../../../support/fakes.ts';
import { type GitCommit, GitRepository } from '../../../support/git-repository.ts';
import { GitHubService } from '../../../support/github-service.ts';
import { noGit, skipWhen } from '../../../support/system.ts';
import { TAGS } from './real-tags.ts';

interface World {
  readonly others: readonly string[];
  /** Those that are on the commit of the new tag. */
  readonly here?: readonly string[];
  /** Those that GitHub lists and no longer has. */
  readonly gone?: readonly string[];
  readonly hasHead?: boolean;
}

/** Looks for the start in a world whose tags and releases have the same names. */
async function lookFor(
  range: Tag & { readonly kind: 'tag-before' | 'release-before' },
  { others, here = [], gone = [], hasHead = true }: World,
) {
  const requests: string[] = [];
  const github = {
    event: { repository: 'acme/app' },
    tags: async (beginning: string) => {
      requests.push(beginning);
      return others.filter((name) => name.startsWith(beginning));
    },
    releases: async () =>
      others.map((tag_name) => ({ tag_name, draft: false, prerelease: /beta|rc/.test(tag_name) })),
    commit: async (ref: string) => {
      requests.push(ref);
      const tag = ref.replace('tags/', '');
      const isThere = ref === 'h' ? hasHead : ref === `tags/${tag}` && !gone.includes(tag);
      return isThere ? { sha: here.includes(tag) ? 'h' : `of ${tag}`, parents: [] } : undefined;
    },
    compare: async (base: string, head: string) => {
      requests.push(`${base}...${head}`);
      return { status: base === head ? 'identical' : 'diverged', files: [], totalCommits: 0 };
    },
  } as unknown as GitHub;
  const found = await compareSince(github, 'auto', { ...range, head: 'h' });
  return { start: 'base' in found ? found.base : found.reason, requests };
}

const many = Array.from({ length: 12 }, (_, n) => `v1.${n}`);

describe('the tag before', () => {
  const startFor = async (tag_name: string, world: World) =>
    (await lookFor({ kind: 'tag-before', tag_name }, world)).start;

  test.each<World & { tag: string; base: string }>([
    // The same words before its number, and no more.
    { tag: 'v2.0.0', others: ['v1.0.0', 'vnext-1.5.0'], base: 'v1.0.0' },
    { tag: 'lib-2-v1.1.0', others: ['lib-2-v1.0.0', 'lib-3-v1.0.5'], base: 'lib-2-v1.0.0' },
    { tag: 'cli/v2', others: ['cli/v1', 'v5', 'web/v3'], base: 'cli/v1' },
    { tag: '1.10.0', others: ['1.9.0', 'v1.9.5'], base: '1.9.0' },
    // The greatest smaller one, in whatever order they are listed.
    { tag: 'v2.1.0', others: ['v2.0.0', 'v10.0.0', 'v1.9.0'], base: 'v2.0.0' },
    { tag: 'v1.1', others: ['v2.0', 'v1.0', 'v0.9'], base: 'v1.0' },
    // A final one for a final one.
    { tag: 'v1.1.0', others: ['v1.0.0', 'v1.1.0-rc.1'], base: 'v1.0.0' },
    { tag: 'v1.1.0-rc.2', others: ['v1.0.0', 'v1.1.0-rc.1'], base: 'v1.1.0-rc.1' },
    { tag: 'v1.1.0-rc.1', others: ['v1.0.0-rc.1', 'v1.0.0'], base: 'v1.0.0' },
    // It may be on the same commit, but names that were moved there with the new tag do not count.
    { tag: 'v2', others: ['v1.9'], here: ['v1.9'], base: 'v1.9' },
    { tag: 'v3.1.0', others: ['v3.0.4', 'v3', 'v3.1'], here: ['v3', 'v3.1'], base: 'v3.0.4' },
    { tag: 'v3', others: ['v2.9.0', 'v3.0.0', 'v2'], here: ['v3.0.0'], base: 'v2.9.0' },
    // The same version on another commit is the one before.
    { tag: 'v2.0.0.0', others: ['v2.0.0', 'v1'], base: 'v2.0.0' },
    // GitHub no longer has the first one.
    { tag: 'v2.0.0', others: ['v1.0.0', 'v1.1.0'], gone: ['v1.1.0'], base: 'v1.0.0' },
  ])('$tag, among $others, is $base', async ({ tag, base, ...world }) => {
    expect(await startFor(tag, world)).toBe(base);
  });

  test.each([
    { tag: 'v1.0.0', others: ['v2.0.0', 'w0.1.0'] },
    { tag: 'nightly', others: ['v1.0.0'] },
    { tag: '1.2', others: ['1.02'] },
  ])('$tag does not exist among $others', async ({ tag, others }) => {
    const start = await startFor(tag, { others, hasHead: false });
    expect(start).toBe(`there is no earlier tag like \`${tag}\``);
  });

  test('is found with three requests, and at most ten are tried that GitHub lacks', async () => {
    const v2 = { kind: 'tag-before', tag_name: 'v2' } as const;
    expect((await lookFor(v2, { others: many })).requests).toEqual([
      ...['v', 'tags/v1.11', 'of v1.11...h'],
    ]);
    const { start, requests } = await lookFor(v2, { others: many, gone: many });
    expect(start).toBe('there is no earlier tag like `v2`');
    expect(requests).toHaveLength(12);
  });

  // A token that may not read the contents gets 404 for each tag, and for the head.
  test('is no reason to say that there is none when GitHub does not show the head', async () => {
    const hidden = { others: ['v1'], gone: ['v1'], hasHead: false };
    await expect(startFor('v2', hidden)).rejects.toThrow('does not show commit `h` of `acme/app`');
  });
});

describe('the release before', () => {
  const startFor = async (tag_name: string, prerelease: boolean | undefined, world: World) =>
    (await lookFor({ kind: 'release-before', tag_name, prerelease }, world)).start;

  test.each<World & { tag: string; prerelease?: boolean; base: string }>([
    { tag: 'v2', prerelease: true, others: ['v1', 'v2-rc'], base: 'v2-rc' },
    { tag: 'v2', prerelease: false, others: ['v1', 'v2-rc'], base: 'v1' },
    { tag: 'v2', others: ['v1', 'v2-rc'], base: 'v1' },
    // GitHub's flag counts, and not the name.
    { tag: 'v2-rc.2', prerelease: false, others: ['v1', 'v2-rc.1'], base: 'v1' },
    { tag: 'v2', prerelease: false, others: ['v1', 'v1.1-final'], base: 'v1.1-final' },
    { tag: 'cli@1.1.0', prerelease: false, others: ['v9', 'cli@1.0.0'], base: 'cli@1.0.0' },
    // Its tag was deleted.
    { tag: 'v10', prerelease: false, others: ['v8', 'v2'], gone: ['v8'], base: 'v2' },
  ])('$tag ($prerelease), among $others, is $base', async ({ tag, prerelease, base, ...world }) => {
    expect(await startFor(tag, prerelease, world)).toBe(base);
  });

  test('does not exist for the first', async () => {
    const start = await startFor('v1', false, { others: ['v1', 'v2'] });
    expect(start).toBe('there is no earlier release like `v1`');
  });
});

describe('the tag before, in public repositories', () => {
  /** `1.2.3..5` stands for `1.2.3 1.2.4 1.2.5`. */
  const expand = (text: string) =>
    text.split(' ').flatMap((part) => {
      const [, start = '', first, last] = /^(.*?)(\d+)\.\.(\d+)$/.exec(part) ?? [];
      if (first === undefined) return [part];
      const count = Number(last) - Number(first) + 1;
      return Array.from({ length: count }, (_, n) => `${start}${Number(first) + n}`);
    });
  const isFinal = (tag: string) => !/\d(?:-(?!GA)|rc)/.test(tag);

  test.each(Object.entries(TAGS))('is the one that git finds in %s', async (_, packages) => {
    const lines = Object.entries(packages).map(([prefix, text]) =>
      expand(text).map((version) => prefix + version),
    );
    for (const own of lines) {
      const foreign = lines.filter((line) => line !== own).flat();
      for (const tag_name of doseOf(own)) {
        const smaller = own.slice(0, own.indexOf(tag_name));
        const right = isFinal(tag_name) ? smaller.findLast(isFinal) : smaller.at(-1);
        const world = { others: [...foreign, ...smaller, tag_name] };
        const { start } = await lookFor({ kind: 'tag-before', tag_name }, world);
        expect([tag_name, start]).toEqual([
          tag_name,
          right ?? expect.stringContaining('no earlier'),
        ]);
      }
    }
  });
});

describe('a comparison of more than 300 files of a real repository', () => {
  skipWhen(noGit);

  test('has every name that git lists', async () => {
    const files = (content: string) =>
      Object.fromEntries(Array.from({ length: 320 }, (_, n) => [`a/${n}.ts`, content]));
    const history: readonly GitCommit[] = [
      { name: 'c1', parents: [], files: { ...files('1'), 'z/gone': '1', 'z/kept': '1' } },
      { name: 'old', parents: ['c1'], files: { 'z/other': '1' } },
      { name: 'c2', parents: ['c1'], files: { ...files('2'), 'z/gone': undefined } },
      { name: 'c3', parents: ['c2'], files: { 'z/\u00fc new': '1', 'a/7.ts': '1' } },
    ];
    using git = new GitRepository(history);
    await using service = await GitHubService.start({ commits: [], git });
    const [before, sha] = [git.sha('old'), git.sha('c3')];
    const { runner, signal } = fakeEffects(() => answer(500, ''));
    const limits = { deadline: Number.MAX_SAFE_INTEGER, timeoutMs: 60_000 };
    const access = { token: 't', http: createHttp([]), clock, runner, signal, ...limits };
    const event = { name: 'push', payload: { before }, ref: '', sha, repository: 'acme/app' };
    const { url: apiUrl, graphqlUrl } = service;
    const github = createGitHub(access, { facts: FACTS, apiUrl, graphqlUrl, event });
    const query = { since: 'auto', changes: 'files', start: undefined } as const;
    const rest = { paths: [], skip: [], lookedAtBy: 'unknown' as const, permissions: [] };
    const found = await findChanges({ ...query, ...rest, github: async () => github });
    if (found.kind !== 'known') throw new Error(found.kind);
    const names = git.git('diff', '--no-renames', '--name-only', '-z', `${before}...${sha}`);
    const ofFile = ({ filename, previous_filename: previous }: ChangedFile) =>
      previous === undefined ? [filename] : [filename, previous];
    expect(found.files.flatMap(ofFile).sort()).toEqual(names.split('\0').filter(Boolean).sort());
    // One was moved.
    expect(found.files).toHaveLength(320);
    expect(found.status).toBe('diverged');
    const tree = expect.stringContaining('/git/trees/');
    const pulls = '/graphql';
    expect(service.requests).toEqual([expect.stringContaining('/compare/'), tree, tree, pulls]);
  });
});
