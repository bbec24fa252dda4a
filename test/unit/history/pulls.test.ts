import { describe, expect, test, vi } from 'vitest';
import { findAppendTarget, type PullState, readPull } from '../../../src/history/pulls.ts';
import type { Judged } from '../../../src/model/agent-job.ts';
import { GitHubError } from '../../../src/model/errors.ts';
import { commit, judgeOf } from '../../support/records.ts';

const SERVER = 'https://github.com';
const LINK = 'https://github.com/o/r/pull/1';
const OPEN: PullState = { kind: 'open', name: 'o/r#1', head: commit('c') };

describe('the pull request that a link names', () => {
  const pullThat = (pull: (...asked: readonly unknown[]) => Promise<object>, link = LINK) =>
    readPull(async () => ({ pull: (...asked) => pull(...asked) as never }), SERVER, link);

  test.each(['open', 'closed'])('is asked for by its name: %s', async (state) => {
    const pull = vi.fn(async () => ({ state, merged: false, head: { sha: commit('c') } }));
    expect(await pullThat(pull)).toEqual({ ...OPEN, kind: state });
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

describe('the agent job that a prompt is added to', () => {
  const target = (state: string | Judged | undefined, pull: PullState = OPEN) => {
    const { judge } = judgeOf(state === undefined ? {} : { j1: state });
    return findAppendTarget('j1', judge, async () => pull);
  };

  const withLink = (prLink: string): Judged => {
    return { kind: 'known', fate: 'covered', cameToNothing: false, status: 'completed', prLink };
  };

  const closed: PullState = { ...OPEN, kind: 'closed' };
  const hidden: PullState = { kind: 'unknown', reason: 'GitHub does not show it' };
  test.each<[state: string | Judged | undefined, why: string, pull?: PullState]>([
    [undefined, ': the service no longer knows agent job `j1`.'],
    ['active', ': agent job `j1` has the status `active`.'],
    ['archived', ': agent job `j1` has the status `archived`.'],
    [withLink(''), ': agent job `j1` opened no pull request.'],
    ['completed', ': pull request `o/r#1` is closed or merged.', closed],
    ['completed', ', because GitHub does not show it.', hidden],
    [{ kind: 'not-read' }, ', because without `adminApiKey` agent job `j1` cannot be read.'],
  ])('of %o is a new one%s', async (state, said, pull) => {
    const why = `A new agent job is needed${said}`;
    const isWarning = said.startsWith(', because');
    expect(await target(state, pull)).toEqual({ appended: undefined, why, isWarning });
  });

  test('is a new one where the step has none on record', async () => {
    const none = await findAppendTarget(undefined, judgeOf({}).judge, async () => OPEN);
    const why = 'A new agent job is needed: this step has no earlier one on record.';
    expect(none).toMatchObject({ why });
  });

  test('is not guessed when the service cannot say what became of the last one', async () => {
    await expect(target({ kind: 'error', error: 'HTTP 500' })).rejects.toMatchObject({
      heading: 'The last agent job of this step is not known',
      message: expect.stringMatching(/`j1`, .*: HTTP 500\. .* with `pullRequest: new`/),
    });
  });
});
