import { describe, expect, test } from 'vitest';
import type { PullState, Pulls } from '../../../src/history/pulls.ts';
import { findTarget, lastJobNotKnown, type TargetQuery } from '../../../src/history/target.ts';
import type { Judged } from '../../../src/model/agent-job.ts';
import { GitHubError } from '../../../src/model/errors.ts';
import type { LastJob } from '../../../src/model/record.ts';
import { commit, judgeOf, known } from '../../support/records.ts';

const NOW_MS = Date.UTC(2026, 0, 1);
const HOUR = 3_600;
const LINK = 'https://github.com/o/r/pull/1';
const OPEN = {
  ...{ kind: 'open', repository: 'o/r', number: 1, name: 'o/r#1', link: LINK },
  ...{ head: commit('c'), endedMs: undefined },
} as const satisfies PullState;

/** Agent job `j1`, called so many seconds ago. */
const calledAgo = (seconds: number): LastJob => {
  return { id: 'j1', at: NOW_MS / 1_000 - seconds, messagedAt: undefined };
};

interface World {
  readonly last?: LastJob | 'none' | undefined;
  readonly pull?: PullState | GitHubError;
  readonly query?: Partial<TargetQuery>;
}

/** Where the prompt goes when the service says this of agent job `j1`. */
function look(state: string | Judged | undefined, world: World = {}) {
  const { pull = OPEN, query } = world;
  const last = 'last' in world ? world.last : calledAgo(60);
  const { judge, asked } = judgeOf(state === undefined ? {} : { j1: state });
  const read: Pulls['read'] = async (link) => {
    expect(link).toBe(LINK);
    if (pull instanceof GitHubError) throw pull;
    return pull;
  };
  const commits = () => Promise.reject(new Error('the commits were asked for'));
  const rest = { mayWait: true, isDryRun: false, nowMs: NOW_MS };
  const target = findTarget(last, { judge, pulls: { read, commits }, ...rest, ...query });
  return { asked, target };
}

describe('the prompt goes', () => {
  test('to the last agent job when that has completed and its pull request is open', async () => {
    const last = { ...calledAgo(60), messagedAt: NOW_MS / 1_000 - 60 };
    const { asked, target } = look('completed', { last });
    const appended = { jobId: 'j1', name: 'o/r#1', number: 1, link: LINK, head: commit('c') };
    expect(await target).toEqual({ kind: 'append', appended });
    // Just after a message its end may be the one before that.
    expect(asked).toEqual([{ ...last, isNew: false }]);
  });

  const closed: PullState = { ...OPEN, kind: 'closed' };
  const merged: PullState = { ...OPEN, kind: 'merged' };
  const hidden: PullState = { kind: 'unknown', reason: 'HTTP 403. Give the permission' };
  test.each<[state: string | Judged | undefined, level: string, why: string, pull?: PullState]>([
    [undefined, 'log', 'The service no longer knew the last agent job, `j1`.'],
    ['failed', 'log', 'The last agent job `j1` had the status `failed`.'],
    ['archived', 'log', 'The last agent job `j1` had the status `archived`.'],
    [
      { ...known('completed'), prLink: '' } as Judged,
      'log',
      'The last agent job `j1` opened no pull request.',
    ],
    ['completed', 'log', 'The last pull request, `o/r#1`, was merged.', merged],
    ['completed', 'log', 'The last pull request, `o/r#1`, was closed.', closed],
    [
      'completed',
      'warning',
      'Whether the last pull request was open is not known: HTTP 403. Give the permission.',
      hidden,
    ],
    [
      { kind: 'not-read' },
      'warning',
      'Without `adminApiKey` the last agent job `j1` could not be read.',
    ],
  ])(
    'to a new agent job when of the last one is known: %o (%s: %s)',
    async (state, level, why, pull) => {
      const { target } = look(state, pull && { pull });
      expect(await target).toEqual({ kind: 'create', level, why });
    },
  );

  test.each([undefined, 'none'] as const)('to a new one where the last one is %s', async (last) => {
    const { asked, target } = look('completed', { last });
    const why = 'This step had no earlier agent job on record.';
    expect(await target).toEqual({ kind: 'create', level: 'none', why });
    expect(asked).toEqual([]);
  });
});

describe('while the last agent job is at work', () => {
  test.each(['active', 'a status of tomorrow'])('it is waited for: %s', async (state) => {
    const last = calledAgo(2 * HOUR);
    expect(await look(state, { last }).target).toEqual({ kind: 'wait', last });
  });

  const dry = { mayWait: false, isDryRun: true };
  test.each<{ promise: string; world: World; because: string }>([
    {
      promise: 'it hangs: its last call is more than 2 h old',
      world: { last: calledAgo(2 * HOUR + 1) },
      because: 'had been called more than 2 h before',
    },
    {
      promise: 'nothing is waited for',
      world: { query: { mayWait: false } },
      because: 'with `wait: false` the step did not wait for it',
    },
    {
      promise: 'this is a dry run',
      world: { query: dry },
      because: 'a dry run does not wait for it',
    },
  ])('a new one is created, with a notice, if $promise', async ({ world, because }) => {
    const why = `The last agent job \`j1\` was still running, and ${because}. It may open a pull request of its own.`;
    expect(await look('active', world).target).toEqual({ kind: 'create', level: 'notice', why });
  });
});

describe('where the prompt goes is not guessed', () => {
  test('when the service cannot say what became of the last agent job', async () => {
    const { target } = look({ kind: 'error', error: 'HTTP 500.' });
    await expect(target).rejects.toMatchObject({
      heading: 'The last agent job of this step is not known',
      message:
        'What became of agent job `j1`, the last one of this step, is not known: HTTP 500. No prompt was sent. If that passes, run this again. Otherwise start a new run with `pullRequest: new`, which does not look at the last agent job.',
    });
  });

  test('when GitHub fails', async () => {
    const error = new GitHubError('failed', 'HTTP 503');
    await expect(look('completed', { pull: error }).target).rejects.toBe(error);
    expect(lastJobNotKnown(error.message, error)).toMatchObject({
      cause: error,
      message: expect.stringMatching(/^HTTP 503\. No prompt was sent\./),
    });
  });
});
