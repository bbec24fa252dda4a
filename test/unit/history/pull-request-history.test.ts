/** What runs of a pull request sent. Whole runs show most of it: test/run/histories. */
import { expect, test } from 'vitest';
import type { WorkflowRun } from '../../../src/github/github.ts';
import { lookThroughPullHistory } from '../../../src/history/pull-request-history.ts';
import type { RunsApi } from '../../../src/history/requests.ts';
import { fakeTime, stepIn, workflowJob } from '../../support/records.ts';

const CURRENT = 500;

function workflowRun(id: number): WorkflowRun {
  const of = { workflow_id: 1, head_branch: 'patch-1', head_repository: { full_name: 'o/r' } };
  return { id, run_number: id, event: 'pull_request', status: 'completed', run_attempt: 1, ...of };
}

/** Searches before run #500, of which GitHub lists so many in pages of 100. */
function search(listed: number, total: number, nameOfJob: string) {
  const all = Array.from({ length: listed }, (_, index) => workflowRun(CURRENT - index));
  const api: RunsApi = {
    run: async (id) => workflowRun(id),
    async *runs() {
      for (let at = 0; at < all.length; at += 100) yield { total, runs: all.slice(at, at + 100) };
    },
    workflowJobs: async (run) => [workflowJob(run, 1, { name: nameOfJob })],
    annotations: async () => [],
    compareStatus: async () => 'ahead',
    mergeBase: async (base) => base,
  };
  const patience = { sendsNothing: false, timeoutMs: 1_800_000, deadline: 1_800_000 };
  const scope = { attempts: [], isResuming: false };
  return lookThroughPullHistory(api, stepIn(CURRENT), scope, patience, fakeTime());
}

test('50 runs without this workflow job end the history, however many GitHub lists', async () => {
  expect(await search(150, 150, 'other')).toMatchObject({ sent: undefined, last: 'none' });
});

test('what GitHub does not list is not known, unless enough runs left no record', async () => {
  const cut = /^the runs .* that GitHub lists \(1,000 at most\) do not say what was covered/;
  await expect(search(20, 1_200, 'docs')).rejects.toThrow(cut);
  expect(await search(55, 1_200, 'docs')).toMatchObject({ sent: undefined });
});
