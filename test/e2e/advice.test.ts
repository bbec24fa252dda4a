/**
 * What each ending says about "Re-run failed jobs", held against what the re-run then does. Both run
 * as processes of the built action.
 */
import { describe, expect, test } from 'vitest';
import { type ActionResult, annotations } from '../support/action.ts';
import {
  AgentService,
  type Exchange,
  PR_LINK,
  reply,
  type ServiceOptions,
} from '../support/agent-service.ts';
import { type FakePullState, GitHubService, line } from '../support/github-service.ts';
import { noSignals } from '../support/system.ts';
import { type StepOptions, Workflow } from '../support/workflow-run.ts';

/** What the closing annotation says that a press does. */
function adviceIn(result: ActionResult): string {
  const text = annotations(result).at(-1) ?? '';
  if (text.includes('press "Re-run failed jobs" twice')) return 'asks';
  if (/"Re-run failed jobs" follows that agent job if/.test(text)) return 'follows';
  if (/"Re-run failed jobs"\. The new attempt follows this agent job/.test(text)) return 'follows';
  if (/"Re-run failed jobs"(?:, which creates a new one| sends this prompt again)/.test(text)) {
    return 'sends';
  }
  return text.includes('Re-run failed jobs') ? 'something else' : 'nothing';
}

const ACTIVE: ServiceOptions = { schedule: [{ status: 'active' }] };
const ended = (status: string): ServiceOptions => ({ schedule: [{ status, prLink: null }] });
const isPost = ({ request }: Exchange) => request.method === 'POST';
const SHORT = { timeout: '2s', pollInterval: '1s' };
const MESSAGE = { jobId: 'job_1', timeout: '31s', pollInterval: '10m' };

interface Row {
  readonly ending: string;
  readonly service: ServiceOptions;
  readonly inputs?: StepOptions['inputs'];
  /** The step is cancelled when it has logged this. */
  readonly cancelAt?: RegExp;
  readonly advice: 'follows' | 'sends' | 'asks' | 'nothing';
  /** What the re-run does: the requests that it sends first, and what it is called. */
  readonly does: 'follows' | 'sends' | 'asks';
}

const ROWS: readonly Row[] = [
  { ending: 'timed out', service: ACTIVE, inputs: SHORT, advice: 'follows', does: 'follows' },
  {
    ending: 'cancelled while waiting',
    service: ACTIVE,
    inputs: { pollInterval: '10m' },
    cancelAt: /Waiting for agent job/,
    advice: 'follows',
    does: 'follows',
  },
  {
    ending: 'cancelled while the create call waits for its response',
    service: { intercept: isPost },
    cancelAt: /Creating an agent job/,
    advice: 'asks',
    does: 'asks',
  },
  { ending: 'failed', service: ended('failed'), advice: 'sends', does: 'sends' },
  {
    ending: 'refused',
    service: {
      intercept: ({ request, response, earlier }) =>
        request.method === 'POST' && earlier === 0 && reply(response, 402, { error: 'no' }),
    },
    advice: 'nothing',
    does: 'sends',
  },
  {
    ending: 'lost after the create call',
    service: {
      intercept: (exchange) =>
        isPost(exchange) && exchange.earlier === 0 && reply(exchange.response, 502, 'Bad gateway'),
    },
    advice: 'asks',
    does: 'asks',
  },
  {
    ending: 'lost with the id of a real agent job',
    service: {
      ...ACTIVE,
      intercept: (exchange) =>
        isPost(exchange) &&
        exchange.earlier === 0 &&
        reply(exchange.response, 502, { id: 'job_1' }),
    },
    advice: 'follows',
    does: 'follows',
  },
  {
    ending: 'refused when the agent job is read',
    service: {
      ...ACTIVE,
      intercept: ({ request, response }) =>
        request.method === 'GET' && reply(response, 401, { error: 'no' }),
    },
    advice: 'follows',
    does: 'follows',
  },
  {
    ending: 'timed out after a typed message',
    service: ACTIVE,
    inputs: { ...MESSAGE, timeout: '31s', pollInterval: '10s', wait: 'false' },
    advice: 'nothing',
    does: 'follows',
  },
  {
    ending: 'lost after a typed message',
    service: {
      ...ACTIVE,
      intercept: (exchange) =>
        isPost(exchange) && exchange.earlier === 0 && reply(exchange.response, 502, 'Bad gateway'),
    },
    inputs: MESSAGE,
    advice: 'asks',
    does: 'asks',
  },
  {
    ending: 'missed: the pull request was merged while the agent was at work',
    service: {
      schedule: [{ status: 'active' }, { afterReads: 2, status: 'completed', prLink: PR_LINK }],
    },
    inputs: { pullRequest: 'append', pollInterval: '1s' },
    advice: 'sends',
    does: 'sends',
  },
];

describe.concurrent('the advice of a run that', () => {
  test.concurrent.each(ROWS)('$ending is "$advice", and the re-run $does', async (row) => {
    const { service, inputs, cancelAt, advice, does } = row;
    if (cancelAt !== undefined && noSignals !== undefined) return;
    const pulls: Record<string, FakePullState> = {};
    const workflow = new Workflow();
    await using agent = await AgentService.start({
      ...service,
      intercept: (exchange) => {
        if (exchange.request.path.endsWith('/message')) set(pulls, 'closed');
        return service.intercept?.(exchange) ?? false;
      },
    });
    const { runs, jobs, annotations: kept } = workflow;
    const commits = line(3);
    const known = { commits, runs, jobs, annotations: kept, pullStates: pulls };
    await using github = await GitHubService.start(known);
    workflow.apiUrl = github.url;
    const given = { prompt: 'x', baseUrl: agent.url, ...inputs };
    if ('jobId' in given || row.ending.includes('real agent job')) agent.addJob();
    if (inputs?.['pullRequest'] === 'append') {
      // An earlier run opened the pull request.
      const earlier = workflow.begin('c2');
      set(pulls, 'open');
      await earlier.run({ inputs: { ...given, pullRequest: 'new' } });
      earlier.complete();
    }
    const run = workflow.begin('c3');
    const action = run.start({ inputs: given });
    if (cancelAt !== undefined) {
      await action.logged(cancelAt);
      action.child.kill('SIGINT');
    }
    const first = await run.end(action);
    expect(adviceIn(first)).toBe(advice);
    run.next();
    const posts = agent.postsTo(/./).length;
    const again = await run.end(run.start({ inputs: { ...given, wait: 'false' } }));
    const isSent = agent.postsTo(/./).length > posts;
    const isFollowed = again.stdout.includes('Following agent job');
    const isAsked = again.stdout.includes('that sends the prompt');
    expect({ isSent, isFollowed, isAsked }).toEqual({
      isSent: does === 'sends',
      isFollowed: does === 'follows',
      isAsked: does === 'asks',
    });
  });
});

function set(pulls: Record<string, FakePullState>, state: string): void {
  pulls['acme/docs#123'] = { state, merged: false, head: { sha: 'e1' } };
}
