/** Reads GitHub's list of this workflow's runs on its branch. */

import { isNotFound } from '../github/errors.ts';
import type { GitHub, WorkflowRun, WorkflowRunsPage } from '../github/github.ts';
import { quote } from '../text/escape.ts';
import type { PausingClock, Step } from './annotations.ts';
import { WorkflowElsewhere } from './history-not-known.ts';

/** The other runs of this workflow on this branch in the same repository. */
export interface RunList {
  /** The list includes this run, so it isn't outdated. */
  readonly hasThisRun: boolean;
  /** Nearest first. */
  readonly newer: readonly WorkflowRun[];
  /** Returns the newest older run that it hasn't returned yet. Reads another page if necessary. */
  nextOlder(): Promise<WorkflowRun | undefined>;
  /** After the last older run: whether GitHub has more runs than it lists. */
  isCut(): boolean;
}

type Api = Pick<GitHub, 'run' | 'runs'>;

/** GitHub ends a list filtered by branch at 1,000 runs. Read at most as many of any other list. */
const MAX_PAGES = 10;
/** Enough older runs to notice a list that is out of order. */
const ENOUGH_OLDER = 50;
/** How long to request a list without this run again, in ms. */
const MISSING_MS = 2 * 60_000;
const MISSING_SHARE = 1 / 3;
const FIRST_PAUSE_MS = 5_000;
const MAX_PAUSE_MS = 30_000;

/**
 * Lists the other runs. GitHub serves a branch's list from an index that can be minutes or days
 * old, so a list counts only if it includes this run. Otherwise, requests it again for at most a
 * third of `timeoutMs`, and then without the branch. Throws `WorkflowElsewhere` when there is no
 * list, and a `GitHubError` when GitHub fails.
 * https://github.com/octokit/octokit.js/issues/2214
 * https://github.com/nrwl/nx-set-shas/issues/219
 */
export async function listRuns(
  github: Api,
  step: Step,
  timeoutMs: number,
  time: PausingClock,
): Promise<RunList> {
  const current = await github.run(step.runId);
  const { workflow_id: workflow, head_branch: branch } = current;
  // A tag or a deleted branch has no list. Without a branch, GitHub would list the runs of all
  // branches.
  if (!branch) return NO_RUNS;
  const isOwn = ({ head_repository: repository }: WorkflowRun) =>
    // A fork may have a branch with this name, and the runs of its pull request are the fork's.
    repository?.full_name === current.head_repository?.full_name;
  // GitHub showed the run itself to this token, so a 404 has nothing to do with permissions.
  async function* pagesOf(onBranch: string | undefined) {
    try {
      yield* github.runs(workflow, onBranch);
    } catch (error) {
      throw isNotFound(error) ? new WorkflowElsewhere(notListed(step.repository)) : error;
    }
  }
  const endsAt = time.now() + Math.min(MISSING_MS, timeoutMs * MISSING_SHARE);
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, MAX_PAUSE_MS)) {
    const list = await readList(pagesOf(branch), current, isOwn);
    if (list.hasThisRun) return list;
    const leftMs = endsAt - time.now();
    if (leftMs <= 0) break;
    await time.pause(Math.min(pauseMs, leftMs));
  }
  const isOfBranch = (run: WorkflowRun) => run.head_branch === branch && isOwn(run);
  return readList(pagesOf(undefined), current, isOfBranch);
}

/** https://github.com/cli/cli/issues/9228 */
const notListed = (repository = '') =>
  `GitHub lists no runs of this workflow in ${quote(repository)} (HTTP 404), as for a workflow that a ruleset brings from another repository`;

const NO_RUNS: RunList = {
  hasThisRun: true,
  newer: [],
  nextOlder: async () => undefined,
  isCut: () => false,
};

/**
 * Reads a list until it has this run and enough older ones, or completely if it is out of order.
 */
async function readList(
  pages: AsyncIterable<WorkflowRunsPage>,
  current: WorkflowRun,
  isWanted: (run: WorkflowRun) => boolean,
): Promise<RunList> {
  const iterator = pages[Symbol.asyncIterator]();
  // Index runs by ID, because a run that starts meanwhile moves others to the next page.
  const runs = new Map<number, WorkflowRun>();
  const returned = new Set<WorkflowRun>();
  let [pagesRead, listed, total, lowest] = [0, 0, 0, Number.POSITIVE_INFINITY];
  let [isOver, isInOrder] = [false, true];

  async function readPage(): Promise<void> {
    const page = pagesRead < MAX_PAGES ? await iterator.next() : undefined;
    if (page === undefined || page.done) {
      isOver = true;
      return;
    }
    pagesRead += 1;
    listed += page.value.runs.length;
    total = page.value.total;
    for (const run of page.value.runs) {
      if (runs.has(run.id)) continue;
      isInOrder &&= run.run_number < lowest;
      lowest = Math.min(lowest, run.run_number);
      runs.set(run.id, run);
    }
  }

  async function readUntil(isEnough: () => boolean): Promise<void> {
    while (!isOver && !(isInOrder && isEnough())) await readPage();
  }

  const wanted = () => [...runs.values()].filter(isWanted);
  const olderLeft = () =>
    wanted()
      .filter((run) => run.run_number < current.run_number && !returned.has(run))
      .sort((a, b) => b.run_number - a.run_number);

  await readUntil(() => lowest <= current.run_number);
  const hasThisRun = runs.has(current.id);
  if (hasThisRun) await readUntil(() => olderLeft().length >= ENOUGH_OLDER);
  return {
    hasThisRun,
    newer: wanted()
      .filter((run) => run.run_number > current.run_number)
      .sort((a, b) => a.run_number - b.run_number),
    async nextOlder() {
      await readUntil(() => olderLeft().length > 0);
      const [next] = olderLeft();
      if (next !== undefined) returned.add(next);
      return next;
    },
    isCut: () => total > listed,
  };
}
