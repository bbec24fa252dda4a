/** Which agent job of the step was the last, where some of the older runs cannot be read. */
import { expect, test } from 'vitest';
import type { KeptAnnotation } from '../../../src/github/github.ts';
import { lookThroughRuns } from '../../../src/history/runs.ts';
import {
  commit,
  fakeTime,
  kept,
  NONE,
  stepIn,
  UNREADABLE,
  workflowJob,
} from '../../support/records.ts';

const run = (id: number) => ({
  ...{ id, workflow_id: 7, run_number: id, status: 'completed', head_branch: 'main' },
  ...{ head_sha: commit('b'), head_repository: { full_name: 'o/r' } },
});

test.each([
  { before: kept('j1'), last: { id: 'j1' } },
  { before: kept(NONE), last: 'none' },
  // `none` would keep later runs from looking for it.
  { before: UNREADABLE, last: undefined },
])('$last', async ({ before, last }) => {
  const part = kept(NONE, { from: commit('a'), to: commit('b') });
  const left: Readonly<Record<number, KeptAnnotation>> = { 801: part, 701: before };
  const github = {
    run: async (id: number) => run(id),
    runs: async function* () {
      yield { total: 2, runs: [8, 7].map(run) };
    },
    workflowJobs: async (id: number) => [workflowJob(id)],
    annotations: async (id: number) => [left[id] ?? kept(NONE)],
    compare: () => Promise.reject(new Error('nothing is newer')),
  };
  const wanted = { isStartWanted: true, isLastWanted: true, isBehindWanted: true };
  const query = { ...wanted, isDryRun: false, head: commit('c') };
  const found = await lookThroughRuns(github, stepIn(9), query, fakeTime());
  if (typeof last === 'object') expect(found.last).toMatchObject(last);
  else expect(found.last).toBe(last);
});
