/** Histories where GitHub lists runs as public reports say: late, empty or out of order; and long ones. */
import { describe, expect, test } from 'vitest';
import { annotations } from '../../support/action.ts';
import { PR_LINK } from '../../support/agent-service.ts';
import type { FakeRun, GitHubOptions } from '../../support/github-service.ts';
import { startHistory } from '../../support/workflow-run.ts';

type ListRuns = NonNullable<GitHubOptions['listRuns']>;

/** A history in which c2 is documented and the run of c3 had no key. From then on lists are wrong. */
async function begin(listRuns: ListRuns) {
  let isWrong = false;
  const history = await startHistory({
    github: { listRuns: (right, branch) => (isWrong ? listRuns(right, branch) : right) },
  });
  const { clock } = history.workflow;
  await history.push(2);
  history.fates.set('job_1', 'completed');
  await history.push(3, { inputs: { adminApiKey: '' } });
  isWrong = true;
  const wrongFor = (ms: number) => {
    clock.after(ms, () => {
      isWrong = false;
    });
  };
  return { ...history, wrongFor };
}

const onBranch =
  (wrong: (right: readonly FakeRun[]) => readonly FakeRun[]): ListRuns =>
  (right, branch) =>
    branch === undefined ? right : wrong(right);
const LISTS: readonly (readonly [string, ListRuns])[] = [
  ['empty', onBranch(() => [])],
  ['old', onBranch((right) => right.slice(-1))],
  ['without this run', onBranch((right) => right.slice(1))],
  ['reversed', onBranch((right) => right.toReversed())],
];

describe.concurrent('while the list of the runs of a branch is wrong', () => {
  test.concurrent.each(LISTS)('because it is %s, each change is sent once', async (_, list) => {
    await using history = await begin(list);
    expect((await history.push(4)).sent).toEqual(['c3', 'c4']);
    history.fates.set('job_2', 'completed');
    expect((await history.push(5)).sent).toEqual(['c5']);
  });

  test.concurrent('for a minute, it is requested again', async () => {
    await using history = await begin(() => []);
    history.wrongFor(60_000);
    expect((await history.push(4)).sent).toEqual(['c3', 'c4']);
  });

  test.concurrent('and that of all branches as well, nothing is sent until one is right', async () => {
    await using history = await begin((right) => right.slice(1));
    const stopped = await history.push(4);
    expect(stopped).toMatchObject({ outcome: 'error', sent: undefined });
    expect(annotations(stopped.result).at(-1)).toContain('does not include this run');
    history.wrongFor(0);
    expect((await history.push(5)).sent).toEqual(['c3', 'c4', 'c5']);
  });

  test.concurrent('the prompt still goes to the open pull request', async () => {
    const pull = { state: 'open', head: { sha: 'e1' }, commits: ['e1'] };
    await using history = await startHistory({
      inputs: { prompt: 'x', pullRequest: 'append', wait: 'true' },
      service: { schedule: [{ status: 'completed', prLink: PR_LINK }] },
      github: { listRuns: onBranch(() => []), pullStates: { 'acme/docs#123': pull } },
    });
    await history.night('c2');
    await history.night('c3');
    const sent = history.agent.requests.filter(({ method }) => method === 'POST');
    expect(sent.map(({ path }) => path)).toEqual([
      expect.stringMatching(/\/job$/),
      expect.stringMatching(/\/job\/job_1\/message$/),
    ]);
  });
});

describe.concurrent('in a workflow with a long history', () => {
  /** Runs with one workflow job of this name. */
  function runMany({ workflow }: Awaited<ReturnType<typeof startHistory>>, job: string, as = {}) {
    for (let n = 0; n < 55; n += 1) {
      const run = workflow.begin('c1', 'push');
      run.list(job, as);
      run.complete();
    }
    workflow.clock.pass(10 * 60_000);
  }

  test.concurrent('a step is added whose first run has no key, and the second sends its changes too', async () => {
    await using history = await startHistory();
    runMany(history, 'lint');
    await history.push(2, { inputs: { adminApiKey: '' } });
    const second = await history.push(3);
    expect(second.sent).toEqual(['c2', 'c3']);
    expect(second.requests.length).toBeLessThanOrEqual(120);
  });

  test.concurrent.each([
    ['are dry runs', {}],
    ['are skipped by `if:`', { conclusion: 'skipped' }],
  ])('55 runs in a row %s, and no change is lost', async (_, as) => {
    await using history = await startHistory();
    await history.push(2);
    history.fates.set('job_1', 'failed');
    runMany(history, 'docs', as);
    const next = await history.push(3);
    expect(next.sent).toEqual(['c2', 'c3']);
    expect(next.requests.length).toBeLessThanOrEqual(120);
  });
});
