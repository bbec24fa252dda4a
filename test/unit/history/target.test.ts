import { describe, expect, test } from 'vitest';
import { GitHubError } from '../../../src/github/errors.ts';
import { findTarget } from '../../../src/history/target.ts';
import type { Judged } from '../../../src/model/agent-job.ts';
import type { DocsPullState } from '../../../src/model/docs-pull.ts';
import type { LastJob } from '../../../src/model/record.ts';
import { judgeOf, known } from '../../support/records.ts';

const NOW_MS = Date.UTC(2026, 0, 1);
const LINK = 'https://github.com/o/r/pull/1';
const OPEN: DocsPullState = {
  ...{ kind: 'open', repository: 'o/r', number: 1, name: 'o/r#1', head: 'h' },
  endedMs: undefined,
};

/** Agent job `j1`, called so many seconds ago. */
const calledAgo = (seconds: number): LastJob => {
  return { id: 'j1', at: NOW_MS / 1_000 - seconds, messagedAt: undefined, messagedPull: undefined };
};

/** Where the prompt goes when the service says this of agent job `j1`. */
function targetOf(
  state: string | Judged | undefined,
  pull: DocsPullState = OPEN,
  last: LastJob | 'none' | undefined = calledAgo(60),
) {
  const { judge } = judgeOf(state === undefined ? {} : { j1: state });
  const readDocsPull = async (link: string) => {
    expect(link).toBe(LINK);
    return pull;
  };
  return findTarget(last, judge, readDocsPull, NOW_MS);
}

describe('the prompt goes', () => {
  const withoutPull = { ...known('completed'), prLink: '' } as Judged;
  const merged = { ...OPEN, kind: 'merged' } as DocsPullState;
  const hidden: DocsPullState = {
    kind: 'unknown',
    isHidden: true,
    reason: 'HTTP 403. Give the permission',
  };
  test.each<[state: string | Judged | undefined, level: string, why: string, pull?: DocsPullState]>(
    [
      [undefined, 'log', 'The service no longer knew the last agent job, `j1`.'],
      [
        'failed',
        'log',
        'The last agent job `j1` had the status `failed`. `o/r#1` stays open, and nothing more is added to it: merge or close it.',
      ],
      [
        'archived',
        'log',
        'The last agent job `j1` had the status `archived`. `o/r#1` stays open, and nothing more is added to it: merge or close it.',
      ],
      [withoutPull, 'log', 'The last agent job `j1` opened no pull request.'],
      ['completed', 'log', 'The last pull request, `o/r#1`, was merged.', merged],
      [
        'completed',
        'warning',
        'The last pull request could not be checked, because HTTP 403. Give the permission.',
        hidden,
      ],
      [
        { kind: 'not-read' },
        'warning',
        'Without `adminApiKey` the last agent job `j1` could not be read.',
      ],
    ],
  )(
    'to a new agent job when of the last one is known: %o (%s)',
    async (state, level, why, pull) => {
      expect(await targetOf(state, pull)).toMatchObject({ kind: 'create', level, why });
    },
  );

  test.each([
    { seconds: 2 * 3_600, was: ', and a dry run does not wait for it' },
    { seconds: 2 * 3_600 + 1, was: ' more than 2 h after its last prompt' },
  ])('to a new one while the last one is at work, called $seconds s ago', async (row) => {
    const why = `The last agent job \`j1\` was still running${row.was}. It may open a pull request of its own.`;
    const target = await targetOf('active', OPEN, calledAgo(row.seconds));
    expect(target).toEqual({ kind: 'create', level: 'notice', why });
  });

  test('to a new one where none is on record', async () => {
    const why = 'This step had no earlier agent job on record.';
    expect(await targetOf(undefined, OPEN, 'none')).toEqual({ kind: 'create', level: 'none', why });
  });
});

test('where the prompt goes is not guessed when the service or GitHub fails', async () => {
  await expect(
    targetOf({ kind: 'error', error: 'HTTP 500.', isTemporary: true }),
  ).rejects.toMatchObject({
    heading: 'The last agent job of this step is not known',
    message: expect.stringMatching(
      /^No prompt was sent, because agent job `j1`, .* HTTP 500\. Press/,
    ),
  });
  const error = new GitHubError('failed', 'HTTP 503');
  const { judge } = judgeOf({ j1: 'completed' });
  const readDocsPull = () => Promise.reject(error);
  await expect(findTarget(calledAgo(60), judge, readDocsPull, NOW_MS)).rejects.toBe(error);
});
