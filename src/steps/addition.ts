/** What a follow-up message added to the pull request. */
import { findAddition } from '../history/addition.ts';
import { fateOf } from '../model/agent-job.ts';
import { GitHubError } from '../model/errors.ts';
import type { StepRecord } from '../model/record.ts';
import type { Known } from '../report/ending.ts';
import type { RunContext } from './context.ts';

/**
 * After a follow-up message to an agent job whose pull request was open: what the agent added counts
 * once it is certain that it reached the pull request.
 */
export async function seeAddition(
  { earlier, effects }: RunContext,
  ended: Known,
  linkBefore = '',
): Promise<Known> {
  const { record, ending, job, lastActiveMs } = ended;
  const { runner, clock } = effects;
  const added = record?.added;
  const isDone = ending?.kind === 'ended' && fateOf(job) === 'covered';
  if (record === undefined || added === undefined || !isDone) return ended;
  const link = job.prLink === '' ? linkBefore : job.prLink;
  const { pulls } = await earlier();
  const watch = { lastActiveMs, nowMs: clock.date() };
  const found = await findAddition(pulls, link, added, watch).catch((error: unknown) => {
    if (!(error instanceof GitHubError)) throw error;
    return { kind: 'unknown', reason: error.message } as const;
  });
  if (found.kind === 'unknown') {
    const next = ended.isNextRunLooking ? ' The next run looks again.' : '';
    const message = `Whether the pull request has what the agent added is not known: ${found.reason}.${next}`;
    runner.annotate('warning', 'Docs agent: the pull request could not be checked', message);
    return ended;
  }
  const { fate, pull, hasAgentCommit } = found;
  if (fate === 'missed') {
    const missed: StepRecord = { ...record, added: 'missed' };
    const how = pull.kind === 'open' ? undefined : pull.kind;
    const isNews = added !== 'missed';
    return {
      ...ended,
      record: missed,
      isRecordWritten: ended.isRecordWritten && !isNews,
      ending: { kind: 'missed', name: pull.name, how },
    };
  }
  // Others push to it, too, and theirs is not the agent's work.
  const isUnchanged = pull.kind === 'open' && hasAgentCommit === false;
  const end = isUnchanged && ending.end === 'pull-request' ? 'no-changes' : ending.end;
  const known: Known = {
    ...ended,
    // An agent job may come back with another pull request.
    isUpdated: added !== 'missed' && added.number === pull.number,
    job: { ...job, end },
    ending: { kind: 'ended', end },
  };
  if (fate === 'uncertain') return known;
  return { ...known, record: { ...record, added: undefined }, isRecordWritten: false };
}
