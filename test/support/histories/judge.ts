/** Judges a history by what the agents got: nothing is lost, and nothing is sent twice. */
import type { History, Prompt } from './world.ts';

/** Why something may be lost or sent twice. The README says each to users. */
export type Excuse =
  | 'wait: false'
  | 'before the first run'
  | 'typed since'
  | 'ledger deleted'
  | 'two messages at once'
  | 'doubt'
  | 'over 2 hours'
  | '404'
  | 'frozen runner'
  | 'merged before anybody saw the end'
  | 'force push'
  | 'released while in doubt';

export interface Judgement {
  /** What breaks a promise. */
  readonly faults: readonly string[];
  readonly excuses: readonly Excuse[];
}

export function judge(history: History): Judgement {
  const faults: string[] = [];
  const excuses = new Set<Excuse>();
  const { choices, finalEnd } = history;
  if (!/^(pull-request|no-changes|archived|started)$/.test(finalEnd))
    faults.push(`the final run ends with "${finalEnd}"`);
  if (history.hasSharedSteps && !choices.twins) faults.push('a ledger seems shared and is not');
  judgeLost(history, faults, excuses);
  judgeTwice(history, faults, excuses);
  return { faults, excuses: [...excuses] };
}

/** The prompts whose work reached somebody. */
const effective = ({ prompts }: History): readonly Prompt[] =>
  prompts.filter(({ result, endsAt, isMessage, job }) => {
    const isOpenAtEnd = !isMessage || (job.pull !== undefined && job.pull.mergedAt > endsAt);
    return result !== 'failed' && endsAt < Number.POSITIVE_INFINITY && isOpenAtEnd;
  });

const rangeOfAll = (prompts: readonly Prompt[]) =>
  prompts.reduce((mask, { range }) => mask | range, 0);

/** The merge of the docs pull request came after the agent was done, and before a run saw it. */
const isMergedUnseen = ({ isMessage, job, endsAt }: Prompt) =>
  isMessage && job.pull !== undefined && job.pull.mergedAt < endsAt + 1_000;

function withoutDocs({ isWithoutDocs }: History): number {
  return isWithoutDocs.reduce((mask, without, id) => (without ? mask | (1 << id) : mask), 0);
}

function judgeLost(history: History, faults: string[], excuses: Set<Excuse>): void {
  const { choices, ancestors, fingerprints, versions, tip, prompts, ends } = history;
  const { what } = choices;
  const shared = rangeOfAll(prompts.filter(({ job }) => job.isShared));
  const accepted = rangeOfAll(prompts.filter(({ isAcceptedDone }) => isAcceptedDone));
  const done = effective(history);
  for (const { version, end, at } of ends) {
    if (version === undefined || !end.startsWith('skipped')) continue;
    if (versions[version]?.isWithoutDocs) continue;
    const range = 1 << version;
    if (done.some((prompt) => prompt.range === range && prompt.endsAt <= at)) continue;
    if (accepted & range) excuses.add('wait: false');
    else if (shared & range) excuses.add('two messages at once');
    else if (end.endsWith('in-doubt')) excuses.add('released while in doubt');
    else faults.push(`version ${version} was skipped and never sent`);
  }
  if (what === 'tags' || what === 'prompt') return;
  const owed =
    what === 'pull' ? 1 << (fingerprints[tip] ?? 0) : (ancestors[tip] ?? 0) & ~withoutDocs(history);
  let lost = owed & ~rangeOfAll(done);
  const reasons: readonly (readonly [Excuse, number])[] = [
    ['wait: false', accepted],
    ['before the first run', history.beginning],
    ['typed since', history.typed],
    ['ledger deleted', history.isDeleted ? -1 : 0],
    ['two messages at once', shared],
  ];
  for (const [excuse, mask] of reasons) {
    if (lost & mask) excuses.add(excuse);
    lost &= ~mask;
  }
  if (lost) faults.push(`lost: ${lost.toString(2)}`);
}

function judgeTwice(history: History, faults: string[], excuses: Set<Excuse>): void {
  const done = [...effective(history)].sort((a, b) => a.createdAt - b.createdAt);
  done.forEach((earlier, index) => {
    for (const later of done.slice(index + 1)) {
      const fault =
        history.choices.what === 'prompt'
          ? twicePrompt(history, earlier, later, excuses)
          : twiceChanges(history, earlier, later, excuses);
      if (fault) faults.push(`twice: ${earlier.job.id} and ${later.job.id}`);
    }
  });
}

/** A prompt alone is sent twice if one run does. */
function twicePrompt(
  { prompts, warnings, frozen, isDeleted }: History,
  earlier: Prompt,
  later: Prompt,
  excuses: Set<Excuse>,
): boolean {
  if (earlier.run !== later.run) return false;
  const isWarned = warnings.some(({ at }) => at >= earlier.createdAt && at <= later.createdAt);
  const isLost = prompts.some((one) => one.run === earlier.run && one.recordedAt === undefined);
  if (isWarned && isLost) excuses.add('doubt');
  else if (isMergedUnseen(earlier)) excuses.add('merged before anybody saw the end');
  else if (earlier.job.isShared) excuses.add('two messages at once');
  else if (frozen !== 0) excuses.add('frozen runner');
  else if (isDeleted) excuses.add('ledger deleted');
  else if (earlier.isGoneSeen) excuses.add('404');
  else if (earlier.job.isSlow) excuses.add('over 2 hours');
  else return true;
  return false;
}

function twiceChanges(
  history: History,
  earlier: Prompt,
  later: Prompt,
  excuses: Set<Excuse>,
): boolean {
  const { choices, warnings, frozen, isDeleted, isForced, prompts } = history;
  let both = earlier.range & later.range;
  if (choices.what === 'branch') both &= ~withoutDocs(history);
  if (both === 0) return false;
  if (earlier.isTyped || later.isTyped) {
    excuses.add('typed since');
    return false;
  }
  const isKnown = (earlier.recordedAt ?? Number.POSITIVE_INFINITY) < later.createdAt;
  const warned = warnings
    .filter(({ at }) => at >= earlier.createdAt && at <= later.createdAt)
    .reduce((mask, one) => mask | one.mask, 0);
  const all = (isTrue: boolean) => (isTrue ? -1 : 0);
  const reasons: readonly (readonly [Excuse, number])[] = [
    ['doubt', isKnown ? 0 : warned],
    ['over 2 hours', all(earlier.job.isSlow)],
    ['404', all(earlier.isGoneSeen)],
    ['frozen runner', frozen],
    ['merged before anybody saw the end', rangeOfAll(prompts.filter(isMergedUnseen))],
    ['ledger deleted', all(isDeleted)],
    ['two messages at once', all(earlier.job.isShared || later.job.isShared)],
    ['force push', all(isForced)],
  ];
  for (const [excuse, mask] of reasons) {
    if (both & mask) excuses.add(excuse);
    both &= ~mask;
  }
  return both !== 0;
}
