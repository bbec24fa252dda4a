import { describe, expect, test, vi } from 'vitest';
import { createPulls, type PullState } from '../../../src/history/pulls.ts';
import { GitHubError } from '../../../src/model/errors.ts';
import { commit } from '../../support/records.ts';

const SERVER = 'https://github.com';
const LINK = 'https://github.com/o/r/pull/1';
const OPEN: PullState = {
  ...{ kind: 'open', repository: 'o/r', number: 1, name: 'o/r#1', link: LINK },
  ...{ head: commit('c'), endedMs: undefined },
};

describe('the pull request that a link names', () => {
  const pullThat = (pull: (...asked: readonly unknown[]) => Promise<object>, link = LINK) => {
    const github = { pull: (...asked: unknown[]) => pull(...asked) as never };
    return createPulls(async () => ({ ...github, pullCommits: neverAsked }), SERVER).read(link);
  };
  const neverAsked = () => Promise.reject(new Error('the commits were asked for'));

  const [closed_at, merged_at] = ['2026-01-01T00:00:02Z', '2026-01-01T00:00:01Z'];
  const endedMs = Date.UTC(2026, 0, 1, 0, 0, 1);
  test.each<{ said: object; expected: object }>([
    { said: { state: 'open' }, expected: OPEN },
    {
      said: { state: 'closed', closed_at },
      expected: { kind: 'closed', endedMs: endedMs + 1_000 },
    },
    { said: { state: 'closed', closed_at, merged_at }, expected: { kind: 'merged', endedMs } },
    { said: { state: 'closed' }, expected: { kind: 'closed', endedMs: undefined } },
  ])('is asked for by its name: $said', async ({ said, expected }) => {
    const pull = vi.fn(async () => ({ ...said, head: { sha: commit('c') } }));
    expect(await pullThat(pull)).toEqual({ ...OPEN, ...expected });
    expect(pull.mock.calls).toEqual([['o/r', 1]]);
  });

  test.each(['https://ghe.example/o/r/pull/1', 'https://gitlab.com/o/r/-/merge_requests/1'])(
    'is not asked for at another server: %s',
    async (link) => {
      const state = await pullThat(() => Promise.reject(new Error('the token was sent')), link);
      const reason = `\`${link}\` is not the address of a pull request on this GitHub server (\`${SERVER}\`), so whether it is open cannot be looked up`;
      expect(state).toEqual({ kind: 'unknown', reason });
    },
  );

  test('is not known where the service names none', async () => {
    const state = await pullThat(() => Promise.reject(new Error('GitHub was asked')), '');
    const reason =
      'The service names no pull request of it, so whether that is open cannot be looked up';
    expect(state).toEqual({ kind: 'unknown', reason });
  });

  test.each(['forbidden', 'not-found'] as const)(
    'is not known when GitHub does not show it (%s), and says what to do',
    async (kind) => {
      const pull = () => Promise.reject(new GitHubError(kind, 'HTTP 403'));
      expect(await pullThat(pull)).toEqual({
        kind: 'unknown',
        reason:
          'GitHub does not show pull request `o/r#1` to the token: HTTP 403. Give the workflow job `permissions:` with `pull-requests: read`. For a private docs repository, pass a `githubToken` of a GitHub App that may read this repository and that one',
      });
    },
  );

  test('passes on what else fails', async () => {
    for (const kind of ['bad-token', 'rate-limited', 'failed'] as const) {
      const error = new GitHubError(kind, 'said so');
      await expect(pullThat(() => Promise.reject(error))).rejects.toBe(error);
    }
  });
});

test('the commits of a pull request are asked for by its repository and number', async () => {
  const commits = [{ sha: commit('c'), parents: [], commit: {} }];
  const pullCommits = vi.fn(async () => commits);
  const pull = () => Promise.reject(new Error('the pull request was asked for'));
  const pulls = createPulls(async () => ({ pull, pullCommits }), SERVER);
  expect(await pulls.commits({ repository: 'o/r', number: 1, name: 'o/r#1' })).toBe(commits);
  expect(pullCommits.mock.calls).toEqual([['o/r', 1]]);
});
