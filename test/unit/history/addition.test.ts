import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { PullRequestCommit } from '../../../src/github/github.ts';
import {
  fateOfAddition,
  findAddition,
  hasAgentCommitAfter,
  type Watch,
} from '../../../src/history/addition.ts';
import type { PullState, Pulls } from '../../../src/history/pulls.ts';
import { GitHubError } from '../../../src/model/errors.ts';
import type { Added } from '../../../src/model/record.ts';
import { dose } from '../../support/dose.ts';
import { type GitCommit, GitRepository } from '../../support/git-repository.ts';
import { commit } from '../../support/records.ts';

/** GitHub's accounts by email address; one may have several. It does not know every address. */
const ACCOUNTS: Readonly<Record<string, string>> = {
  'agent@docs.example': 'agent[bot]',
  '1+agent[bot]@users.noreply.github.com': 'agent[bot]',
  'person@docs.example': 'person',
};
const EMAILS = [...Object.keys(ACCOUNTS), 'nobody@docs.example', 'laptop.local'];

/** One more commit of a pull request. `at` chooses among the commits that there are. */
interface Step {
  readonly kind: 'commit' | 'branch' | 'merge' | 'update' | 'base';
  /** `undefined`: that of its first commit. */
  readonly email: string | undefined;
  readonly at: number;
}

/**
 * A pull request whose branch grows: commits on its head; commits on an older one, to be merged later;
 * merges of those, and of its base. The tags `head` and `base` are its two ends.
 */
function pullRequestOf(email: string, steps: readonly Step[]): GitRepository {
  const commits: GitCommit[] = [
    { name: 'main', parents: [] },
    { name: 'c0', parents: ['main'], email },
  ];
  const own = ['c0'];
  const sides: string[] = [];
  let [head, base] = ['c0', 'main'];
  const add = (more: Pick<GitCommit, 'parents' | 'email'>) => {
    const name = `c${commits.length}`;
    commits.push({ name, ...more });
    return name;
  };
  for (const { kind, email: author = email, at } of steps) {
    const by = { email: author };
    const side = sides[at % sides.length];
    if (kind === 'base') base = add({ parents: [base], ...by });
    else if (kind === 'branch') {
      const start = own[at % own.length] ?? head;
      const name = add({ parents: [start], ...by });
      sides.push(name);
      own.push(name);
    } else {
      const merged = kind === 'merge' ? side : kind === 'update' ? base : undefined;
      const parents = merged === undefined ? [head] : [head, merged];
      head = add({ parents, ...by });
      own.push(head);
    }
  }
  const tags = [
    { name: 'head', commit: head },
    { name: 'base', commit: base },
  ];
  return new GitRepository(commits, tags);
}

/** The commits of a pull request as GitHub lists them: oldest first, without those of its base. */
function listed(git: GitRepository): readonly PullRequestCommit[] {
  const range = ['--reverse', '--topo-order', '--format=%H %ae %P', 'base..head'];
  const rows = git
    .git('log', ...range)
    .trim()
    .split('\n');
  return rows.map((row) => {
    const [sha = '', email = '', ...parents] = row.split(' ');
    const login = ACCOUNTS[email];
    const author = login === undefined ? null : { login };
    return {
      sha,
      author,
      commit: { author: { email } },
      parents: parents.map((id) => ({ sha: id })),
    };
  });
}

/** What git says: commits of the first author's account that `added` does not lead to. */
function hasAgentCommit(git: GitRepository, first: string, added: string): boolean {
  const email = git.git('log', '-1', '--format=%ae', first).trim();
  const aliases = EMAILS.filter((other) => ACCOUNTS[other] === ACCOUNTS[email]);
  const own = ACCOUNTS[email] === undefined ? [email] : aliases;
  const authors = own.map((address) => `--author=<${address}>`);
  const range = ['--fixed-strings', '--format=%H', 'head', `^${added}`, '^base'];
  return git.git('log', '--no-merges', ...authors, ...range) !== '';
}

const anyStep = fc.record<Step>({
  kind: fc.constantFrom('commit', 'branch', 'merge', 'update', 'update', 'base'),
  email: fc.constantFrom(...EMAILS, undefined, undefined),
  at: fc.nat(50),
});

test('whether the agent has committed since is what git says, in any pull request', () => {
  const found = { true: 0, false: 0 };
  const [email = ''] = EMAILS;
  const more: Step = { kind: 'commit', email: undefined, at: 0 };
  fc.assert(
    fc.property(
      fc.constantFrom(...EMAILS),
      fc.array(anyStep, { minLength: 1, maxLength: 8 }),
      fc.nat(),
      (author, steps, at) => {
        using git = pullRequestOf(author, steps);
        const commits = listed(git);
        const [first] = commits;
        const added = commits.at(-1 - (at % Math.min(commits.length, 4)));
        if (first === undefined || added === undefined) throw new Error('git lists no commit');
        const expected = hasAgentCommit(git, first.sha, added.sha);
        found[`${expected}`] += 1;
        expect(hasAgentCommitAfter(commits, added.sha)).toBe(expected);
        // The branch was rewritten, or has so many commits that GitHub does not list it.
        const rest = commits.filter(({ sha }) => sha !== added.sha);
        expect(hasAgentCommitAfter(rest, added.sha)).toBeUndefined();
      },
    ),
    // Each answer comes at least once, whatever is random.
    { numRuns: dose(25, 200), examples: [0, 1].map((at) => [email, [more], at]) },
  );
  expect(Math.min(found.true, found.false)).toBeGreaterThan(0);
});

describe('the agent is', () => {
  const by = (sha: string, more: Partial<PullRequestCommit>): PullRequestCommit => ({
    ...{ sha, parents: [{ sha: commit('0') }], commit: {} },
    ...more,
  });

  test('nobody where the first commit has no author', () => {
    const commits = [by('a', {}), by('b', {}), by('c', { author: null, commit: { author: null } })];
    expect(hasAgentCommitAfter(commits, 'a')).toBe(false);
  });

  test('its account, also where another commit has only its address', () => {
    const email = 'agent@docs.example';
    const commits = [
      by('a', { author: { login: 'agent[bot]' } }),
      by('b', { commit: { author: { email } } }),
    ];
    expect(hasAgentCommitAfter(commits, 'a')).toBe(false);
  });
});

const SENT_AT = 1_750_000_000;
const SENT_MS = SENT_AT * 1_000;
const HOUR = 3_600_000;
const ADDED = { number: 12, head: commit('a'), at: SENT_AT };

/** The rule once more, as one would tell it. */
function verdict({
  isSame,
  kind,
  hasCommit,
  endedMs,
  lastActiveMs,
  nowMs,
}: Situation): 'covered' | 'missed' | 'uncertain' {
  if (!isSame) return 'covered';
  if (kind === 'open') {
    if (lastActiveMs !== undefined) return 'covered';
    if (hasCommit === true) return 'covered';
    if (nowMs > SENT_MS + 2 * HOUR) return 'covered';
    return 'uncertain';
  }
  if (lastActiveMs !== undefined && lastActiveMs > endedMs) return 'missed';
  if (hasCommit === true) return 'covered';
  if (endedMs > SENT_MS + 2 * HOUR) return 'covered';
  return 'missed';
}

interface Situation extends Watch {
  /** It is the pull request that was open before the message. */
  readonly isSame: boolean;
  readonly kind: 'open' | 'merged' | 'closed';
  /** `undefined`: the commit before the message is not among those of the pull request. */
  readonly hasCommit: boolean | undefined;
  readonly endedMs: number;
}

// At and around each moment that matters.
const anyTime = fc
  .tuple(fc.constantFrom(0, 1, 2, 3, 4), fc.constantFrom(-1, 0, 1))
  .map(([hours, ms]) => SENT_MS + hours * HOUR + ms);
const anySituation = fc.record<Situation>({
  isSame: fc.boolean(),
  kind: fc.constantFrom('open', 'merged', 'closed'),
  hasCommit: fc.constantFrom(true, false, undefined),
  endedMs: anyTime,
  lastActiveMs: fc.option(anyTime, { nil: undefined }),
  nowMs: anyTime,
});

test('what became of an addition is what the rule says, wherever the pull request stands', () => {
  fc.assert(
    fc.property(anySituation, (situation) => {
      const { isSame, kind, hasCommit, endedMs, ...watch } = situation;
      const pull = {
        kind,
        number: isSame ? 12 : 13,
        endedMs: kind === 'open' ? undefined : endedMs,
      };
      expect(fateOfAddition(ADDED, pull, hasCommit, watch)).toBe(verdict(situation));
      expect(fateOfAddition('missed', pull, hasCommit, watch)).toBe('missed');
    }),
    { numRuns: dose(500, 20_000) },
  );
});

describe('an addition', () => {
  const LINK = 'https://github.com/acme/docs/pull/12';
  const PULL: PullState = {
    ...{ kind: 'open', repository: 'acme/docs', number: 12, name: 'acme/docs#12', link: LINK },
    ...{ head: commit('b'), endedMs: undefined },
  };
  const COMMITS: readonly PullRequestCommit[] = ['a', 'b'].map((digit) => ({
    sha: commit(digit),
    parents: [{ sha: commit('0') }],
    author: { login: 'agent[bot]' },
    commit: {},
  }));
  const WATCH = { lastActiveMs: undefined, nowMs: SENT_MS };

  function find(added: Added, more: Partial<Pulls> = {}) {
    const asked: unknown[] = [];
    const pulls: Pulls = {
      read: async (link) => {
        asked.push(link);
        return PULL;
      },
      commits: async ({ repository, number }) => {
        asked.push(`${repository}#${number}`);
        return COMMITS;
      },
      ...more,
    };
    return { asked, found: findAddition(pulls, LINK, added, WATCH) };
  }

  test('is looked for among the commits of its pull request', async () => {
    const { asked, found } = find(ADDED);
    const known = { kind: 'known', fate: 'covered', pull: PULL, hasAgentCommit: true };
    expect(await found).toEqual(known);
    expect(asked).toEqual([LINK, 'acme/docs#12']);
  });

  test('to another pull request is covered without a look at its commits', async () => {
    const { asked, found } = find({ ...ADDED, number: 11 });
    expect(await found).toMatchObject({ fate: 'covered', hasAgentCommit: undefined });
    expect(asked).toEqual([LINK]);
  });

  test('is not known where GitHub does not show the pull request', async () => {
    const hidden = { kind: 'unknown', reason: 'HTTP 403' } as const;
    expect(await find(ADDED, { read: async () => hidden }).found).toEqual(hidden);
  });

  test('is not guessed when GitHub fails', async () => {
    const error = new GitHubError('failed', 'HTTP 503');
    for (const call of ['read', 'commits']) {
      const failing = { [call]: () => Promise.reject(error) };
      await expect(find(ADDED, failing).found).rejects.toBe(error);
    }
  });
});
