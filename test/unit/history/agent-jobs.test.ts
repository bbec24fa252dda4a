import { describe, expect, test } from 'vitest';
import { createAgentJobs } from '../../../src/history/agent-jobs.ts';
import { type JobRead, unreadJob } from '../../../src/model/agent-job.ts';
import type { DocsPullState } from '../../../src/model/docs-pull.ts';

const NOW_MS = Date.UTC(2026, 0, 1);
const ago = (seconds: number) => NOW_MS / 1_000 - seconds;
const LINK = 'https://github.com/o/r/pull/12';
const ADDED = { number: 12, head: 'before', at: ago(600) };
const OPEN: DocsPullState = {
  ...{ kind: 'open', repository: 'o/r', number: 12, name: 'o/r#12', head: 'after' },
  endedMs: undefined,
};

const read = (status: string, more: { wasActive?: true; wasWaitedFor?: true } = {}): JobRead => {
  const job = { ...unreadJob('j1'), status, prLink: LINK };
  return { kind: 'read', job, wasActive: false, wasWaitedFor: false, ...more };
};
const DOWN = { kind: 'error', error: 'HTTP 500', isTemporary: true } as const;
const WATCHED = { wasActive: true } as const;

/** The agent job reads so, and its pull request is that. */
function agentJobs(job: JobRead, pull: DocsPullState = OPEN) {
  const reads: unknown[] = [];
  const readJob = async (...asked: unknown[]) => {
    reads.push(asked);
    return job;
  };
  const readDocsPull = async () => pull;
  return { reads, ...createAgentJobs(readJob, readDocsPull, () => NOW_MS) };
}

describe('an agent job', () => {
  test.each<[job: JobRead, more: object, judged: object]>([
    [read('active'), {}, { fate: 'running', cameToNothing: false }],
    [read('tomorrow'), {}, { fate: 'running', status: 'tomorrow' }],
    [read('completed'), {}, { fate: 'covered', prLink: LINK }],
    [read('failed'), {}, { fate: 'failed', cameToNothing: true }],
    // Just after a message it may read as it was before, unless it was seen at work since.
    [read('completed'), { messagedAt: ago(29) }, { fate: 'running' }],
    [read('failed'), { messagedAt: ago(29) }, { fate: 'running' }],
    [read('completed'), { messagedAt: ago(-60) }, { fate: 'running' }],
    [read('completed', WATCHED), { messagedAt: ago(29) }, { fate: 'covered' }],
    [read('completed', { wasWaitedFor: true }), { messagedAt: ago(-60) }, { fate: 'covered' }],
    [read('completed'), { messagedAt: ago(30) }, { fate: 'covered' }],
    [read('completed'), { added: { ...ADDED, at: ago(29) } }, { fate: 'running' }],
    [read('completed'), { added: ADDED }, { fate: 'covered' }],
    [read('completed'), { added: 'missed' }, { fate: 'missed', cameToNothing: true }],
    [read('failed'), { added: ADDED }, { fate: 'failed', cameToNothing: true }],
    [{ kind: 'not-found' }, { added: ADDED }, { kind: 'not-found' }],
    [{ kind: 'not-found' }, { added: 'missed' }, { fate: 'missed', cameToNothing: true }],
    [DOWN, {}, DOWN],
  ])('%# is judged by what was read of it, and then by its pull request', async (job, more, to) => {
    const { judge, isAtWork } = agentJobs(job);
    const query = { id: 'j1', ...more };
    expect(await judge(query)).toMatchObject(to);
    expect(await isAtWork(query)).toBe('fate' in to && to.fate === 'running');
  });

  test('stays missed although a person has sent it something since', async () => {
    const { judge, isAtWork } = agentJobs(read('active'));
    expect(await judge({ id: 'j1', added: 'missed' })).toMatchObject({ fate: 'missed' });
    expect(await isAtWork({ id: 'j1', added: 'missed' })).toBe(true);
  });

  test('whose pull request cannot be read is not known', async () => {
    const { judge } = agentJobs(read('completed'), {
      kind: 'unknown',
      isHidden: true,
      reason: 'HTTP 403',
    });
    expect(await judge({ id: 'j1', added: ADDED })).toMatchObject({
      kind: 'error',
      error: 'HTTP 403',
    });
  });

  test('is read once a run, and what a wait has read of it counts', async () => {
    const { judge, learn, wasActive, reads } = agentJobs(read('active'));
    expect(wasActive('j1')).toBe(false);
    await judge({ id: 'j1' });
    await judge({ id: 'j1' });
    expect(reads).toEqual([['j1']]);
    learn('j1', read('completed', WATCHED));
    expect(wasActive('j1')).toBe(true);
    expect(await judge({ id: 'j1' })).toMatchObject({ fate: 'covered' });
  });

  test('is not read without a key', async () => {
    const { judge, isAtWork } = createAgentJobs(
      undefined,
      async () => OPEN,
      () => NOW_MS,
    );
    expect(await judge({ id: 'j1', added: ADDED })).toEqual({ kind: 'not-read' });
    expect(await isAtWork({ id: 'j1' })).toBe(false);
  });
});
