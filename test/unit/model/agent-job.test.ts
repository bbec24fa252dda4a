import { expect, test } from 'vitest';
import { cameToNothing, endOf, fateOf, isActive, unreadJob } from '../../../src/model/agent-job.ts';

const prLink = 'https://github.com/acme/docs/pull/1';

test.each<{ status: string; prLink?: string; end?: string; fate: string; isNothing?: true }>([
  { status: 'active', fate: 'running' },
  { status: 'completed', end: 'no-changes', fate: 'covered' },
  { status: 'completed', prLink, end: 'pull-request', fate: 'covered' },
  { status: 'archived', end: 'archived', fate: 'covered', isNothing: true },
  { status: 'archived', prLink, end: 'archived', fate: 'covered' },
  { status: 'failed', end: 'failed', fate: 'failed', isNothing: true },
  { status: 'failed', prLink, end: 'failed', fate: 'failed', isNothing: true },
  { status: 'Completed', fate: 'running' },
  { status: 'toString', fate: 'running' },
  { status: '', fate: 'running' },
])('the status "$status" means the end $end, and its changes are $fate', (row) => {
  const { end, fate, isNothing = false, ...fields } = row;
  const job = { ...unreadJob('job_1'), ...fields };
  expect([endOf(job), fateOf(job), cameToNothing(job)]).toEqual([end, fate, isNothing]);
  expect(isActive(job)).toBe(row.status === 'active');
});
