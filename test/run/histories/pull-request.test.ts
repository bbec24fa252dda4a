/** Histories of a pull request under `last-success`: it is sent whole, unless it was sent as it is. */
import { describe, expect, test } from 'vitest';
import { annotations, recordsOf } from '../../support/action.ts';
import { type Exchange, reply, type ServiceOptions } from '../../support/agent-service.ts';
import type { FakePull, GitHubOptions } from '../../support/github-service.ts';
import {
  LAST_SUCCESS,
  type Night,
  type StepOptions,
  startHistory,
  type WorkflowRun,
} from '../../support/workflow-run.ts';

type State = Partial<FakePull> & {
  /** Added lines by file. */
  readonly lines?: Readonly<Record<string, string>>;
};

interface PullOptions {
  readonly inputs?: Readonly<Record<string, string>>;
  readonly github?: Partial<GitHubOptions>;
  readonly service?: ServiceOptions;
}

const ALL =
  'These are all changes of the pull request. What you documented and is not among them was taken back.';

/** A repository with pull requests from the branch `patch-1`. Each new head has its name as its subject. */
async function begin({ inputs, github, service }: PullOptions = {}) {
  const pulls: Record<number, FakePull> = {};
  const history = await startHistory({
    github: { pulls, refs: { main: 'c9' }, ...github },
    inputs: { ...LAST_SUCCESS, changes: 'diff', paths: 'src/**', ...inputs },
    ...(service && { service }),
  });
  /** GitHub shows a pull request so from now on. */
  function set(number: number, head: string, { lines = { 'src/a.ts': 'a' }, ...more }: State = {}) {
    pulls[number] = {
      head,
      commits: [{ sha: head, parents: ['c1'], message: head }],
      files: Object.entries(lines).map(([filename, line]) => ({
        ...{ filename, status: 'added', sha: head, additions: 1, deletions: 0 },
        patch: `@@ -0,0 +1 @@\n+${line}`,
      })),
      ...more,
    };
  }
  function eventOf(number: number, head: string, payload: object = {}) {
    const base = { ref: 'main', sha: 'c0' };
    return { pull_request: { number, title: 'Then', base, head: { sha: head }, ...payload } };
  }
  /** What the next runs are about. */
  let current = { number: 41, head: 'f1' };
  const step = (run: WorkflowRun, options: StepOptions = {}, { number, head } = current) =>
    history.step(run, { event: eventOf(number, head), ...options });
  return {
    ...history,
    set,
    eventOf,
    begin: () => history.workflow.begin('m', 'pull_request', 'patch-1'),
    step,
    /** A whole run of an event of the pull request, in its state then. */
    async run(number = current.number, options: StepOptions = {}): Promise<Night> {
      current = { number, head: pulls[number]?.head ?? '' };
      history.workflow.clock.pass(60_000);
      const run = history.workflow.begin('m', 'pull_request', 'patch-1');
      const ended = await step(run, options);
      run.complete();
      return ended;
    },
    /** The next attempt, with the event of its run. */
    async press(run: WorkflowRun, options: StepOptions = {}, head = 'f1'): Promise<Night> {
      run.next();
      history.workflow.clock.pass(60_000);
      const ended = await step(run, options, { number: current.number, head });
      run.complete();
      return ended;
    },
    /** The newest prompt that was sent. */
    prompt: (): string => JSON.parse(history.agent.postsTo(/./).at(-1)?.body ?? '{}').prompt ?? '',
  };
}

/** A history in which pull request 41 went to `job_1` as `f1`. */
async function beginSent(fate = 'completed', options?: PullOptions) {
  const history = await begin(options);
  history.set(41, 'f1');
  const first = await history.run(41);
  expect(first).toMatchObject({ outcome: 'started', sent: ['f1'], warnings: [] });
  expect(recordsOf(first.result)).toEqual([
    expect.stringMatching(/^v=1 job=job_1 key=\w+ at=\d+ own=\w{16}(?: last=none)? pulls=41 end$/),
  ]);
  history.fates.set('job_1', fate);
  history.links.set('job_1', 'https://github.com/acme/docs/pull/1');
  return { ...history, first };
}

const SENT_AS_IT_IS = { outcome: 'skipped', sent: undefined, warnings: [] };

describe.concurrent('a pull request that was sent as it is', () => {
  test.concurrent.each<{ promise: string; state?: State; event?: object }>([
    { promise: 'and was rebased' },
    { promise: 'and has a new title', state: { title: 'Now' } },
    { promise: 'and is a draft', event: { draft: true } },
    { promise: 'and was merged', state: { isMerged: true }, event: { merged: true } },
    { promise: 'and was closed and reopened', event: { action: 'reopened' } },
    { promise: 'and goes into another branch now', state: { base: 'v1' } },
    {
      promise: 'and changes other files, which `paths` leaves out',
      state: { lines: { 'src/a.ts': 'a', 'ci/b.yml': 'b' } },
    },
  ])('$promise is skipped', async ({ state, event }) => {
    await using history = await beginSent();
    history.set(41, 'f2', state);
    const options = { event: history.eventOf(41, 'f2', event) };
    const again = await history.run(41, options);
    expect(again).toMatchObject(SENT_AS_IT_IS);
    expect(annotations(again.result).at(-1)).toBe(
      'notice: An agent job already has the changes of pull request #41 as they are now. No agent job was created.',
    );
    // So the call stays the newest one on record.
    const { at, own } =
      /at=(?<at>\d+) own=(?<own>\w+)/.exec(recordsOf(history.first.result)[0] ?? '')?.groups ?? {};
    expect(recordsOf(again.result)).toEqual([
      expect.stringMatching(
        new RegExp(`^v=1 job=none key=\\w+ at=\\d+ own=${own} last=job_1@${at} end$`),
      ),
    ]);
    history.fates.set('job_1', 'failed');
    expect((await history.run(41, options)).sent).toEqual(['f2']);
  });

  test.concurrent.each(['active', 'completed', 'archived', 'gone'])(
    'whose agent job is %s is skipped',
    async (fate) => {
      await using history = await beginSent(fate);
      expect(await history.run()).toMatchObject(SENT_AS_IT_IS);
    },
  );

  test.concurrent('and timed out is skipped while its agent job is at work, and sent again if that fails', async () => {
    await using history = await begin({ inputs: { wait: 'true', timeout: '40s' } });
    history.set(41, 'f1');
    const first = await history.run(41);
    expect(first).toMatchObject({ outcome: 'timed-out', sent: ['f1'] });
    expect(await history.run()).toMatchObject(SENT_AS_IT_IS);
    history.fates.set('job_1', 'failed');
    const { sent, result } = await history.run();
    expect(sent).toEqual(['f1']);
    expect(result.summary).toContain('Agent job job_1 failed on some of these: do its work now.');
    history.fates.set('job_2', 'completed');
    // A press of the first run, whose agent job came to nothing, finds the newer call.
    expect(await history.press(first.run)).toMatchObject({ outcome: 'skipped', sent: undefined });
  });
});

describe.concurrent('a pull request that has changed since it was sent', () => {
  test.concurrent.each([
    { fate: 'completed', said: 'https://github.com/acme/docs/pull/1 may document some of these' },
    { fate: 'failed', said: 'Agent job job_1 failed on some of these: do its work now.' },
    { fate: 'active', said: undefined },
  ])('is sent whole, and told of its agent job that is $fate', async ({ fate, said }) => {
    await using history = await beginSent(fate);
    history.set(41, 'f2', { lines: { 'src/a.ts': 'a', 'src/b.ts': 'b' } });
    const { sent, result, requests } = await history.run();
    expect(sent).toEqual(['f2']);
    expect(result.outputs['codePullRequests']).toBe('[41]');
    expect(result.summary).toContain('<a href="https://github.com/acme/app/pull/41/files">');
    const prompt = history.prompt();
    expect(prompt).toContain(`\n${ALL}\nBetween the two lines`);
    expect(prompt.includes(said ?? ' is at work on ')).toBe(said !== undefined);
    expect(prompt).not.toContain('They follow');
    expect(requests.length).toBeLessThanOrEqual(12);
  });

  test.concurrent('by `paths` alone is sent whole', async () => {
    await using history = await beginSent();
    history.set(41, 'f1', { lines: { 'src/a.ts': 'a', 'lib/b.ts': 'b' } });
    expect(await history.run()).toMatchObject(SENT_AS_IT_IS);
    const wider = await history.run(41, { inputs: { paths: 'src/**\nlib/**' } });
    expect(wider.sent).toEqual(['f1']);
  });

  test.concurrent('is sent whole again if the message before was in doubt, with a warning', async () => {
    let isLost = true;
    const intercept = ({ request, response }: Exchange) =>
      isLost && request.method === 'POST' && reply(response, 502, {});
    await using history = await begin({ service: { intercept } });
    history.set(41, 'f1');
    const first = await history.run(41);
    expect(recordsOf(first.result)).toEqual([
      expect.stringMatching(/^v=1 job=unknown key=\w+ at=\d+ own=\w{16} pulls=41 end$/),
    ]);
    expect(annotations(first.result).at(-1)).toContain(
      'If you find one, the next run still sends these changes again; if not, press "Re-run failed jobs"',
    );
    isLost = false;
    const next = await history.run();
    expect(next.sent).toEqual(['f1']);
    expect(next.warnings).toEqual([
      expect.stringMatching(/^The prompt of run #1 may have been sent/),
    ]);
    history.fates.set('job_1', 'completed');
    expect(await history.run()).toMatchObject(SENT_AS_IT_IS);
    // The attempt before is in doubt, so this one asks first. A newer run has the changes by then.
    expect(await history.press(first.run)).toMatchObject({ outcome: 'error', sent: undefined });
    expect(await history.press(first.run)).toMatchObject(SENT_AS_IT_IS);
    history.set(41, 'f2', { lines: { 'src/a.ts': 'a2' } });
    expect((await history.press(first.run)).sent).toEqual(['f2']);
  });
});

describe.concurrent('what a pull request takes back', () => {
  const TWO: State = { lines: { 'src/a.ts': 'a', 'src/b.ts': 'b' } };

  test.concurrent('is said with the rest of its changes', async () => {
    await using history = await begin();
    history.set(41, 'f1', TWO);
    await history.run(41);
    history.fates.set('job_1', 'completed');
    history.set(41, 'f2');
    expect((await history.run()).sent).toEqual(['f2']);
    expect(history.prompt()).toContain(ALL);
    expect(history.prompt()).not.toContain('src/b.ts');
  });

  test.concurrent.each([
    { promise: 'every file', state: { lines: {} } },
    { promise: 'every file of `paths`', state: { lines: { 'ci/x.yml': 'x' } } },
  ])('is sent once if it is $promise', async ({ state }) => {
    await using history = await beginSent();
    history.set(41, 'f2', state);
    expect((await history.run()).sent).toEqual(['f2']);
    expect(history.prompt()).toContain(ALL);
    history.fates.set('job_2', 'completed');
    expect(await history.run()).toMatchObject(SENT_AS_IT_IS);
    history.fates.set('job_2', 'failed');
    expect((await history.run()).sent).toEqual(['f2']);
  });

  test.concurrent('is not sent if no agent job got it, or if the prompt has no changes', async () => {
    await using history = await begin();
    history.set(41, 'f1', { lines: {} });
    const first = await history.run(41);
    expect(first).toMatchObject({ outcome: 'skipped', sent: undefined });
    expect(annotations(first.result).at(-1)).toContain('Pull request #41 changes no file.');
    const bare = { inputs: { changes: 'none' } };
    history.set(41, 'f2');
    expect((await history.run(41, bare)).outcome).toBe('started');
    history.fates.set('job_1', 'completed');
    expect((await history.run(41, bare)).outcome).toBe('skipped');
    history.set(41, 'f3', { lines: {} });
    expect((await history.run(41, bare)).outcome).toBe('skipped');
  });
});

describe.concurrent('a pull request that needs no documentation', () => {
  const LABELLED: State = { labels: ['skip-docs'] };

  test.concurrent('by its label is skipped, and sent once that is taken off and the run is run again', async () => {
    await using history = await begin();
    history.set(41, 'f1', LABELLED);
    const { run, result, outcome, requests } = await history.run(41);
    expect(outcome).toBe('skipped');
    expect(annotations(result).at(-1)).toBe(
      'notice: Pull request #41 needs no documentation. No agent job was created.\nSkipped by the label `skip-docs`.\nTo send them anyway, first remove the label `skip-docs` from the pull request, then press "Re-run all jobs".',
    );
    expect(requests.filter((path) => /pulls|runs$/.test(path))).toHaveLength(1);
    expect(result.outputs['codePullRequests']).toBe('[]');
    history.set(41, 'f1');
    expect((await history.press(run)).sent).toEqual(['f1']);
  });

  test.concurrent('is skipped whatever agent jobs got before, and stays sent when the label is taken off', async () => {
    await using history = await beginSent('failed');
    history.set(41, 'f2', LABELLED);
    expect((await history.run()).outcome).toBe('skipped');
    history.fates.set('job_1', 'completed');
    history.set(41, 'f1');
    expect(await history.run()).toMatchObject(SENT_AS_IT_IS);
  });

  test.concurrent('by `skip` is skipped in spite of a failed agent job, and says what to change', async () => {
    await using history = await beginSent('failed');
    const skipped = await history.run(41, { inputs: { skip: 'f*' } });
    expect(skipped).toMatchObject({ outcome: 'skipped', sent: undefined });
    expect(annotations(skipped.result).at(-1)).toContain(
      'To send them anyway, first change `skip`: the next run of this pull request sends them.',
    );
    expect((await history.run()).sent).toEqual(['f1']);
  });

  test.concurrent('by its label needs no list of files, which GitHub may fail to make', async () => {
    let isDown = true;
    const fail = (path: string) =>
      isDown && /files|compare/.test(path) ? { status: 500 } : undefined;
    await using history = await begin({ github: { fail } });
    history.set(41, 'f1');
    expect((await history.run(41)).outcome).toBe('error');
    history.set(41, 'f1', LABELLED);
    expect((await history.run(41)).outcome).toBe('skipped');
    isDown = false;
    history.set(41, 'f1');
    expect((await history.run(41)).sent).toEqual(['f1']);
  });
});

describe.concurrent('every run looks at every run', () => {
  test.concurrent('an old run that is run again finds what a newer one has sent', async () => {
    await using history = await begin();
    history.set(41, 'f1');
    const old = await history.run(41, { inputs: { adminApiKey: 'mint_wrong_0123456789' } });
    expect(old.outcome).toBe('error');
    history.set(41, 'f2', { lines: { 'src/a.ts': 'a2' } });
    expect((await history.run()).sent).toEqual(['f2']);
    history.fates.set('job_1', 'completed');
    // It sends what is there now.
    expect(await history.press(old.run)).toMatchObject(SENT_AS_IT_IS);
    history.set(41, 'f3', { lines: { 'src/a.ts': 'a3' } });
    expect((await history.press(old.run)).sent).toEqual(['f3']);
    // And newer runs find what the old one has sent.
    history.fates.set('job_2', 'completed');
    expect(await history.run()).toMatchObject(SENT_AS_IT_IS);
  });

  test.concurrent('a re-run of a run whose agent job came to nothing sends, unless a newer one has', async () => {
    await using history = await beginSent('archived');
    history.links.delete('job_1');
    const { run } = history.first;
    // Archived without a pull request: other runs count it as covered, a press sends it.
    expect(await history.run()).toMatchObject(SENT_AS_IT_IS);
    expect((await history.press(run)).sent).toEqual(['f1']);
    history.fates.set('job_2', 'failed');
    expect((await history.run()).sent).toEqual(['f1']);
    history.fates.set('job_3', 'completed');
    expect(await history.press(run)).toMatchObject({ outcome: 'skipped', sent: undefined });
  });

  test.concurrent('`rerun: create` sends again what only this run has sent', async () => {
    await using history = await beginSent();
    const create = { inputs: { rerun: 'create' } };
    // A skipped run tells of the same call.
    expect(await history.run()).toMatchObject(SENT_AS_IT_IS);
    expect((await history.press(history.first.run, create)).sent).toEqual(['f1']);
    history.fates.set('job_2', 'completed');
    expect(await history.run(41, create)).toMatchObject(SENT_AS_IT_IS);
  });

  test.concurrent.each([
    { promise: 'what was sent', lines: { 'src/a.ts': 'a' }, first: { outcome: 'started' } },
    { promise: 'nothing to send', lines: { 'ci/b.yml': 'b' }, first: { outcome: 'skipped' } },
  ])('60 runs that are skipped for $promise do not hide what came before', async (given) => {
    await using history = await begin();
    history.set(41, 'f1', given);
    expect(await history.run(41)).toMatchObject(given.first);
    if (given.first.outcome === 'started') history.fates.set('job_1', 'completed');
    history.links.set('job_1', 'https://github.com/acme/docs/pull/1');
    for (let n = 2; n <= 62; n += 1) {
      // Rebased, an hour later.
      history.workflow.clock.pass(3_600_000);
      history.set(41, `f${n}`, given);
      const { outcome, requests } = await history.run(41);
      expect([outcome, requests.length < 20]).toEqual(['skipped', true]);
    }
    history.set(41, 'f63', { lines: { 'src/a.ts': 'a2' } });
    expect(await history.run(41)).toMatchObject({
      outcome: 'started',
      sent: ['f63'],
      warnings: [],
    });
    const isTold = given.first.outcome === 'started';
    expect(history.prompt().includes(ALL)).toBe(isTold);
    expect(history.prompt().includes('https://github.com/acme/docs/pull/1')).toBe(isTold);
  });

  test.concurrent.each(['resume', 'create'])(
    'a run that asked sends nothing under `rerun: %s` if a newer one has sent the same since',
    async (rerun) => {
      let isForbidden = true;
      const fail = (path: string) =>
        isForbidden && /check-runs/.test(path) ? { status: 403 } : undefined;
      await using history = await begin({ github: { fail }, inputs: { rerun } });
      history.set(41, 'f1');
      expect((await history.run(41)).sent).toEqual(['f1']);
      history.fates.set('job_1', 'completed');
      history.set(41, 'f2', { lines: { 'src/a.ts': 'a2' } });
      const stopped = await history.run();
      expect(recordsOf(stopped.result)).toEqual([expect.stringContaining('job=asked ')]);
      // The next push adds the permission, as the error says.
      isForbidden = false;
      history.set(41, 'f3', { lines: { 'src/a.ts': 'a2' } });
      expect((await history.run()).sent).toEqual(['f3']);
      history.fates.set('job_2', 'completed');
      expect(await history.press(stopped.run)).toMatchObject(SENT_AS_IT_IS);
      // An older run does not keep it from sending, and neither does an agent job that failed.
      history.fates.set('job_2', 'failed');
      expect((await history.press(stopped.run)).sent).toEqual(['f3']);
    },
  );

  test.concurrent('a skipped run does not count as a call, whose time is from another clock', async () => {
    await using history = await beginSent();
    const { clock } = history.workflow;
    clock.pass(600_000);
    expect(await history.run()).toMatchObject(SENT_AS_IT_IS);
    // This runner's clock is behind.
    clock.pass(-180_000);
    history.set(41, 'f2', { lines: { 'src/a.ts': 'a2' } });
    expect((await history.run()).sent).toEqual(['f2']);
    history.fates.set('job_2', 'completed');
    expect(await history.run()).toMatchObject(SENT_AS_IT_IS);
  });

  test.concurrent('and passes over those of a push to its branch', async () => {
    await using history = await begin();
    for (let n = 1; n <= 70; n += 1) {
      const run = history.workflow.begin('c1', 'push', 'patch-1');
      run.jobOf('docs');
      run.complete();
    }
    history.set(41, 'f1');
    const withoutKey = { inputs: { adminApiKey: 'mint_dsc_wrong' } };
    expect((await history.run(41, withoutKey)).outcome).toBe('error');
    const { sent, requests } = await history.run(41);
    expect([sent, requests.length < 20]).toEqual([['f1'], true]);
  });

  test.concurrent('and passes over those in which nothing happened since the newest call', async () => {
    await using history = await begin();
    for (let n = 1; n <= 9; n += 1) {
      history.set(41, `f${n}`, { lines: { 'src/a.ts': `${n}` } });
      const { sent, requests } = await history.run(41);
      expect(sent).toEqual([`f${n}`]);
      expect(requests.length).toBeLessThanOrEqual(15);
      history.fates.set(`job_${n}`, 'completed');
      history.workflow.clock.pass(9 * 60_000);
    }
  });

  test.concurrent('a run by hand, of another step or with a start of its own counts for nothing', async () => {
    await using history = await beginSent();
    const event = history.eventOf(41, 'c9');
    const named = await history.run(41, { event, inputs: { since: 'c8' } });
    expect(recordsOf(named.result)[0]).toMatch(/ from=\w+ to=\w+/);
    history.fates.set('job_2', 'failed');
    const auto = await history.run(41, { inputs: { since: 'auto' } });
    expect(auto.sent).toEqual(['f1']);
    expect(recordsOf(auto.result)[0]).not.toMatch(/ (own|begin|from|to)=/);
    history.fates.set('job_3', 'failed');
    expect(await history.run()).toMatchObject(SENT_AS_IT_IS);
    expect((await history.run(41, { step: 'other' })).sent).toEqual(['f1']);
  });
});

test.concurrent('two pull requests of one branch name have nothing in common', async () => {
  await using history = await beginSent();
  history.set(41, 'f1', { isMerged: true });
  history.set(52, 'f1');
  expect((await history.run(52)).sent).toEqual(['f1']);
  expect(history.prompt()).not.toContain(ALL);
  history.fates.set('job_2', 'completed');
  expect(await history.run(52)).toMatchObject(SENT_AS_IT_IS);
  expect(await history.run(41)).toMatchObject(SENT_AS_IT_IS);
});

test.concurrent('the pull request of a fork finds the runs of that fork', async () => {
  await using history = await begin();
  const { runs } = history.workflow;
  const fork = { head_repository: { full_name: 'octocat/app' } };
  const ofFork = () => {
    for (const [index, run] of runs.entries()) runs[index] = { ...run, ...fork };
  };
  const begun = async () => {
    const run = history.begin();
    ofFork();
    history.set(41, 'f1');
    const ended = await history.step(run, { event: history.eventOf(41, 'f1') });
    run.complete();
    return ended;
  };
  expect((await begun()).sent).toEqual(['f1']);
  history.fates.set('job_1', 'completed');
  expect(await begun()).toMatchObject(SENT_AS_IT_IS);
});

describe.concurrent('without `pull-requests: read`', () => {
  const fail = (path: string) => (path.includes('/app/pulls') ? { status: 403 } : undefined);
  // c1 is the base of the branch.
  const commits = [
    { sha: 'c1', parents: [] },
    { sha: 'c9', parents: ['c1'], message: 'of others', files: [{ filename: 'src/others.ts' }] },
    {
      ...{ sha: 'f1', parents: ['c1'], message: 'f1' },
      files: [{ filename: 'src/a.ts', status: 'added', sha: 'f1', patch: '@@ -0,0 +1 @@\n+a' }],
    },
  ];

  test.concurrent('an open one is compared with its base branch, and is as good as listed', async () => {
    let isForbidden = false;
    const github = { commits, fail: (path: string) => (isForbidden ? fail(path) : undefined) };
    await using history = await beginSent('completed', { github });
    isForbidden = true;
    const again = await history.run();
    expect(again).toMatchObject({ outcome: 'skipped', sent: undefined });
    expect(again.result.stdout).toContain('`pull-requests: read` gives the exact list');
    history.fates.set('job_1', 'failed');
    expect((await history.run()).sent).toEqual(['f1']);
    expect(history.prompt()).not.toContain('others');
  });

  test.concurrent('a merged one stops, and a later run has all of it', async () => {
    let isForbidden = true;
    const github = { commits, fail: (path: string) => (isForbidden ? fail(path) : undefined) };
    await using history = await begin({ github });
    history.set(41, 'f1', { isMerged: true });
    const stopped = await history.run(41, { event: history.eventOf(41, 'f1', { merged: true }) });
    expect(stopped).toMatchObject({ outcome: 'error', sent: undefined });
    expect(annotations(stopped.result).at(-1)).toContain('`pull-requests: read`');
    expect(recordsOf(stopped.result)).toEqual([
      expect.stringMatching(/^v=1 job=todo key=\w+ end$/),
    ]);
    isForbidden = false;
    expect((await history.run(41)).sent).toEqual(['f1']);
  });
});

describe.concurrent('a look back that cannot know', () => {
  test.concurrent.each(['resume', 'create'])(
    'for good, like a masked record, asks, and under `rerun: %s` a press sends to a new agent job',
    async (rerun) => {
      await using history = await beginSent();
      history.first.run.rewrite('docs', (text) => text.slice(0, 40));
      history.set(41, 'f2', { lines: { 'src/a.ts': 'a2' } });
      const inputs = { rerun, pullRequest: 'append', wait: 'true', timeout: '40s' };
      const stopped = await history.run(41, { inputs });
      expect(stopped).toMatchObject({ outcome: 'error', sent: undefined });
      expect(annotations(stopped.result).at(-1)).toContain(
        'To send the pull request to a new agent job, whatever earlier runs did, press "Re-run failed jobs".',
      );
      expect(recordsOf(stopped.result)).toEqual([expect.stringContaining('job=asked ')]);
      expect((await history.press(stopped.run, { inputs })).sent).toEqual(['f2']);
      expect(history.agent.jobIds).toEqual(['job_1', 'job_2']);
    },
  );

  test.concurrent('what became of an agent job, asks', async () => {
    await using history = await beginSent('hidden');
    const stopped = await history.run();
    expect(stopped).toMatchObject({ outcome: 'error', sent: undefined });
    expect(annotations(stopped.result).at(-1)).toContain(
      'agent job `job_1` of an earlier run could not be read',
    );
    expect(recordsOf(stopped.result)).toEqual([expect.stringContaining('job=asked ')]);
    expect((await history.press(stopped.run)).sent).toEqual(['f1']);
    history.fates.set('job_2', 'completed');
    expect(await history.run()).toMatchObject(SENT_AS_IT_IS);
  });

  test.concurrent('without the permission asks, and a press sends, because it has no other either', async () => {
    let isForbidden = false;
    const fail = (path: string) =>
      isForbidden && /check-runs/.test(path) ? { status: 403 } : undefined;
    await using history = await beginSent('completed', { github: { fail } });
    isForbidden = true;
    const stopped = await history.run();
    expect(stopped).toMatchObject({ outcome: 'error', sent: undefined });
    expect(annotations(stopped.result).at(-1)).toContain('`checks: read`');
    expect((await history.press(stopped.run)).sent).toEqual(['f1']);
  });

  test.concurrent.each([
    { promise: 'GitHub fails', status: 500 },
    { promise: 'the token is not valid', status: 401 },
  ])('for a while, because $promise, leaves all to the next run or a press', async ({ status }) => {
    let isDown = false;
    const fail = (path: string) => (isDown && /actions/.test(path) ? { status } : undefined);
    await using history = await beginSent('completed', { github: { fail } });
    isDown = true;
    history.set(41, 'f2', { lines: { 'src/a.ts': 'a2' } });
    const stopped = await history.run();
    expect(stopped).toMatchObject({ outcome: 'error', sent: undefined });
    expect(recordsOf(stopped.result)).toEqual([expect.stringContaining('job=todo ')]);
    isDown = false;
    expect((await history.press(stopped.run)).sent).toEqual(['f2']);
  });
});

describe.concurrent('with `pullRequest: append`', () => {
  const docs = (state: 'open' | 'closed', head: string) => ({
    ...{ state, head: { sha: head, ref: 'docs' }, merged_at: null, closed_at: null },
  });

  test.concurrent('the last agent job is the one that was called last, also if a re-run of an older run did', async () => {
    const pullStates: Record<string, ReturnType<typeof docs>> = {};
    await using history = await begin({
      github: { pullStates },
      inputs: { wait: 'true', pullRequest: 'append', timeout: '40s' },
    });
    const { fates, links, workflow } = history;
    history.set(41, 'f1');
    const first = await history.run(41);
    fates.set('job_1', 'failed');
    history.set(41, 'f2', { lines: { 'src/a.ts': 'a2' } });
    expect((await history.run(41)).sent).toEqual(['f2']);
    fates.set('job_2', 'failed');
    expect((await history.press(first.run)).sent).toEqual(['f2']);
    pullStates['acme/docs#3'] = docs('open', 'e1');
    fates.set('job_3', 'completed');
    links.set('job_3', 'https://github.com/acme/docs/pull/3');
    workflow.clock.pass(60_000);
    history.set(41, 'f3', { lines: { 'src/a.ts': 'a3' } });
    expect((await history.run(41)).sent).toEqual(['f3']);
    expect(history.agent.postsTo(/job_3\/message$/)).toHaveLength(1);
    expect(history.agent.jobIds).toEqual(['job_1', 'job_2', 'job_3']);
  });

  test.concurrent('each pull request keeps one docs pull request, whose agent hears what was taken back', async () => {
    const pullStates: Record<string, ReturnType<typeof docs>> = {};
    await using history = await begin({
      github: { pullStates },
      inputs: { wait: 'true', pullRequest: 'append' },
      service: {
        schedule: [
          { afterMs: 0, status: 'active' },
          {
            ...{ afterReads: 1, status: 'completed' },
            prLink: (id) => `https://github.com/acme/docs/pull/${id.replace('job_', '')}`,
          },
        ],
      },
    });
    pullStates['acme/docs#1'] = docs('open', 'e1');
    pullStates['acme/docs#2'] = docs('open', 'e1');
    history.set(41, 'f1', { lines: { 'src/a.ts': 'a', 'src/b.ts': 'b' } });
    expect((await history.run(41)).outcome).toBe('pull-request');
    history.set(41, 'f2');
    const second = await history.run(41);
    expect(second).toMatchObject({ outcome: 'no-changes', sent: ['f2'] });
    expect(history.agent.postsTo(/job_1\/message$/)).toHaveLength(1);
    expect(history.prompt()).toContain(`open no other.\n${ALL} Correct or remove there what they`);
    expect(history.prompt()).not.toContain('They follow');
    expect(await history.run(41)).toMatchObject(SENT_AS_IT_IS);
    // The branch name comes back.
    history.set(52, 'f1');
    expect((await history.run(52)).sent).toEqual(['f1']);
    expect(history.agent.jobIds).toEqual(['job_1', 'job_2']);
    // An old run is run again while the newest call is another one's.
    history.set(41, 'f3', { lines: { 'src/a.ts': 'a3' } });
    expect((await history.run(41)).sent).toEqual(['f3']);
    expect(history.agent.postsTo(/job_1\/message$/)).toHaveLength(2);
  });
});

test.concurrent('a dry run says what would be sent, waits for nothing and leaves no record', async () => {
  await using history = await beginSent();
  const dry = { inputs: { dryRun: 'true' } };
  expect((await history.run(41, dry)).outcome).toBe('skipped');
  history.set(41, 'f2', { lines: { 'src/a.ts': 'a2' } });
  history.begin().jobOf('docs');
  const shown = await history.run(41, dry);
  expect(shown).toMatchObject({ outcome: 'dry-run', sent: undefined });
  expect(shown.warnings).toEqual([expect.stringContaining('is in progress')]);
  expect(recordsOf(shown.result)).toEqual([]);
});

test.concurrent('a pull request that GitHub never compares is left behind by its label, as the error says', async () => {
  const fail = (path: string) =>
    /\/pulls\/41\/files|\/compare\//.test(path) ? { status: 500 } : undefined;
  await using pull = await begin({ github: { fail } });
  pull.set(41, 'f1');
  const { run, result, outcome } = await pull.run(41);
  expect(outcome).toBe('error');
  expect(annotations(result).at(-1)).toContain(
    '. To leave its changes behind instead, add the label `skip-docs` to the pull request first.',
  );
  pull.set(41, 'f1', { labels: ['skip-docs'] });
  expect(await pull.press(run)).toMatchObject({ outcome: 'skipped', sent: undefined });
});

// https://github.com/cli/cli/issues/9228
test.concurrent('a workflow that a ruleset brings from another repository says what works without its runs', async () => {
  const fail = (path: string) =>
    /\/actions\/workflows\/7\/runs/.test(path) ? { status: 404 } : undefined;
  await using pull = await begin({ github: { fail } });
  pull.set(41, 'f1');
  const { run, result } = await pull.run(41);
  expect(annotations(result).at(-1)).toContain(
    'from another repository. Set `since: auto` in that workflow. To send the pull request to a new agent job, whatever earlier runs did, press "Re-run failed jobs".',
  );
  expect((await pull.press(run)).sent).toEqual(['f1']);
  expect((await pull.run(41, { inputs: { since: 'auto' } })).sent).toEqual(['f1']);
});
