/**
 * Where changes start, on real git repositories behind a service that answers as GitHub's API does.
 * The expected values come from git's own commands.
 */
import { beforeAll, describe, expect, test } from 'vitest';
import { type Changes, findChanges } from '../../../src/changes/changes.ts';
import { sinceEvent } from '../../../src/changes/start.ts';
import { clock } from '../../../src/effects/clock.ts';
import { createHttp } from '../../../src/effects/http.ts';
import type { ChangedFile, GitHub, WorkflowEvent } from '../../../src/github/github.ts';
import { createGitHub } from '../../../src/github/rest.ts';
import { FACTS, RecordingRunner } from '../../support/fakes.ts';
import { type GitCommit, GitRepository, type GitTag } from '../../support/git-repository.ts';
import { type GitHubOptions, GitHubService } from '../../support/github-service.ts';
import { noGit, skipWhen } from '../../support/system.ts';
import { TAGS } from './real-tags.ts';

const ZERO = '0'.repeat(40);
skipWhen(noGit);

/** The repository that the service serves now. */
const served: {
  git: GitRepository | undefined;
  releases: GitHubOptions['releases'];
  /** A tag that GitHub lists and no longer has. */
  gone: string | undefined;
} = { git: undefined, releases: [], gone: undefined };
let service: GitHubService;
let github: GitHub;

beforeAll(async () => {
  service = await GitHubService.start({
    commits: [],
    get releases() {
      return served.releases ?? [];
    },
    git: {
      compare: (base, head) => (base === served.gone ? undefined : served.git?.compare(base, head)),
      matchingRefs: (beginning) => served.git?.matchingRefs(beginning) ?? [],
      hasCommit: (sha) => served.git?.hasCommit(sha) ?? false,
      tree: (sha) => served.git?.tree(sha) ?? { tree: [], truncated: false },
    },
  });
  const access = {
    token: 't',
    http: createHttp([]),
    clock,
    runner: new RecordingRunner(),
    deadline: Number.MAX_SAFE_INTEGER,
    timeoutMs: 60_000,
    signal: new AbortController().signal,
  };
  github = createGitHub(access, {
    facts: FACTS,
    apiUrl: service.url,
    graphqlUrl: service.graphqlUrl,
    event: { payload: {}, ref: '', sha: '', name: '', repository: 'acme/app' },
  });
  return async () => {
    await service[Symbol.asyncDispose]();
  };
});

function find(git: GitRepository, event: Partial<WorkflowEvent>): Promise<Changes> {
  served.git = git;
  const base = { payload: {}, ref: '', sha: '', name: '', repository: 'acme/app' };
  Object.defineProperty(github, 'event', { value: { ...base, ...event }, configurable: true });
  return findChanges({ ...AUTO, github: async () => github });
}

const AUTO = { since: 'auto', paths: [], covered: undefined, pause: async () => undefined };

const tagPush = (tag: string, sha: string) => ({
  name: 'push',
  ref: `refs/tags/${tag}`,
  sha,
  payload: { before: ZERO },
});

/** The base that is chosen when a tag is pushed. */
async function baseOfTag(git: GitRepository, tag: string): Promise<string | undefined> {
  const changes = await find(git, tagPush(tag, git.commitOf(tag)));
  return changes.kind === 'known' ? changes.base : undefined;
}

async function baseOfRelease(
  git: GitRepository,
  release: { readonly tag_name: string; readonly prerelease?: boolean },
  sha: string,
): Promise<string | undefined> {
  const changes = await find(git, { name: 'release', sha, payload: { release } });
  return changes.kind === 'known' ? changes.base : undefined;
}

const line = (count: number): GitCommit[] =>
  Array.from({ length: count }, (_, n) => ({
    name: `c${n + 1}`,
    parents: n === 0 ? [] : [`c${n}`],
  }));
/** Tags by name, each on one commit of the line. */
const tagged = (tags: Readonly<Record<string, number>>): GitTag[] =>
  Object.entries(tags).map(([name, n]) => ({ name, commit: `c${n}`, isAnnotated: n % 2 === 0 }));

describe('the tag before a new tag', () => {
  const rows: readonly {
    readonly promise: string;
    readonly tags: Readonly<Record<string, number>>;
    readonly tag: string;
    readonly base: string | undefined;
  }[] = [
    {
      promise: 'has the same letters before its number, and no more',
      tags: { 'v1.0.0': 1, 'vnext-1.5.0': 2, 'v2.0.0': 3 },
      tag: 'v2.0.0',
      base: 'v1.0.0',
    },
    {
      promise: 'is not another name of the new tag that was moved to its commit',
      tags: { 'v3.0.4': 1, v3: 3, 'v3.1': 3, 'v3.1.0': 3 },
      tag: 'v3.1.0',
      base: 'v3.0.4',
    },
    {
      promise: 'is the last one of the major version before, next to names that move',
      tags: { 'v2.9.0': 2, v2: 2, v3: 3, 'v3.0.0': 3 },
      tag: 'v3.0.0',
      base: 'v2.9.0',
    },
    {
      promise: 'is the last one of the major version before for a name that moves',
      tags: { 'v2.9.0': 2, 'v3.0.0': 3, v3: 3 },
      tag: 'v3',
      base: 'v2.9.0',
    },
    {
      promise: 'is found in the style of PostgreSQL',
      tags: { REL_15_9: 1, REL_16_RC1: 2, REL_15_10: 2, REL_15_11: 3 },
      tag: 'REL_15_11',
      base: 'REL_15_10',
    },
    {
      promise: 'is found in the style of curl',
      tags: { 'curl-8_9_0': 1, 'curl-8_10_0': 2, 'curl-8_11_0': 3 },
      tag: 'curl-8_11_0',
      base: 'curl-8_10_0',
    },
    {
      promise: 'is found with characters that have a meaning in a URL',
      tags: { 'a#b%2F+/v1': 1, 'a#b%2F+/v2': 3 },
      tag: 'a#b%2F+/v2',
      base: 'a#b%2F+/v1',
    },
    {
      promise: 'is found in any script',
      tags: { '版本１-1.0': 1, '版本１-1.1': 3 },
      tag: '版本１-1.1',
      base: '版本１-1.0',
    },
    {
      promise: 'has the same package name if that ends in a number',
      tags: { 'lib-2-v1.0.0': 1, 'lib-3-v1.5.0': 2, 'lib-2-v1.1.0': 3 },
      tag: 'lib-2-v1.1.0',
      base: 'lib-2-v1.0.0',
    },
    {
      promise: 'is found among numbered pre-releases of a package',
      tags: {
        '@acme/ui@2.0.0-next.9': 1,
        '@acme/ui@2.0.0-next.10': 2,
        '@acme/ui@2.0.0-next.11': 3,
      },
      tag: '@acme/ui@2.0.0-next.11',
      base: '@acme/ui@2.0.0-next.10',
    },
    { promise: 'is v9 for v10', tags: { v9: 2, v1: 1, v10: 3 }, tag: 'v10', base: 'v9' },
    {
      promise: 'is of the same package',
      tags: {
        '@acme/h3@1.0.0': 1,
        '@acme/h30@1.5.0': 2,
        '@acme/core@9.0.0': 2,
        '@acme/h3@1.1.0': 3,
      },
      tag: '@acme/h3@1.1.0',
      base: '@acme/h3@1.0.0',
    },
    {
      promise: 'is of the same tool in a folder',
      tags: { 'cli/v1': 1, v5: 2, 'web/v3': 2, 'cli/v2': 3 },
      tag: 'cli/v2',
      base: 'cli/v1',
    },
    {
      promise: 'has the same letters before its number',
      tags: { 'go1.9': 1, 'rust1.10': 2, 'go1.22': 3 },
      tag: 'go1.22',
      base: 'go1.9',
    },
    {
      promise: 'has the same hyphenated words before its number',
      tags: { 'release-9': 1, 'nightly-9': 2, 'release-10': 3 },
      tag: 'release-10',
      base: 'release-9',
    },
    {
      promise: 'has no letter before its number if the new one has none',
      tags: { '1.9.0': 1, 'v1.9.5': 2, '1.10.0': 3 },
      tag: '1.10.0',
      base: '1.9.0',
    },
    {
      promise: 'is the last final for a final on the commit of its candidate',
      tags: { 'v1.0.0': 1, 'v1.1.0-rc.1': 2, 'v1.1.0': 2 },
      tag: 'v1.1.0',
      base: 'v1.0.0',
    },
    {
      promise: 'is the previous candidate for a candidate',
      tags: { 'v1.0.0': 1, 'v1.1.0-rc.9': 2, 'v1.1.0-rc.10': 3 },
      tag: 'v1.1.0-rc.10',
      base: 'v1.1.0-rc.9',
    },
    {
      promise: 'is the last final for the first candidate',
      tags: { 'v1.0.0-rc.1': 1, 'v1.0.0': 1, 'v1.1.0-rc.1': 3 },
      tag: 'v1.1.0-rc.1',
      base: 'v1.0.0',
    },
    {
      promise: 'is the alpha for a beta',
      tags: { 'v2.0.0-alpha.5': 1, 'v2.0.0-beta.1': 3 },
      tag: 'v2.0.0-beta.1',
      base: 'v2.0.0-alpha.5',
    },
    {
      promise: 'is the previous candidate in the style of Python',
      tags: { '1.0': 1, '2.0b1': 2, '2.0b2': 3 },
      tag: '2.0b2',
      base: '2.0b1',
    },
    {
      promise: 'is no Python candidate for a final',
      tags: { '1.0': 1, '2.0rc1': 2, '2.0': 3 },
      tag: '2.0',
      base: '1.0',
    },
    {
      promise: 'may have letters after a plus and still be a final',
      tags: { 'v1.0.0': 1, 'v1.1.0+build.a': 2, 'v1.2.0': 3 },
      tag: 'v1.2.0',
      base: 'v1.1.0+build.a',
    },
    {
      promise: 'is no numbered candidate in the style of npm for a final',
      tags: { 'v1.0.0': 1, 'v1.0.1-0': 2, 'v1.0.1': 3 },
      tag: 'v1.0.1',
      base: 'v1.0.0',
    },
    {
      promise: 'may be on the same commit',
      tags: { 'v1.0.0': 3, 'v1.0.1': 3 },
      tag: 'v1.0.1',
      base: 'v1.0.0',
    },
    {
      promise: 'is chosen by number, not by the order in history',
      tags: { 'v2.0.0': 1, 'v1.9.0': 2, 'v2.1.0': 3 },
      tag: 'v2.1.0',
      base: 'v2.0.0',
    },
    {
      promise: 'is found for numbers that are too long for JavaScript',
      tags: { v20260101000000000000000001: 1, v20260101000000000000000002: 3, v3: 2 },
      tag: 'v20260101000000000000000002',
      base: 'v20260101000000000000000001',
    },
    {
      promise: 'does not exist for the first',
      tags: { 'v1.0.0': 2, 'v2.0.0': 3, 'w0.1.0': 1 },
      tag: 'v1.0.0',
      base: undefined,
    },
    {
      promise: 'does not exist for a word',
      tags: { nightly: 3, 'v1.0.0': 1 },
      tag: 'nightly',
      base: undefined,
    },
    {
      promise: 'is not one with an equal version',
      tags: { 'v1.02': 1, 'v1.2': 3 },
      tag: 'v1.2',
      base: undefined,
    },
  ];
  test.each(rows)('$promise', async ({ tags, tag, base }) => {
    using git = new GitRepository(line(3), { tags: tagged(tags), hasLists: false });
    expect(await baseOfTag(git, tag)).toBe(base);
  });

  // main: c1 - c2 - c3 - c4 - m - c5, with a branch for patches of v1 that is merged back in m.
  const merged: readonly GitCommit[] = [
    ...line(4),
    { name: 'p1', parents: ['c2'] },
    { name: 'p2', parents: ['p1'] },
    { name: 'm', parents: ['c4', 'p2'], files: {} },
    { name: 'c5', parents: ['m'] },
  ];
  const at = (name: string, commit: string): GitTag => ({ name, commit });

  test('is not the patch of an old version that was merged back', async () => {
    const tags = [at('v1.0.0', 'c2'), at('v2.0.0', 'c3'), at('v1.0.1', 'p2'), at('v2.1.0', 'c5')];
    using git = new GitRepository(merged, { tags });
    expect(await baseOfTag(git, 'v2.1.0')).toBe('v2.0.0');
    expect(await baseOfTag(git, 'v1.0.1')).toBe('v1.0.0');
  });

  test('is the greatest smaller one on another branch as well, from the common commit', async () => {
    const tags = [at('v1.0.0', 'c2'), at('v1.0.1', 'p1'), at('v2.0.0', 'c4'), at('v1.0.2', 'p2')];
    using git = new GitRepository(merged, { tags });
    expect(await baseOfTag(git, 'v2.0.0')).toBe('v1.0.2');
    const sha = git.sha('c4');
    const found = await find(git, tagPush('v2.0.0', sha));
    expect(found).toMatchObject({ status: 'diverged', gaps: [], range: undefined });
    const subjects = found.kind === 'known' && found.commits.map(({ commit }) => commit.message);
    expect(subjects).toEqual(['c3', 'c4']);
  });

  test('is found among a thousand other tags with two requests', async () => {
    const foreign = Array.from({ length: 1_000 }, (_, n) => at(`nightly-2026-${n}`, 'c4'));
    const tags = [at('v1.0.0', 'c1'), at('v1.1.0', 'c4'), ...foreign];
    using git = new GitRepository(line(4), { tags });
    const asked = service.requests.length;
    expect(await baseOfTag(git, 'v1.1.0')).toBe('v1.0.0');
    expect(service.requests.slice(asked)).toEqual([
      '/repos/acme/app/git/matching-refs/tags/v',
      `/repos/acme/app/compare/v1.0.0...${git.sha('c4')}?per_page=100&page=1`,
    ]);
  });

  test('gives way to the next when GitHub no longer has it', async () => {
    using git = new GitRepository(line(4), {
      tags: [at('v1.0.0', 'c1'), at('v1.1.0', 'c2'), at('v2.0.0', 'c4')],
    });
    served.gone = 'v1.1.0';
    expect(await baseOfTag(git, 'v2.0.0')).toBe('v1.0.0');
    served.gone = undefined;
  });

  // A token that may not read the contents gets 404 for each tag, and for the head.
  test('is no reason to say that there is none when GitHub does not show the head either', async () => {
    using git = new GitRepository(line(2), { tags: [at('v1.0.0', 'c1'), at('v2.0.0', 'c2')] });
    served.gone = 'v1.0.0';
    await expect(find(git, tagPush('v2.0.0', 'f'.repeat(40)))).rejects.toThrow(
      /GitHub does not show commit `f{7,40}` of `acme\/app`/,
    );
    served.gone = undefined;
  });
});

describe('the release before', () => {
  const release = (tag_name: string, more = {}) => ({ tag_name, published_at: null, ...more });
  const tags = tagged({
    'v1.0.0': 1,
    'v1.1.0-rc.1': 3,
    'v1.1.0': 3,
    'v2.0.0': 4,
    'v9.0.0': 4,
    'v10.0.0': 5,
    'cli@1.0.0': 2,
    'cli@1.1.0': 5,
  });
  const rows: readonly {
    readonly promise: string;
    readonly releases: GitHubOptions['releases'];
    readonly of: { readonly tag_name: string; readonly prerelease?: boolean };
    readonly at: number;
    readonly base: string | undefined;
  }[] = [
    {
      promise: 'is the last final for a final on the commit of its candidate',
      releases: [
        release('v1.1.0'),
        release('v1.1.0-rc.1', { prerelease: true }),
        release('v1.0.0'),
      ],
      of: { tag_name: 'v1.1.0', prerelease: false },
      at: 3,
      base: 'v1.0.0',
    },
    {
      promise: 'is the last final for its candidate',
      releases: [release('v1.1.0-rc.1', { prerelease: true }), release('v1.0.0')],
      of: { tag_name: 'v1.1.0-rc.1', prerelease: true },
      at: 3,
      base: 'v1.0.0',
    },
    {
      promise: "is a final by GitHub's `prerelease` flag, not by its name",
      releases: [release('v2.0.0', { prerelease: true }), release('v1.1.0'), release('v10.0.0')],
      of: { tag_name: 'v10.0.0', prerelease: false },
      at: 5,
      base: 'v1.1.0',
    },
    {
      promise: 'is v9 for v10, whenever it was published',
      releases: [release('v1.1.0'), release('v9.0.0'), release('v2.0.0'), release('v10.0.0')],
      of: { tag_name: 'v10.0.0', prerelease: false },
      at: 5,
      base: 'v9.0.0',
    },
    {
      promise: 'is of the same package',
      releases: [release('v9.0.0'), release('cli@1.0.0'), release('cli@1.1.0')],
      of: { tag_name: 'cli@1.1.0', prerelease: false },
      at: 5,
      base: 'cli@1.0.0',
    },
    {
      promise: 'is the one before an old release that was edited',
      releases: [release('v10.0.0'), release('v2.0.0'), release('v1.1.0'), release('v1.0.0')],
      of: { tag_name: 'v1.1.0', prerelease: false },
      at: 3,
      base: 'v1.0.0',
    },
    {
      promise: 'is not a draft',
      releases: [release('v9.0.0', { draft: true }), release('v2.0.0'), release('v10.0.0')],
      of: { tag_name: 'v10.0.0', prerelease: false },
      at: 5,
      base: 'v2.0.0',
    },
    {
      promise: 'is not one whose tag was deleted',
      releases: [release('v8.0.0'), release('v2.0.0'), release('v10.0.0')],
      of: { tag_name: 'v10.0.0', prerelease: false },
      at: 5,
      base: 'v2.0.0',
    },
    {
      promise: 'does not exist for the first',
      releases: [release('v1.0.0'), release('v2.0.0')],
      of: { tag_name: 'v1.0.0', prerelease: false },
      at: 1,
      base: undefined,
    },
  ];
  test.each(rows)('$promise', async ({ releases, of, at, base }) => {
    using git = new GitRepository(line(5), { tags, hasLists: false });
    served.releases = releases;
    expect(await baseOfRelease(git, of, git.sha(`c${at}`))).toBe(base);
  });

  test('is the greatest smaller one on another branch as well', async () => {
    using git = new GitRepository(
      [...line(4), { name: 'p1', parents: ['c1'] }, { name: 'p2', parents: ['p1'] }],
      {
        tags: [
          { name: 'v1.0.0', commit: 'c1' },
          { name: 'v1.0.1', commit: 'p1' },
          { name: 'v1.0.2', commit: 'p2' },
          { name: 'v1.1.0', commit: 'c3' },
        ],
      },
    );
    served.releases = ['v1.1.0', 'v1.0.2', 'v1.0.1', 'v1.0.0'].map((tag) => release(tag));
    const of = (tag_name: string) => ({ tag_name, prerelease: false });
    expect(await baseOfRelease(git, of('v1.0.2'), git.sha('p2'))).toBe('v1.0.1');
    expect(await baseOfRelease(git, of('v1.1.0'), git.sha('c3'))).toBe('v1.0.2');
  });
});

describe('the tag before in random histories with merges', () => {
  /** https://en.wikipedia.org/wiki/Linear_congruential_generator, so that a failure can be repeated. */
  function dice(seed: number) {
    let state = seed;
    return (sides: number) => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return Math.floor((state / 2 ** 32) * sides);
    };
  }

  interface Tagged extends GitTag {
    readonly text: string;
    readonly isPrerelease: boolean;
  }

  function randomRepository(seed: number) {
    const roll = dice(seed);
    const commits: GitCommit[] = [{ name: 'c1', parents: [] }];
    const tips = ['c1', 'c1', 'c1'];
    for (let n = 2; n <= 14; n += 1) {
      const [on, from] = [roll(tips.length), roll(tips.length)];
      const [tip = '', other = ''] = [tips[on], tips[from]];
      const isMerge = roll(3) === 0 && tip !== other;
      commits.push({ name: `c${n}`, parents: isMerge ? [tip, other] : [tip] });
      tips[on] = `c${n}`;
    }
    const texts = ['v', '@acme/h3@', 'cli/v', 'go', 'release-'];
    const [one = '', two = ''] = [texts[roll(5)], texts[roll(5)]];
    const tags = new Map<string, Tagged>();
    for (let n = 0; n < 14; n += 1) {
      const text = roll(3) === 0 ? two : one;
      const isPrerelease = roll(3) === 0;
      const suffix = isPrerelease ? `-${['alpha', 'beta', 'rc'][roll(3)]}.${8 + roll(4)}` : '';
      const name = `${text}${1 + roll(2)}.${8 + roll(4)}.${roll(2)}${suffix}`;
      const commit = `c${1 + roll(14)}`;
      tags.set(name, { name, commit, text, isPrerelease, isAnnotated: roll(2) === 0 });
    }
    return { commits, tags: [...tags.values()] };
  }

  /** The same rule, with git's own order of versions. */
  function rightBase(git: GitRepository, tags: readonly Tagged[], current: Tagged) {
    const settings = ['alpha', 'beta', 'rc'].flatMap((word) => [
      '-c',
      `versionsort.suffix=-${word}`,
    ]);
    const format = ['--sort=version:refname', '--format=%(refname:strip=2)', 'refs/tags'];
    const sorted = git.git(...settings, 'for-each-ref', ...format).split('\n');
    const alike = sorted.filter((name) =>
      tags.some((tag) => tag.name === name && tag.text === current.text),
    );
    return alike
      .slice(0, alike.indexOf(current.name))
      .filter(
        (name) =>
          current.isPrerelease || !tags.some((tag) => tag.name === name && tag.isPrerelease),
      )
      .at(-1);
  }

  test.each(Array.from({ length: 10 }, (_, seed) => ({ seed })))(
    'is the one that git finds (seed $seed)',
    async ({ seed }) => {
      const { commits, tags } = randomRepository(seed);
      using git = new GitRepository(commits, { tags, hasLists: false });
      for (const tag of tags.slice(0, 4)) {
        expect([tag.name, await baseOfTag(git, tag.name)]).toEqual([
          tag.name,
          rightBase(git, tags, tag),
        ]);
      }
    },
  );
});

describe('a comparison of real commits', () => {
  test('contains what git lists, for a branch that is behind its base', async () => {
    using git = new GitRepository(
      [
        ...line(3),
        { name: 'b1', parents: ['c1'], files: { 'src/new.ts': '1', c1: undefined } },
        { name: 'b2', parents: ['b1'], files: { 'src/new.ts': '2' } },
      ],
      { branches: { main: 'c3', topic: 'b2' } },
    );
    const changes = await find(git, {
      name: 'push',
      ref: 'refs/heads/topic',
      sha: git.sha('b2'),
      payload: { before: ZERO, repository: { default_branch: 'main' } },
    });
    if (changes.kind !== 'known') throw new Error(changes.kind);
    expect(changes.files.map(({ filename, status }) => `${status} ${filename}`)).toEqual([
      'removed c1',
      'added src/new.ts',
    ]);
    expect(changes.commits.map(({ commit }) => commit.message)).toEqual(['b1', 'b2']);
    expect(changes.gaps).toEqual([]);
  });
});

describe('a comparison of more than 300 files', () => {
  const many = (content: string) =>
    Object.fromEntries(Array.from({ length: 320 }, (_, n) => [`a/${n}.ts`, content]));
  const history: readonly GitCommit[] = [
    { name: 'c1', parents: [], files: { ...many('1'), 'z/gone': '1', 'z/kept': '1' } },
    { name: 'old', parents: ['c1'], files: { 'z/other': '1' } },
    { name: 'c2', parents: ['c1'], files: { ...many('2'), 'z/gone': undefined } },
    { name: 'c3', parents: ['c2'], files: { 'z/\u00fc new': '1', 'a/7.ts': '1' } },
  ];

  test.each(['c1', 'old'])('has every name that git lists, from %s', async (before) => {
    using git = new GitRepository(history);
    const sha = git.sha('c3');
    const asked = service.requests.length;
    const changes = await find(git, { name: 'push', sha, payload: { before: git.sha(before) } });
    if (changes.kind !== 'known') throw new Error(changes.kind);
    const names = git.git(
      'diff',
      '--no-renames',
      '--name-only',
      '-z',
      `${git.sha(before)}...${sha}`,
    );
    const ofFile = ({ filename, previous_filename: previous }: ChangedFile) =>
      previous === undefined ? [filename] : [filename, previous];
    expect(changes.files.flatMap(ofFile).sort()).toEqual(names.split('\0').filter(Boolean).sort());
    // One was moved.
    expect(changes.files).toHaveLength(320);
    expect(changes.status).toBe(before === 'old' ? 'diverged' : 'ahead');
    for (const path of service.requests.slice(asked + 1)) expect(path).toMatch(/\/git\/trees\//);
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

  const repositories = Object.entries(TAGS).map(([repository, lines]) => ({
    repository,
    lines: Object.entries(lines).map(([prefix, text]) => expand(text).map((one) => prefix + one)),
  }));

  /** Offers these tags for a new one. */
  async function baseAmong(tags: readonly string[], tag: string): Promise<string | undefined> {
    const found = await sinceEvent(
      {
        tags: async (beginning: string) => tags.filter((name) => name.startsWith(beginning)),
        compare: async () => ({ status: 'ahead', files: [] }),
      } as unknown as GitHub,
      { kind: 'tag-before', tag_name: tag, head: 'h' },
    );
    return 'base' in found ? found.base : undefined;
  }

  test.each(repositories)('is the one that git finds in $repository', async ({ lines }) => {
    const wrong: unknown[] = [];
    for (const own of lines) {
      const others = lines.filter((line) => line !== own).flat();
      for (const [index, tag] of own.entries()) {
        const smaller = own.slice(0, index);
        const right = isFinal(tag) ? smaller.findLast(isFinal) : smaller.at(-1);
        const base = await baseAmong([...others, ...smaller, tag], tag);
        if (base !== right) wrong.push({ tag, base, right });
      }
    }
    expect(wrong).toEqual([]);
  });
});
