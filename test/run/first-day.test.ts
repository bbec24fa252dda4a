/** What a first run says of what would only stop, or cost, the next one. */
import { describe, expect, test } from 'vitest';
import { annotations } from '../support/action.ts';
import { LAST_SUCCESS, startHistory } from '../support/workflow-run.ts';

const DENIED = { status: 403, body: { message: 'Resource not accessible by integration' } };
const denying = (path: RegExp) => (asked: string) => (path.test(asked) ? DENIED : undefined);
const CHECKS = denying(/\/annotations/);
const ACTIONS = denying(/\/actions\//);

describe.concurrent('a permission that later runs need', () => {
  const LACKS = 'The token lacks `checks: read`, and without that the next run stops';
  const lists = (warnings: readonly string[]) =>
    warnings.map((text) => /with (`contents: read`.*)\.$/.exec(text)?.[1]);

  test.concurrent.each([
    { promise: 'with a prompt alone', inputs: { changes: 'none', since: 'auto' }, event: 'push' },
    { promise: 'under `auto`', inputs: { since: 'auto' }, event: 'push' },
    { promise: 'under `last-success`', inputs: {}, event: 'push' },
    { promise: 'on a schedule', inputs: {}, event: 'schedule' },
  ])('is missed by a dry run $promise', async ({ inputs, event }) => {
    await using history = await startHistory({ github: { fail: CHECKS } });
    const dry = { ...inputs, dryRun: 'true' };
    const payload = { before: 'c1' };
    const night = await history.night('c2', { inputs: dry, event: payload }, event);
    const missing = night.warnings.filter((text) => text.startsWith(LACKS));
    expect(lists(missing)).toEqual(['`contents: read`, `actions: read`, and `checks: read`']);
  });

  test.concurrent('is missed in the first push, before the second one stops', async () => {
    await using history = await startHistory({ github: { fail: CHECKS } });
    const first = await history.push(2);
    expect(first.sent).toEqual(['c2']);
    expect(first.warnings).toEqual([expect.stringContaining(LACKS)]);
    const second = await history.push(3);
    expect(second).toMatchObject({ outcome: 'error', sent: undefined });
    expect(annotations(second.result).at(-1)).toContain('`checks: read`');
  });

  test.concurrent.each([{ since: 'last-success' }, { since: 'auto', pullRequest: 'append' }])(
    'is named once in a re-run that cannot look up its attempts: %o',
    async (inputs) => {
      let isMissing = false;
      const fail = (path: string) => (isMissing ? CHECKS(path) : undefined);
      await using history = await startHistory({ github: { fail } });
      const given = { inputs: { wait: 'true', timeout: '2m', ...inputs } };
      const { run } = await history.push(2, given);
      isMissing = true;
      const { warnings } = await history.again(run, given);
      expect(warnings.filter((text) => text.includes('`checks: read`'))).toHaveLength(1);
    },
  );

  test.concurrent('is named if it is `actions: read`', async () => {
    await using history = await startHistory({ github: { fail: ACTIONS } });
    const inputs = { since: 'auto', dryRun: 'true' };
    const { warnings } = await history.push(2, { inputs });
    expect(warnings).toEqual([expect.stringContaining('The token lacks `actions: read`')]);
  });

  test.concurrent('is no matter where it is there, and costs a run with a record no request', async () => {
    await using history = await startHistory();
    for (const inputs of [{ dryRun: 'true' }, {}, {}]) {
      const { warnings } = await history.push(2, { inputs });
      expect(warnings.filter((text) => text.includes('lacks'))).toEqual([]);
    }
    const own = history.workflow.jobs.at(-1)?.id;
    const { requests } = await history.push(3, { inputs: { dryRun: 'true' } });
    expect(requests.join()).not.toContain(`check-runs/${Number(own) + 1}/annotations`);
  });
});

describe.concurrent('a private docs repository that the token cannot see', () => {
  const inputs = { ...LAST_SUCCESS, wait: 'true', pullRequest: 'append' };
  const link = (id: string) => `https://github.com/acme/docs/pull/${id.replace('job_', '')}`;
  const schedule = [{ status: 'active' }, { afterReads: 2, status: 'completed', prLink: link }];
  const NEEDS =
    /because GitHub does not show pull request `acme\/docs#1` to `githubToken`, which needs [^:]*`pull-requests: read`[^.]*GitHub App/;

  test.concurrent('is told in the run that opened a pull request there, and again by the next', async () => {
    await using history = await startHistory({ inputs, service: { schedule } });
    const first = await history.push(2);
    expect(first.warnings).toEqual([expect.stringMatching(NEEDS)]);
    expect(first.warnings[0]).toContain('The next run cannot add to this pull request');
    const second = await history.push(3);
    expect(second.warnings[0]).toMatch(NEEDS);
    expect(second.warnings[0]).toContain('A new agent job is created.');
  });

  test.concurrent('is no matter to a step that opens a new one each time', async () => {
    const isNew = { ...inputs, pullRequest: 'new' };
    await using history = await startHistory({ inputs: isNew, service: { schedule } });
    expect((await history.push(2)).warnings).toEqual([]);
  });
});

test.concurrent('under a named start whose look back fails, the warning names the permission and the new agent job', async () => {
  let isDenied = false;
  const fail = (path: string) => (isDenied ? CHECKS(path) : undefined);
  const inputs = { ...LAST_SUCCESS, pullRequest: 'append', since: 'c2', wait: 'true' };
  const service = { schedule: [{ status: 'completed', prLink: null }] };
  await using history = await startHistory({ inputs, service, github: { fail } });
  await history.night('c3');
  isDenied = true;
  const { result, sent, warnings } = await history.night('c4');
  expect(sent).toEqual(['c3', 'c4']);
  expect(warnings).toEqual([
    expect.stringMatching(
      /could not be looked up: .*`checks: read`.*\. A new agent job is created\./,
    ),
  ]);
  expect(result.summary).toContain('<th align="left">Why a new one</th>');
  expect(result.stdout + result.summary).not.toContain('on record');
});
