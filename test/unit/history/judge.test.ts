import { expect, test } from 'vitest';
import { createJudge, type JobRead } from '../../../src/agent/judge.ts';
import { jobOf } from '../../support/results.ts';

const PR = 'https://github.com/acme/docs/pull/1';

type Pull = 'open' | 'closed' | 'unknown' | 'not asked for';

/** What the judge says; `pull` is what GitHub says of the pull request. */
function judged(read: JobRead, pull: Pull, isUnseen: boolean) {
  const judge = createJudge(
    async () => read,
    async (link) => {
      expect(link).toBe(PR);
      if (pull === 'not asked for') throw new Error('GitHub was asked');
      return pull === 'unknown' ? { kind: pull, reason: 'HTTP 403' } : { kind: pull };
    },
  );
  return judge('job_1', { isUnseen });
}

const job = (status: string, prLink = PR) => jobOf({ status, prLink });

test.each<{ status: string; prLink?: string; fate: string; cameToNothing: boolean }>([
  { status: 'active', fate: 'running', cameToNothing: false },
  { status: 'a status of tomorrow', fate: 'running', cameToNothing: false },
  { status: 'completed', fate: 'covered', cameToNothing: false },
  { status: 'completed', prLink: '', fate: 'covered', cameToNothing: false },
  { status: 'archived', fate: 'covered', cameToNothing: false },
  { status: 'archived', prLink: '', fate: 'covered', cameToNothing: true },
  { status: 'failed', fate: 'failed', cameToNothing: true },
  { status: 'failed', prLink: '', fate: 'failed', cameToNothing: true },
])('an agent job that is $status with the link "$prLink" is $fate', async (row) => {
  const { status, prLink = PR, fate, cameToNothing } = row;
  const known = { kind: 'known', status, prLink, fate, cameToNothing };
  expect(await judged(job(status, prLink), 'not asked for', false)).toEqual(known);
});

test.each<{ status: string; prLink?: string; pull: Pull; expected: object }>([
  { status: 'completed', pull: 'open', expected: { fate: 'covered', cameToNothing: false } },
  { status: 'completed', pull: 'closed', expected: { fate: 'missed', cameToNothing: true } },
  { status: 'archived', pull: 'closed', expected: { fate: 'missed', cameToNothing: true } },
  { status: 'completed', pull: 'unknown', expected: { kind: 'error', error: 'HTTP 403' } },
  { status: 'completed', prLink: '', pull: 'not asked for', expected: { fate: 'missed' } },
  { status: 'active', pull: 'not asked for', expected: { fate: 'running' } },
  { status: 'failed', pull: 'not asked for', expected: { fate: 'failed', cameToNothing: true } },
])(
  'an unseen addition to an agent job that is $status with a pull request that is $pull',
  async (row) => {
    const { status, prLink = PR, pull, expected } = row;
    expect(await judged(job(status, prLink), pull, true)).toMatchObject(expected);
  },
);

test('an agent job that the service does not know or show is no verdict', async () => {
  const error = { error: 'HTTP 500' };
  expect(await judged(undefined, 'not asked for', true)).toEqual({ kind: 'gone' });
  expect(await judged(error, 'not asked for', true)).toEqual({ kind: 'error', ...error });
});

test('without a key no agent job is read', async () => {
  const judge = createJudge(undefined, () => Promise.reject(new Error('GitHub was asked')));
  expect(await judge('job_1', { isUnseen: true })).toEqual({ kind: 'not-read' });
});

test('each agent job is read once, and that of an earlier attempt as a new one', async () => {
  const reads: unknown[] = [];
  const read = async (...asked: unknown[]) => {
    reads.push(asked);
    return job('active');
  };
  const judge = createJudge(read, () => Promise.reject(new Error('GitHub was asked')));
  await judge('job_1', { isNew: true });
  await judge('job_2', {});
  await judge('job_2', {});
  expect(reads).toEqual([
    ['job_1', true],
    ['job_2', false],
  ]);
});
