import { describe, expect, test } from 'vitest';
import { findChanges, skipReason } from '../../../../src/changes/find/find-changes.ts';
import type { KnownChanges } from '../../../../src/changes/find/found.ts';
import { newsOfChanges, newsOfPrompt } from '../../../../src/changes/overview/warnings.ts';
import { composePrompt } from '../../../../src/changes/write/compose-prompt.ts';
import { GitHubError } from '../../../../src/github/errors.ts';
import type { ChangedFile, GitHub } from '../../../../src/github/github.ts';
import { parseInputs } from '../../../../src/inputs/inputs.ts';
import type { Start } from '../../../../src/model/start.ts';
import { eventOf, FACTS, FakeClock, fakeEffects } from '../../../support/fakes.ts';
import { pullOf } from '../../../support/pulls.ts';

const files: readonly ChangedFile[] = Array.from({ length: 20 }, (_, n) => {
  return { filename: `src/${n}.ts`, status: 'modified', lines: { additions: 1, deletions: 1 } };
});
const commits = Array.from({ length: 250 }, (_, n) => {
  return { sha: `c${n}`, commit: { message: `Subject ${n}` } };
});
const comparison = {
  ...({ status: 'ahead', url: 'u', mergeBase: 'm', totalCommits: 300 } as const),
  ...{ commits, files },
};

interface World {
  readonly event?: GitHub['event'];
  /** Parts of GitHub that work otherwise. */
  readonly parts?: Partial<GitHub>;
  readonly start?: Start;
  readonly clean?: (text: string) => string;
  readonly clock?: FakeClock;
  readonly addTo?: { readonly link: string };
  /** What earlier runs sent of a pull request's own changes. */
  readonly sent?: Pick<KnownChanges, 'earlier' | 'isSentBefore'>;
}

/** What these inputs find, what people are told of it, and the prompt that they give. */
function tell(given: Readonly<Record<string, string>>, world: World = {}) {
  const { event = eventOf('push', { before: 'b' }), parts, start, addTo, sent } = world;
  const { clean = (text) => text, clock = new FakeClock() } = world;
  const raw = { prompt: 'x', projectId: 'p', adminApiKey: 'mint_0123456789', githubToken: 't' };
  const inputs = parseInputs({ ...raw, ...given }, FACTS, clean);
  const effects = fakeEffects(() => ({ kind: 'lost', error: '' }), { clock });
  const noPulls = { pullsBehind: async () => ({ found: [], error: undefined }) };
  const all = { event, compare: async () => comparison, ...noPulls, ...parts };
  const github = async () => all as GitHub;
  const lookedAtBy = 'unknown';
  const find = async () => {
    const found = await findChanges({ ...inputs, github, start, lookedAtBy, permissions: [] });
    const skip = skipReason(found, inputs);
    const told = newsOfChanges(found, { ...inputs, skipReason: skip, start, clean });
    return { found, skip, told };
  };
  const compose = async () => {
    const { found, told } = await find();
    if (found.kind === 'left-out') throw new Error(found.kind);
    const changes = found.kind === 'known' ? { ...found, ...sent } : found;
    const options = { ...inputs, clean, addTo };
    const composed = composePrompt('x', changes, options);
    return { ...composed, ...newsOfPrompt(changes, told, composed.block, options), told };
  };
  return { effects, find, compose };
}

const CATCH_UP =
  'To send earlier changes, start a new run with `dryRun: false` and `since` set to the commit before the first of them (https://github.com/docs-agent/docs-agent-job/blob/v1/.github/TROUBLESHOOTING.md#start-a-new-run).';
const FILES = { changes: 'files' };
const cutTree = async () => ({ entries: new Map(), truncated: true });
const range = { from: 'm', to: 'h' };

describe('the overview of the changes', () => {
  test('says what was left out, as the log does, and is made without a pause', async () => {
    const clock = new FakeClock();
    clock.pass(1_000);
    const { compose } = tell({ ...FILES, paths: 'src/1*.ts' }, { clock });
    const { overview, news, told } = await compose();
    const known = {
      ...{ kind: 'known', commits: 300, files: 20, selectedFiles: 11, patterns: ['src/1*.ts'] },
      exampleFiles: ['src/0.ts', 'src/1.ts', 'src/2.ts'],
      ...{ base: 'b', head: 'h', url: 'u', codePulls: [] },
      skipped: { commits: 0, by: [], undo: [], pulls: [] },
    };
    expect(told).toEqual({
      overview: { ...known, leftOut: [] },
      news: {
        log: [
          'Changes: 300 commits and 20 changed files, 11 of them selected by `paths`, from `b` to `h`.',
        ],
        warnings: [],
      },
    });
    expect(overview).toEqual({ ...known, leftOut: ['50 commits not listed'] });
    expect(news).toEqual({ log: ['Left out of the prompt: 50 commits not listed.'], warnings: [] });
    expect(clock.slept).toEqual([]);
  });

  test('says what the list lacks when the prompt holds no changes', async () => {
    const many = Array.from({ length: 15 }, () => files).flat();
    const parts = { tree: cutTree, compare: async () => ({ ...comparison, files: many }) };
    const { prompt, news } = await tell({ paths: 'src/**' }, { parts }).compose();
    expect(prompt).toBe('x');
    expect(news.log).toEqual([
      expect.stringMatching(/^Left out of the list: GitHub lists only the first 300 files/),
    ]);
  });

  test('says which patterns matched nothing when the step is skipped', async () => {
    const { skip, told } = await tell({ ...FILES, paths: 'docs/**' }).find();
    expect(skip).toBe('no-matching-file');
    expect(told.overview).toMatchObject({ leftOut: [], patterns: ['docs/**'], selectedFiles: 0 });
  });
});

describe('with nothing to start from', () => {
  test('a step is skipped, recorded, and warned of the starts that are left out', async () => {
    const olderRuns = { read: 3, recorded: 3, unrecorded: 0 };
    const start: Start = { kind: 'not-recorded', eventStarts: ['c1^'], olderRuns };
    const commit = async (ref: string) => ({ sha: ref, parents: [], tree: undefined });
    const world = { event: eventOf('schedule'), start, parts: { commit } };
    const { found, skip, told } = await tell(FILES, world).find();
    expect([skip, found.range]).toEqual(['nothing-to-start-from', { from: undefined, to: 'h' }]);
    const reason = 'no earlier run of this step on this branch has a record of what it covered';
    const message =
      'The changes would start at the parent of `c1`, but it has none. The changes of that earlier run are not sent again.';
    expect(told).toEqual({
      overview: { kind: 'unknown', reason, isFirstRun: false },
      news: { log: [], warnings: [{ title: 'Docs agent: changes', message }] },
    });
  });

  test('a release goes out with its notes, and a warning says that it has no changes', async () => {
    const release = { tag_name: 'v1', name: 'One', body: 'New: retries' };
    const parts = { releases: async () => [] };
    const given = { ...FILES, paths: 'docs/**' };
    const first = tell(given, { event: eventOf('release', { release }), parts });
    const { skip, told } = await first.find();
    expect(skip).toBeUndefined();
    const message = `The prompt has the release notes but no changes, and \`paths\` is not applied, because there is nothing to start from: there is no earlier release like \`v1\`. ${CATCH_UP}`;
    expect(told.news.warnings).toEqual([{ title: 'Docs agent: nothing to start from', message }]);
    const all = await tell(FILES, { event: eventOf('release', { release }), parts }).find();
    expect(all.told.news.warnings[0]?.message).not.toContain('paths');
    const { prompt } = await first.compose();
    expect(prompt).toMatch(
      /^x\n\n(?:.*\n)+?(changes-\w+)\nwhat happened: release v1[\s\S]* retries\n\1\n$/,
    );
  });
});

test.each<{ read: number; recorded: number; unrecorded: number; says?: string }>([
  {
    ...{ read: 5, recorded: 2, unrecorded: 2 },
    says: 'in 5 earlier runs of this workflow on this branch, 2 of them without a record of this workflow job.',
  },
  {
    ...{ read: 4, recorded: 1, unrecorded: 0 },
    says: 'in 4 earlier runs of this workflow on this branch, 3 of them without this workflow job.',
  },
  { read: 2, recorded: 2, unrecorded: 0 },
  { read: 0, recorded: 0, unrecorded: 0 },
])(
  'a step of which runs have no record says that it is new: $read runs, $recorded',
  async (row) => {
    const { says, ...olderRuns } = row;
    const start = { kind: 'not-recorded', eventStarts: [], olderRuns } as const;
    const { found, told } = await tell(FILES, { start }).find();
    expect(found.range).toEqual(range);
    const message = `No changes of this step are on record ${says} What they did not send is not sent. ${CATCH_UP}`;
    const warning = { title: 'Docs agent: this step is new', message };
    expect(told.news.warnings).toEqual(says === undefined ? [] : [warning]);
  },
);

describe('pull requests that could not be looked up', () => {
  const rest =
    'As a result, the prompt may lack descriptions of pull requests and include commits that a title or a label should leave out, and `codePullRequests` may lack numbers.';
  const permission = 'Give the workflow job `permissions:` with `pull-requests: read`.';
  const failing = (kind: GitHubError['kind']): World => {
    const error = new GitHubError(kind, 'HTTP 4xx');
    return { parts: { pullsBehind: async () => ({ found: [], error }) } };
  };
  const message = `HTTP 4xx. ${rest}`;

  test.each<[where: string, world: World, says: string]>([
    ['where the token may not', failing('forbidden'), `${message} ${permission}`],
    ['where GitHub fails', failing('failed'), message],
    [
      'without a GraphQL API',
      { parts: { pullsBehind: async () => undefined } },
      message.replace('HTTP 4xx', "GitHub's GraphQL API is not there"),
    ],
  ])('are told in a warning, %s', async (_, world, says) => {
    const { skip: reason, told } = await tell(FILES, world).find();
    expect(reason).toBeUndefined();
    expect(told.news.warnings).toEqual([{ title: 'Docs agent: pull requests', message: says }]);
  });
});

test('a pattern that names only a folder gets a warning with what to write', async () => {
  const { skip, told } = await tell({ paths: 'src\n!src/1' }).find();
  expect(skip).toBe('no-matching-file');
  expect(told.news.warnings.map(({ message }) => message)).toEqual([
    '`paths` names folders without `**`, which fit no file. `src`: write `src/**`.',
  ]);
});

test('a line of `skip` that is only the beginning of titles gets a warning with what to write', async () => {
  const named = [
    { sha: 'c1', commit: { message: 'Chore: a' } },
    { sha: 'c2', commit: { message: 'docs' } },
    { sha: 'c3', commit: { message: 'feat: b (#3)' } },
  ];
  const found = [{ sha: 'c3', listed: [pullOf({ title: 'Retries: b' })], named: undefined }];
  const parts = {
    compare: async () => ({ ...comparison, totalCommits: 3, commits: named }),
    pullsBehind: async () => ({ found, error: undefined }),
  };
  const skip = 'chore\ndocs\nretries:\nfix\nChore: a';
  const { told } = await tell({ ...FILES, skip }, { parts }).find();
  expect(told.news.warnings).toEqual([
    {
      title: 'Docs agent: a pattern skips no commit',
      message:
        '`skip` has patterns without `*` that are only the beginning of a first line or title, so they skip nothing. `chore`: write `chore*`; `retries:`: write `retries:*`.',
    },
  ]);
});

test.each([
  { what: 'nothing but a lock file', filename: 'pnpm-lock.yaml', titles: [] },
  { what: 'a source file', filename: 'a.ts', titles: ['Docs agent: no patches'] },
])('of $what without a patch the warnings are $titles', async ({ filename, titles }) => {
  const file = { ...files[0], filename } as ChangedFile;
  const parts = { compare: async () => ({ ...comparison, files: [file] }), tree: cutTree };
  const { news } = await tell({ changes: 'diff' }, { parts }).compose();
  expect(news.warnings.map(({ title }) => title)).toEqual(titles);
});

describe('a follow-up message to the agent job that has the pull request', () => {
  const addTo = { link: 'https://github.com/acme/docs/pull/7' };
  /** The message, and the prompt that a new agent job would get. */
  async function messageIn(given: Readonly<Record<string, string>>, world?: World) {
    const { message, prompt } = await tell(given, { ...world, addTo }).compose();
    return { message, prompt };
  }

  test('is the prompt with three sentences before what is told of the changes', async () => {
    const { message, prompt } = await messageIn(FILES);
    const [sentences, rest] = message.slice('x\n\n'.length).split('\nBetween the two lines');
    expect(sentences?.split('\n').map((line) => line.slice(0, 17))).toEqual([
      'Your pull request',
      'They follow b. Co',
      'Others may have p',
    ]);
    expect(`x\n\nBetween the two lines${rest}`).toBe(prompt);
  });

  test('tells of the pull request alone when no changes are told', async () => {
    const { message, prompt } = await messageIn({ paths: 'src/**' });
    expect(prompt).toBe('x');
    expect(message).toMatch(/^x\n\nYour pull request \S+ is open\. Add to it; open no other\.\n/);
    expect(message).not.toContain('changes');
  });

  test('names the common commit after a force push', async () => {
    const compareDiverged = async () => ({ ...comparison, status: 'diverged' as const });
    const { message } = await messageIn(FILES, { parts: { compare: compareDiverged } });
    expect(message).toContain('They follow m. ');
  });

  test('names no start when its changes were sent before', async () => {
    const prLink = 'https://github.com/acme/docs/pull/6';
    const failed = { jobId: 'j', state: 'failed', overlaps: true, prLink } as const;
    const start: Start = {
      kind: 'from',
      sha: 'b',
      earlier: [failed],
      isSentBefore: true,
      pending: [],
    };
    const again = await messageIn({ ...FILES, since: 'last-success' }, { start });
    expect(again.message).not.toContain('They follow');
    expect(again.message).toContain('Agent job j failed on some of these: do its work now.');
  });

  test('says of a pull request that its changes are all, and so does the prompt of a later agent job', async () => {
    const pull_request = { number: 1, base: { ref: 'main' }, head: { sha: 'h' } };
    const own = { ...comparison, commits: [{ sha: 'h', commit: { message: 'S' } }] };
    const state = { state: 'open', head: { sha: 'h' }, base: { ref: 'main' } };
    const parts: Partial<GitHub> = {
      ...{ pullRequest: async () => own, pull: async () => state },
      filesPage: (number) => `pull/${number}/files`,
    };
    const event = eventOf('pull_request', { pull_request });
    const all =
      'These are all changes of the pull request. What you documented and is not among them was taken back.';
    const first = await messageIn(FILES, { event, parts });
    expect(first.message).toContain(`open no other.\n${all} Correct or remove`);
    expect(first.prompt).not.toContain(all);
    expect(first.prompt).toContain('see: pull/1/files\nfrom: main\nto: h');
    const earlier = [{ jobId: 'j', state: 'covered', overlaps: true, prLink: addTo.link }] as const;
    const later = await messageIn(FILES, { event, parts, sent: { earlier, isSentBefore: true } });
    expect(later.prompt).toMatch(/^x\n\nThese are all changes of .* taken back\.\nBetween the two/);
    expect(later.prompt).toContain(`${addTo.link} may document some of these: read it first.`);
    expect(later.message.split(all)).toHaveLength(2);
  });
});
