/**
 * Random histories of a pull request under `last-success`: people push, take in main, take back, put a
 * label on and off, and run old runs again, while agent jobs fail, responses are lost, GitHub is down and
 * runners are lost. The judge knows only the calls, and what became of them.
 */
import { expect, test } from 'vitest';
import { recordsOf } from '../../support/action.ts';
import { type Exchange, reply } from '../../support/agent-service.ts';
import { dose } from '../../support/dose.ts';
import type { FakePull } from '../../support/github-service.ts';
import { Choices } from '../../support/histories/choices.ts';
import { LAST_SUCCESS, startHistory, type WorkflowRun } from '../../support/workflow-run.ts';

const FILES = ['src/a.ts', 'src/b.ts', 'ci/c.yml'] as const;
const PUSHES = ['edit', 'edit', 'take in main', 'undo', 'undo all', 'label'] as const;
const COURSES = ['good', 'good', 'good', 'bad key', 'doubt', 'GitHub down', 'lost runner'] as const;

interface Call {
  /** What of the pull request it told. */
  readonly text: string;
  readonly run: WorkflowRun;
  readonly isDoubt: boolean;
  /** Later runs can know of it. */
  readonly isRecorded: boolean;
  /** A person was asked before it. */
  readonly isAsked: boolean;
  fate: 'active' | 'completed' | 'failed';
}

interface Attempted {
  readonly run: WorkflowRun;
  isRed: boolean;
  isAsking: boolean;
}

async function playHistory(seed: number): Promise<readonly string[]> {
  const choices = new Choices(seed);
  const story: string[] = [];
  const broken: string[] = [];
  const pulls: Record<number, FakePull> = {};
  let course: (typeof COURSES)[number] = 'good';
  const fail = (path: string) =>
    course === 'GitHub down' && path.includes('actions') ? { status: 500 } : undefined;
  const intercept = ({ request, response }: Exchange) =>
    course === 'doubt' && request.method === 'POST' && reply(response, 502, {});
  await using history = await startHistory({
    github: { pulls, fail },
    service: { intercept },
    inputs: { ...LAST_SUCCESS, paths: 'src/**' },
  });
  const lines = new Map<string, number>();
  const calls: Call[] = [];
  const runs: Attempted[] = [];
  let isLabelled = false;
  let edits = 0;
  const textNow = () =>
    JSON.stringify([...lines].filter(([file]) => file.startsWith('src')).sort());
  const EMPTY = '[]';

  function push(what: (typeof PUSHES)[number]): void {
    const file = choices.of(FILES);
    edits += 1;
    if (what === 'edit') lines.set(file, edits);
    if (what === 'undo') lines.delete(file);
    if (what === 'undo all') lines.clear();
    if (what === 'label') isLabelled = !isLabelled;
    const head = `f${edits}`;
    pulls[41] = {
      head,
      commits: [{ sha: head, parents: ['c1'], message: head }],
      labels: isLabelled ? ['skip-docs'] : [],
      files: [...lines].map(([filename, line]) => ({
        ...{ filename, status: 'modified', sha: head, additions: 1, deletions: 1 },
        // Main moves the place and the lines around.
        patch: `@@ -${edits} +${edits} @@\n of main ${edits}\n-old\n+own ${line}`,
      })),
    };
    story.push(`${what}: ${isLabelled ? 'labelled ' : ''}${textNow()}`);
  }

  async function attempt(attempted: Attempted, isPress: boolean): Promise<void> {
    const { run } = attempted;
    const { isAsking: wasAsking } = attempted;
    history.workflow.clock.pass(5 * 60_000);
    if (isPress) run.next();
    const [before, doubtsBefore] = [history.agent.jobIds.length, history.agent.requests.length];
    const inputs = course === 'bad key' ? { adminApiKey: 'mint_wrong_0123456789' } : {};
    const base = { ref: 'main' };
    const event = { pull_request: { number: 41, base, head: { sha: 'of the event' } } };
    const night = await history.step(run, { event, inputs });
    run.complete();
    if (course === 'lost runner') run.forget('docs');
    attempted.isRed = night.result.exitCode !== 0 || course === 'lost runner';
    const asks = recordsOf(night.result).some((line) => line.includes('job=asked '));
    const isSent = history.agent.jobIds.length > before;
    const posts = history.agent.requests
      .slice(doubtsBefore)
      .filter(({ method }) => method === 'POST');
    const isDoubt = course === 'doubt' && posts.length > 0;
    story.push(
      `${isPress ? 'press of ' : ''}run ${run.id}, ${course}: ${night.outcome} ${isSent ? 'sent' : ''}`,
    );
    // An attempt that sent nothing, or left nothing, does not answer for its person.
    if (asks && course !== 'lost runner') attempted.isAsking = true;
    else if ((isSent || isDoubt) && course !== 'lost runner') attempted.isAsking = false;
    if (!isSent && !isDoubt) return;
    if (isLabelled) broken.push('sends a pull request that its label leaves out');
    const text = textNow();
    const last = calls.filter(({ isRecorded }) => isRecorded).at(-1);
    const isSame = last?.text === text && last.fate !== 'failed' && !last.isDoubt;
    if (isSame && !wasAsking) broken.push('sends again what is with an agent job');
    if (text === EMPTY && last === undefined && !wasAsking) broken.push('sends nothing');
    const prompt = String(JSON.parse(posts.at(-1)?.body ?? '{}').prompt);
    if (prompt.includes('What you documented') !== (last !== undefined || wasAsking)) {
      broken.push('says or does not say what was taken back');
    }
    const isRecorded = course !== 'lost runner';
    calls.push({ text, run, isDoubt, isRecorded, isAsked: wasAsking, fate: 'active' });
    if (!isDoubt) jobs.push(calls.length - 1);
  }
  /** The calls of the agent jobs, in their order. */
  const jobs: number[] = [];
  function settle(fate: 'completed' | 'failed', job: number): void {
    const call = calls[jobs[job] ?? -1];
    if (call === undefined || call.fate !== 'active') return;
    call.fate = fate;
    history.fates.set(`job_${job + 1}`, fate);
    story.push(`job_${job + 1} has ${fate}`);
  }

  push('edit');
  for (let event = 0; event < 9; event += 1) {
    course = choices.of(COURSES);
    const old = runs[choices.below(runs.length + 2)];
    if (old !== undefined) await attempt(old, true);
    else {
      push(choices.of(PUSHES));
      const run = history.workflow.begin('m', 'pull_request', 'topic');
      runs.push({ run, isRed: false, isAsking: false });
      await attempt(runs.at(-1) as Attempted, false);
    }
    for (let job = 0; job < jobs.length; job += 1) {
      if (!choices.oneIn(3)) settle(choices.oneIn(3) ? 'failed' : 'completed', job);
    }
  }
  // From now on everything goes well.
  course = 'good';
  for (let job = 0; job < jobs.length; job += 1) settle('completed', job);
  if (isLabelled) push('label');
  push('take in main');
  const final = {
    run: history.workflow.begin('m', 'pull_request', 'topic'),
    isRed: false,
    isAsking: false,
  };
  await attempt(final, false);
  for (let press = 0; final.isRed && press < 3; press += 1) await attempt(final, true);
  if (final.isRed) broken.push('stays red');
  const known = calls.filter(({ isRecorded }) => isRecorded).at(-1);
  const isLost = known === undefined ? textNow() !== EMPTY : known.text !== textNow();
  if (isLost || known?.fate === 'failed') broken.push('loses what the pull request changes');
  return broken.length === 0 ? [] : [`seed ${seed}`, ...story, ...broken];
}

test('no history of a pull request loses what it changes, or sends it twice without a cause', {
  timeout: 600_000,
}, async () => {
  const first = Number(process.env['HISTORY_SEED'] ?? 1);
  const count = Number(process.env['HISTORIES'] ?? dose(15, 1_000));
  for (let seed = first; seed < first + count; seed += 1) {
    expect(await playHistory(seed)).toEqual([]);
  }
});
