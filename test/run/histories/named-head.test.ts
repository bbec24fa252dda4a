/** Runs whose `since` names the commit of the run itself: a person says that everything is done. */
import { describe, expect, test } from 'vitest';
import { annotations, recordsOf } from '../../support/action.ts';
import { commitsInLine, type StepOptions, startHistory } from '../../support/workflow-run.ts';

const idOf = (n: number) => `${n}`.padStart(40, 'c');
const COMMITS = commitsInLine([1, 2, 3, 4, 5].map(idOf));

/** A history in which commit 2 went to an agent job that is at work, on a branch that ends at `head`. */
async function begin(head = 3) {
  const refs = { main: idOf(head) };
  const tags = [{ name: 'v3', sha: idOf(head) }];
  const history = await startHistory({ github: { commits: COMMITS, refs, tags } });
  const push = (n: number, options: StepOptions = {}) =>
    history.night(idOf(n), { event: { before: idOf(n - 1) }, ...options }, 'push');
  expect((await push(2)).sent).toEqual([idOf(2)]);
  const typed = (since: string, more = {}, event = 'workflow_dispatch') => {
    const payload = event === 'push' ? { event: { before: idOf(2) } } : {};
    return history.night(idOf(3), { inputs: { since, ...more }, ...payload }, event);
  };
  return { ...history, push, typed };
}

describe.concurrent('the commit of a run by hand as `since` marks everything up to it as done', () => {
  test.concurrent.each([
    { as: 'whole', since: idOf(3) },
    { as: 'in 7 characters', since: 'ccccccc' },
    { as: 'in capitals', since: idOf(3).toUpperCase() },
    { as: 'with `paths`', since: idOf(3), paths: 'src/**' },
    { as: 'under `append`', since: idOf(3), pullRequest: 'append', wait: 'true' },
  ])('$as', async ({ as: _, since, ...inputs }) => {
    await using history = await begin();
    const done = await history.typed(since, inputs);
    expect(done).toMatchObject({ outcome: 'skipped', sent: undefined, warnings: [], requests: [] });
    const to = idOf(3);
    expect(recordsOf(done.result)).toEqual([
      expect.stringMatching(RegExp(`^v=1 job=none key=\\w+ from=${to} to=${to} end$`)),
    ]);
    expect(annotations(done.result).at(-1)).toMatch(/^notice: .* Later runs start here\./);
    history.fates.set('job_1', 'failed');
    expect((await history.push(4)).sent).toEqual([idOf(4)]);
  });

  test.concurrent('but for a dry run, which says what it would do', async () => {
    await using history = await begin();
    history.fates.set('job_1', 'failed');
    const { result } = await history.typed(idOf(3), { dryRun: 'true' });
    expect(recordsOf(result)).toEqual([]);
    expect(annotations(result)[0]).toContain('Without `dryRun`, later runs would start here.');
    expect((await history.push(4)).sent).toEqual([idOf(2), idOf(3), idOf(4)]);
  });
});

test.concurrent.each(['push', 'schedule', 'repository_dispatch'])(
  'the commit of a run of %s as `since` is refused, so that no file drops each change',
  async (event) => {
    await using history = await begin();
    history.fates.set('job_1', 'completed');
    const refused = await history.typed(idOf(3), {}, event);
    expect(refused).toMatchObject({ outcome: 'error', sent: undefined, requests: [] });
    expect(annotations(refused.result).at(-1)).toContain('`since` is the commit of this run');
    expect((await history.push(4)).sent).toEqual([idOf(3), idOf(4)]);
  },
);

describe.concurrent('a start that this run does not go beyond sends nothing and drops nothing', () => {
  test.concurrent.each([
    { since: 'main', event: 'workflow_dispatch' },
    { since: 'main', event: 'push' },
    { since: 'v3', event: 'workflow_dispatch' },
    { since: idOf(4), event: 'workflow_dispatch' },
    { since: 'main', event: 'workflow_dispatch', head: 5, paths: 'src/**' },
  ])('$since on $event', async ({ since, event, head, ...inputs }) => {
    await using history = await begin(head);
    const idle = await history.typed(since, inputs, event);
    expect(idle).toMatchObject({ outcome: 'skipped', sent: undefined });
    expect(idle.warnings).toEqual([
      expect.stringContaining('Later runs start where they did before this run.'),
    ]);
    expect(recordsOf(idle.result)).toEqual([expect.stringMatching(/^v=1 job=todo key=\w+ end$/)]);
    history.fates.set('job_1', 'failed');
    expect((await history.push(4)).sent).toEqual([idOf(2), idOf(3), idOf(4)]);
  });
});
