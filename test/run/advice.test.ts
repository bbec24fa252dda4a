/** What each ending says about "Re-run failed jobs", held against what the re-run then does. */
import { describe, expect, test } from 'vitest';
import { annotations } from '../support/action.ts';
import { adviceIn, inputsNamedIn } from '../support/advice.ts';
import {
  ADMIN_API_KEY,
  first,
  PR_LINK,
  reply,
  type ServiceOptions,
} from '../support/agent-service.ts';
import type { FakeCodePull, FakePullState } from '../support/github-service.ts';
import { cancellation } from '../support/in-process.ts';
import { commitsInLine, type History, type Night, startHistory } from '../support/workflow-run.ts';

/** The first call that creates or sends something gets this response. */
const answers = (status: number, body: unknown): ServiceOptions => ({
  intercept: first('POST', ({ response }) => reply(response, status, body)),
});

interface Row {
  readonly ending: string;
  readonly service?: ServiceOptions;
  readonly inputs?: Readonly<Record<string, string>>;
  /** The step is cancelled while a call waits for its response, or in the wait for the end. */
  readonly cancelled?: 'in a call' | 'in the wait';
  /** Inputs that differ in the re-run. */
  readonly fixed?: Readonly<Record<string, string>>;
  readonly advice: 'follows' | 'sends' | 'asks' | 'nothing' | 'something else';
  /** What the re-run does, if it is not what was advised. */
  readonly does?: 'follows' | 'sends';
}

const ROWS: readonly Row[] = [
  { ending: 'timed out', inputs: { timeout: '20s' }, advice: 'follows' },
  {
    ending: 'timed out under `rerun: create`',
    inputs: { timeout: '20s', rerun: 'create' },
    advice: 'nothing',
    does: 'sends',
  },
  { ending: 'was cancelled while waiting', cancelled: 'in the wait', advice: 'follows' },
  { ending: 'was cancelled in its create call', cancelled: 'in a call', advice: 'asks' },
  {
    ending: 'failed',
    service: { schedule: [{ status: 'failed', prLink: null }] },
    advice: 'sends',
  },
  {
    ending: 'was refused',
    service: answers(402, { error: 'no' }),
    advice: 'sends',
  },
  {
    ending: 'had no key, which is set by now',
    inputs: { adminApiKey: '' },
    fixed: { adminApiKey: ADMIN_API_KEY },
    advice: 'something else',
    does: 'sends',
  },
  {
    ending: 'sent a typed message that was refused',
    service: answers(402, { error: 'no' }),
    inputs: { jobId: 'job_1' },
    advice: 'sends',
  },
  {
    ending: 'lost the response to its create call',
    service: answers(502, 'Bad gateway'),
    advice: 'asks',
  },
  {
    ending: 'lost it with the id of a real agent job',
    service: answers(502, { id: 'job_1' }),
    advice: 'asks',
  },
  {
    ending: 'was refused when the agent job was read',
    service: {
      intercept: ({ request, response }) =>
        request.method === 'GET' && reply(response, 401, { error: 'no' }),
    },
    advice: 'follows',
  },
  {
    ending: 'sent a typed message and did not wait',
    inputs: { jobId: 'job_1', wait: 'false' },
    advice: 'nothing',
    does: 'follows',
  },
  {
    ending: 'lost the response to a typed message',
    service: answers(502, 'Bad gateway'),
    inputs: { jobId: 'job_1' },
    advice: 'asks',
  },
  {
    ending: 'missed what was added, because the pull request was merged meanwhile',
    service: {
      schedule: [{ status: 'active' }, { afterReads: 2, status: 'completed', prLink: PR_LINK }],
    },
    inputs: { pullRequest: 'append' },
    advice: 'sends',
  },
];

describe.concurrent('the advice of a run that', () => {
  test.concurrent.each(ROWS)('$ending is "$advice", and the re-run does so', async (row) => {
    const { service, inputs = {}, fixed, cancelled, advice, does = advice } = row;
    const { cancel, signal } = cancellation();
    const pullStates: Record<string, FakePullState> = {};
    const set = (state: string) => {
      const ended = state === 'open' ? null : new Date(workflow.clock.date()).toISOString();
      const commits = ['e1'];
      pullStates['acme/docs#123'] = { state, closed_at: ended, head: { sha: 'e1' }, commits };
    };
    await using history = await startHistory({
      inputs: { prompt: 'x' },
      service: {
        ...service,
        intercept: (exchange) => {
          const { method, path } = exchange.request;
          if (path.endsWith('/message')) set('closed');
          if (cancelled === 'in a call') cancel();
          const isUnanswered = cancelled === 'in a call' && method === 'POST';
          return isUnanswered || (service?.intercept?.(exchange) ?? false);
        },
      },
      github: { pullStates },
    });
    const { workflow, agent } = history;
    if (inputs['jobId'] !== undefined || row.ending.includes('real agent job')) agent.addJob();
    if (inputs['pullRequest'] === 'append') {
      set('open');
      await history.night('c2', { inputs: { pullRequest: 'new' } });
    }
    if (cancelled === 'in the wait') workflow.clock.after(1, cancel);
    const run = workflow.begin('c3');
    const { result } = await history.step(run, { inputs }, { signal });
    expect(adviceIn(annotations(result).at(-1) ?? '')).toBe(advice);
    const wait = String(inputs['pullRequest'] === 'append');
    const again = await history.again(run, { inputs: { ...inputs, ...fixed, wait } });
    expect({
      sends: again.sent !== undefined,
      follows: again.result.stdout.includes('Following agent job'),
      asks: annotations(again.result).join().includes('that sends the prompt'),
    }).toEqual({ sends: does === 'sends', follows: does === 'follows', asks: does === 'asks' });
  });
});

/**
 * Does what a text says: starts a new run with the inputs that it names, and nothing else. `head`: the
 * newest commit by then; `file`: the inputs in the workflow file; `before`: the commit before the first
 * change to send.
 */
function startAsTold(
  history: History,
  text: string,
  { head, file = {}, before = '' }: Readonly<Told>,
): Promise<Night> {
  const inputs = { dryRun: 'true', ...file, ...inputsNamedIn(text, before) };
  return history.night(head, { inputs }, 'workflow_dispatch');
}

interface Told {
  head: string;
  file?: Readonly<Record<string, string>>;
  before?: string;
}

describe.concurrent('what was skipped is sent by doing what the notice says, if that was', () => {
  const pull = (more: Partial<FakeCodePull>): FakeCodePull => ({
    ...{ number: 7, title: 'A title', commits: ['c5'], ...more },
  });
  test.concurrent.each<{
    promise: string;
    inputs?: Readonly<Record<string, string>>;
    pulls?: FakeCodePull;
    first: string;
    /** The workflow file, and the pull request, once the first thing is done. */
    changed?: Readonly<Record<string, string>>;
    changedPull?: FakeCodePull;
  }>([
    {
      promise: 'because of `paths`',
      inputs: { paths: 'lib/**' },
      first: 'first change `paths`, then',
      changed: { paths: 'src/**' },
    },
    {
      promise: 'because of `skip`',
      inputs: { skip: 'c5' },
      first: 'first change `skip`, then',
      changed: { skip: 'c8' },
    },
    {
      promise: 'because of a label',
      pulls: pull({ labels: ['skip-docs'] }),
      first: 'first remove the label `skip-docs` from the pull request, then',
      changedPull: pull({}),
    },
    {
      promise: 'because of a title',
      pulls: pull({ title: 'A title [skip docs]' }),
      first: 'first remove `[skip docs]` from the title of the pull request, then',
      changedPull: pull({}),
    },
  ])('$promise', async ({ inputs = {}, pulls, first, changed, changedPull }) => {
    const codePulls = pulls === undefined ? [] : [pulls];
    await using history = await startHistory({ github: { codePulls } });
    await history.push(4);
    const skipped = await history.push(5, { inputs });
    expect([skipped.outcome, skipped.sent]).toEqual(['skipped', undefined]);
    const text = annotations(skipped.result).at(-1) ?? '';
    expect(text).toContain(`To send them anyway, ${first} start a new run`);
    if (changedPull !== undefined) codePulls[0] = changedPull;
    const sent = await startAsTold(history, text, {
      head: 'c6',
      file: changed ?? inputs,
      before: 'c4',
    });
    expect(sent.sent).toEqual(['c5', 'c6']);
  });
});

describe.concurrent('after a lost response under `last-success`, doing what the error says', () => {
  const idOf = (n: number) => `${n}`.padStart(40, 'c');
  const github = { commits: commitsInLine([1, 2, 3, 4, 5].map(idOf)), refs: { main: idOf(5) } };
  const push = (history: History, n: number) =>
    history.night(idOf(n), { event: { before: idOf(n - 1) } }, 'push');

  async function begin() {
    const history = await startHistory({ github, service: answers(502, 'Bad gateway') });
    const lost = await push(history, 2);
    expect(lost.outcome).toBe('error');
    return { ...history, lost, text: annotations(lost.result).at(-1) ?? '' };
  }

  test.concurrent.each([
    { promise: 'at once sends nothing', head: 2, sent: undefined },
    { promise: 'after another push sends only later changes', head: 3, sent: [idOf(3)] },
  ])(
    'where the agent job is found, $promise, and later runs start there',
    async ({ head, sent }) => {
      await using history = await begin();
      const done = await startAsTold(history, history.text, { head: idOf(head) });
      expect(done.sent).toEqual(sent);
      history.fates.set('job_1', 'completed');
      const next = await push(history, 4);
      expect(next.sent).toEqual(sent === undefined ? [idOf(3), idOf(4)] : [idOf(4)]);
    },
  );

  test.concurrent('where it is found only after a re-run asked, sends nothing, and later runs start there', async () => {
    await using history = await begin();
    const asked = await history.again(history.lost.run);
    expect(asked.sent).toBeUndefined();
    const text = annotations(asked.result).at(-1) ?? '';
    expect((await startAsTold(history, text, { head: idOf(2) })).sent).toBeUndefined();
    expect((await push(history, 3)).sent).toEqual([idOf(3)]);
  });

  test.concurrent('where there is none, a re-run sends them, the second one at the latest', async () => {
    await using history = await begin();
    expect(adviceIn(history.text)).toBe('asks');
    const asked = await history.again(history.lost.run);
    expect([asked.sent, adviceIn(annotations(asked.result).at(-1) ?? '')]).toEqual([
      undefined,
      'sends',
    ]);
    expect((await history.again(history.lost.run)).sent).toEqual([idOf(2)]);
  });

  test.concurrent.each([{ asks: false }, { asks: true }])(
    'of a run with a typed `since`, where the agent job is found, sends nothing again (asked: $asks)',
    async ({ asks }) => {
      await using history = await startHistory({ github, service: answers(502, 'Bad gateway') });
      const inputs = { since: idOf(1) };
      const lost = await history.night(idOf(3), { inputs }, 'workflow_dispatch');
      const last = asks ? await history.again(lost.run, { inputs }) : lost;
      expect(last.outcome).toBe('error');
      const text = annotations(last.result).at(-1) ?? '';
      expect((await startAsTold(history, text, { head: idOf(3) })).sent).toBeUndefined();
      expect((await push(history, 4)).sent).toEqual([idOf(4)]);
    },
  );

  test.concurrent('where there is none, the next run sends them, and then no re-run asks or sends', async () => {
    await using history = await begin();
    expect(history.text).toContain('or wait for the next run');
    expect((await push(history, 3)).sent).toEqual([idOf(2), idOf(3)]);
    const again = await history.again(history.lost.run);
    expect([again.outcome, again.sent]).toEqual(['skipped', undefined]);
    expect(annotations(again.result).at(-1)).toContain('run #2 of this workflow is newer');
  });
});

describe.concurrent('a stop of the look back is left behind by doing what the error says, if', () => {
  test.concurrent.each<{
    promise: string;
    spoil: (history: History) => void;
    inputs?: Readonly<Record<string, string>>;
    sent: readonly string[] | undefined;
  }>([
    {
      promise: 'an agent job cannot be read',
      spoil: ({ fates }) => fates.set('job_1', 'hidden'),
      sent: ['c3', 'c4', 'c5', 'c6'],
    },
    {
      promise: 'a record is masked',
      spoil: ({ workflow }) => {
        for (const [id, kept] of Object.entries(workflow.annotations)) {
          workflow.annotations[Number(id)] = kept.map((one) => ({
            ...one,
            message: (one.message ?? '').replace(/key=\w{8}/, 'key=***'),
          }));
        }
      },
      sent: ['c3', 'c4', 'c5', 'c6'],
    },
  ])('$promise', async ({ spoil, inputs = {}, sent }) => {
    await using history = await startHistory();
    await history.push(3);
    spoil(history);
    const stopped = await history.push(4, { inputs });
    expect(stopped).toMatchObject({ outcome: 'error', sent: undefined });
    const text = annotations(stopped.result).at(-1) ?? '';
    const night = await startAsTold(history, text, { head: 'c6', file: inputs, before: 'c2' });
    expect(night.sent).toEqual(sent);
    history.fates.set('job_2', 'completed');
    expect((await history.push(7)).sent).toEqual(['c7']);
  });
});
