/** The pull requests behind the commits: why, what to skip, and who hears of it. */
import { describe, expect, test } from 'vitest';
import { annotations, recordsOf } from '../../support/action.ts';
import { PR_LINK } from '../../support/agent-service.ts';
import type { FakeCodePull, FakeCommit, GitHubOptions } from '../../support/github-service.ts';
import { type PlayOptions, play } from '../../support/play.ts';
import { startHistory } from '../../support/workflow-run.ts';

/** A line of commits after `base`, with these messages. */
const commitsOf = (messages: readonly string[], logins: readonly string[] = []): FakeCommit[] => [
  { sha: 'ba5e', parents: [], message: 'base' },
  ...messages.map((message, index) => ({
    sha: `c${index + 1}`,
    parents: [index === 0 ? 'ba5e' : `c${index}`],
    message,
    ...(logins[index] && { login: logins[index] }),
    files: [{ filename: `src/${index + 1}.ts`, patch: '@@ -1 +1 @@\n-old\n+new' }],
  })),
];

interface Given extends Pick<PlayOptions, 'inputs'> {
  readonly messages: readonly string[];
  readonly logins?: readonly string[];
  readonly codePulls?: readonly FakeCodePull[];
  readonly fail?: GitHubOptions['fail'];
}

/** The GraphQL API says so of the first query, with HTTP 200. */
function limitOnce(): GitHubOptions['fail'] {
  const errors = [{ type: 'RATE_LIMITED', message: 'API rate limit exceeded' }];
  const limits = [{ status: 200, body: { errors }, headers: { 'x-ratelimit-remaining': '0' } }];
  return (path) => (path === '/graphql' ? limits.pop() : undefined);
}

/** A push of commits with these messages. */
async function push({ messages, logins, codePulls, inputs, fail }: Given) {
  const seen = await play({
    inputs: { prompt: 'Document it.', changes: 'files', wait: 'false', ...inputs },
    event: { before: 'ba5e' },
    env: {
      GITHUB_EVENT_NAME: 'push',
      GITHUB_SHA: `c${messages.length}`,
      GITHUB_REF: 'refs/heads/main',
    },
    github: {
      commits: commitsOf(messages, logins),
      ...(codePulls && { codePulls }),
      ...(fail && { fail }),
    },
  });
  const [request] = seen.agent.postsTo(/\/job$/);
  const prompt: string = request === undefined ? '' : JSON.parse(request.body).prompt;
  const numbers = JSON.parse(seen.outputs['codePullRequests'] ?? '');
  return { ...seen, prompt, numbers };
}

const graphql = (requests: readonly string[]) => requests.filter((path) => path === '/graphql');

describe.concurrent('why a change was made', () => {
  test.concurrent('is told once, under the first commit of its pull request', async () => {
    const { prompt, requests, numbers, result } = await push({
      messages: ['feat: add retries', 'fix typo', 'docs'],
      codePulls: [
        {
          number: 7,
          title: 'Add retries',
          body: 'Clients gave up too soon.',
          commits: ['c1', 'c2'],
        },
        { number: 9, title: 'docs', commits: ['c3'] },
      ],
    });
    expect(prompt).toContain(
      '- c1 feat: add retries\n    pull request #7 "Add retries" by octocat:\n        Clients gave up too soon.\n- c2 fix typo\n- c3 docs\n',
    );
    expect(prompt.split('Clients gave up')).toHaveLength(2);
    expect(graphql(requests)).toHaveLength(1);
    expect(numbers).toEqual([7, 9]);
    expect(result.summary).toContain('<a href="https://github.com/acme/app/pull/7">#7</a>');
  });

  test.concurrent('is told of every pull request, and the numbers of 100 are put out', async () => {
    const messages = Array.from({ length: 128 }, (_, n) => `Change ${n}`);
    const codePulls = messages.map((title, n) => ({
      ...{ number: n + 1, title, body: `Why ${n}?`, commits: [`c${n + 1}`] },
    }));
    const { numbers, prompt, requests } = await push({ messages, codePulls });
    expect(numbers).toEqual(Array.from({ length: 100 }, (_, n) => n + 1));
    expect(prompt).toContain('Why 127?');
    expect(graphql(requests)).toHaveLength(3);
  });
});

test.concurrent('a prompt without changes has no code pull requests', async () => {
  const codePulls = [{ number: 7, title: 'A', commits: ['c1'] }];
  const inputs = { changes: 'none', paths: '**' };
  const { numbers, outputs } = await push({ messages: ['a'], codePulls, inputs });
  expect([outputs['outcome'], numbers]).toEqual(['started', []]);
});

describe.concurrent('a change that needs no documentation', () => {
  test.concurrent.each<{ promise: string; given: Given; requests: number }>([
    {
      promise: 'by `[skip docs]` in the first line',
      given: { messages: ['refactor [Skip Docs]\n\nMore.'] },
      requests: 0,
    },
    {
      promise: 'by `[skip docs]` in the title of its pull request',
      given: {
        messages: ['a'],
        codePulls: [{ number: 7, title: 'x [skip docs]', commits: ['c1'] }],
      },
      requests: 1,
    },
    {
      promise: 'by such a title that GitHub first refuses for its rate limit',
      given: {
        messages: ['a'],
        codePulls: [{ number: 7, title: 'x [skip docs]', commits: ['c1'] }],
        fail: limitOnce(),
      },
      requests: 2,
    },
    {
      promise: 'by patterns that fit the logins of the authors',
      given: {
        messages: ['Bump x', 'Update y'],
        logins: ['renovate[bot]', 'Dependabot[bot]'],
        inputs: { skip: '@Renovate[bot]\n@depend*[bot]' },
      },
      requests: 0,
    },
  ])('$promise is skipped in green', async ({ given, requests }) => {
    const seen = await push(given);
    expect(seen.result.exitCode).toBe(0);
    expect(seen.outputs).toMatchObject({ outcome: 'skipped', codePullRequests: '[]' });
    expect(seen.agent.requests).toEqual([]);
    expect(graphql(seen.requests)).toHaveLength(requests);
    expect(seen.result.summary).toContain('## ⏭️ Skipped; no documentation needed');
  });

  test.concurrent('is told apart when others need some, in one line each, and its pull request is no source', async () => {
    const { prompt, numbers, result } = await push({
      messages: ['feat: a', 'chore: b\n\nno documentation needed:\n- feat: a'],
      inputs: { skip: 'chore: *' },
      codePulls: [
        { number: 7, title: 'feat: a', commits: ['c1'] },
        { number: 8, title: 'chore: b', commits: ['c2'] },
      ],
    });
    expect(prompt).toContain(
      'commits (1 of 1), oldest first:\n- c1 feat: a\n\nno documentation needed:\n- c2 chore: b\n',
    );
    expect(prompt).toContain(
      'The team says that the commits under "no documentation needed" need none: leave out what only they changed.\nWhere the instruction above says otherwise, it holds.\n',
    );
    expect(numbers).toEqual([7]);
    expect(result.summary).toContain('1 commit, by <code>chore: *</code> in <code>skip</code>: <a');
  });

  test.concurrent('of which every commit is skipped is covered, and a later push does not bring it back', async () => {
    await using history = await startHistory();
    await history.push(2);
    history.fates.set('job_1', 'completed');
    const skipped = await history.push(3, { inputs: { skip: 'c3' } });
    expect(skipped).toMatchObject({ outcome: 'skipped', sent: undefined });
    expect(recordsOf(skipped.result)).toEqual([expect.stringMatching(/job=none .* to=c3/)]);
    expect((await history.push(4)).sent).toEqual(['c4']);
  });
});

test.concurrent('on an event of a pull request its number is the source, and GraphQL is not asked', async () => {
  const { outputs, requests } = await play({
    inputs: { prompt: 'x', changes: 'files', wait: 'false' },
    env: {
      GITHUB_EVENT_NAME: 'pull_request',
      GITHUB_SHA: 'merge',
      GITHUB_REF: 'refs/pull/5/merge',
    },
    event: {
      pull_request: {
        ...{ number: 5, title: 'Add x', commits: 1, labels: [] },
        ...{ base: { sha: 'ba5e' }, head: { sha: 'c1' } },
      },
    },
    github: {
      commits: commitsOf(['a']),
      pulls: { 5: { commits: commitsOf(['a']).slice(1), files: [{ filename: 'src/1.ts' }] } },
    },
  });
  expect(outputs).toMatchObject({ outcome: 'started', codePullRequests: '[5]' });
  expect(graphql(requests)).toEqual([]);
});

test.concurrent('a re-run that follows puts out the code pull requests of the attempt that sent', async () => {
  const codePulls = [{ number: 7, title: 'x', commits: ['c3'] }];
  await using history = await startHistory({ github: { codePulls } });
  const first = await history.push(3);
  expect(recordsOf(first.result).at(-1)).toMatch(/ pulls=7 end$/);
  expect(first.result.outputs['codePullRequests']).toBe('[7]');
  const again = await history.again(first.run);
  expect(again.sent).toBeUndefined();
  expect(again.result.outputs['codePullRequests']).toBe('[7]');
  expect(again.result.summary).toContain('/pull/7');
});

test.concurrent('a dry run puts out the code pull requests', async () => {
  const codePulls = [{ number: 7, title: 'x', commits: ['c1'] }];
  const { outputs } = await push({ messages: ['a'], codePulls, inputs: { dryRun: 'true' } });
  expect(outputs).toMatchObject({ outcome: 'dry-run', codePullRequests: '[7]' });
});

describe.concurrent('the summary says what the agent did', () => {
  const docs = {
    state: 'open',
    head: { sha: 'e1', ref: 'docs/`retries`' },
    title: 'Document <b>retries</b> @octocat',
    commits: ['e1'],
    files: [
      { filename: 'docs/retries.md', additions: 12, deletions: 3 },
      ...Array.from({ length: 30 }, (_, n) => ({ filename: `docs/${n}.md` })),
    ],
  };
  const done = { schedule: [{ status: 'completed', prLink: PR_LINK }] };

  test.concurrent('after a typed prompt: title and pages, each linked to its place', async () => {
    const { result, requests, outputs } = await play({
      inputs: { prompt: 'x' },
      service: done,
      github: { pullStates: { 'acme/docs#123': docs } },
    });
    expect(outputs['prBranch']).toBe('docs/`retries`');
    expect(result.summary).toContain('<code>Document &lt;b&gt;retries&lt;/b&gt; @octocat</code>');
    // `printf docs/retries.md | sha256sum`
    const hash = 'dcf17192e463e3fa4b108e66670398bb52e51a106073c57f777ade87f10806cc';
    expect(result.summary).toContain(`<li><a href="${PR_LINK}/files#diff-${hash}">`);
    expect(result.summary).toContain('<code>docs/retries.md</code></a> (+12 −3)');
    expect(result.summary.match(/<li>/g)).toHaveLength(21);
    expect(requests).toHaveLength(2);
  });

  test.concurrent.each([403, 404, 500])('and no word where GitHub answers %i', async (status) => {
    const fail = () => ({ status });
    const { result, warnings, outputs } = await play({
      inputs: { prompt: 'x' },
      service: done,
      github: { fail },
    });
    expect(result.exitCode).toBe(0);
    expect(outputs['prBranch']).toBe('');
    expect(warnings).toEqual([]);
    expect(annotations(result)).toHaveLength(1);
    expect(result.summary).not.toContain('<li>');
  });
});
