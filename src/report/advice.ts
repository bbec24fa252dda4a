/** What the reader does after a run that failed, and what the calls of earlier runs mean for it. */
import type { LedgerWarning } from '../ledger/decide.ts';
import type { Call } from '../ledger/state.ts';
import { quote } from '../text/escape.ts';
import { pullName } from '../text/links.ts';
import type { Known } from './ending.ts';

const RERUN = 're-run the failed jobs';

/** The agent job that the run sent or followed, or that a response named. Empty if there is none. */
export function jobIdOf({ job, inputs, call }: Known): string {
  const called = call.kind === 'not-sent' ? undefined : call.jobId;
  const given = inputs === undefined || inputs.task.kind === 'create' ? '' : inputs.task.jobId;
  return job?.id ?? called ?? given;
}

/** Names the agent job that gets the prompt. */
export function nameOf(known: Known): string {
  const id = jobIdOf(known);
  if (id !== '') return `agent job ${quote(id)}`;
  const { appendedTo } = known;
  return appendedTo ? `the agent job of ${quote(pullName(appendedTo))}` : 'a new agent job';
}

const isMessage = ({ inputs, appendedTo }: Known) =>
  inputs?.task.kind === 'message' || appendedTo !== undefined;

/** The next run starts where the ledger ends, so it sends what this run did not get covered. */
function orNextRun({ ledger, inputs }: Known): string {
  const isSending =
    (ledger?.scope === 'heads' || ledger?.scope === 'pull') &&
    inputs?.sendsChanges === true &&
    inputs.since === '';
  return isSending ? ', or wait for the next run' : '';
}

/** After a run that sent nothing, or whose agent job came to nothing. */
export const howToTryAgain = (known: Known) =>
  known.inputs?.task.kind === 'follow'
    ? 'To try again, start a new run with a prompt and without `jobId`.'
    : `To try again, ${RERUN}${orNextRun(known)}.`;

/** After a run that stopped before its agent job ended. */
export function nextStep(known: Known): string {
  const { call, changes, ledger } = known;
  switch (call.kind) {
    case 'not-sent':
      return howToTryAgain(known);
    case 'accepted': {
      if (call.rerun === 'follows') return `To wait for the agent job, ${RERUN}.`;
      const again = isMessage(known) ? 'sends the message again' : 'creates a second agent job';
      return `To wait for the agent job, start a new run with \`jobId\` set to ${quote(call.jobId)} and without a prompt. A re-run ${again}.`;
    }
    case 'in-doubt': {
      const sent = `${isMessage(known) ? 'the message to ' : ''}${nameOf(known)}`;
      const ifThere =
        ledger?.scope === 'heads' && changes !== undefined
          ? `start a new run with \`since\` set to ${quote(changes.to)}, which sends only later changes`
          : 'there is nothing to do';
      return `In the Mintlify dashboard, look for ${sent}. If it is there, ${ifThere}; if not, ${RERUN}${orNextRun(known)}.`;
    }
  }
}

/** The log line before the first wait. */
export const waitingLine = ({ run, job }: Call): string =>
  job === null
    ? `Waiting: workflow run ${run} is calling Mintlify.`
    : `Waiting: agent job ${quote(job)} of workflow run ${run} is still active.`;

/** The text of a warning, at most three sentences. */
export function ledgerWarning(warning: LedgerWarning): string {
  switch (warning.kind) {
    case 'doubt':
      return `It is unknown whether Mintlify took the prompt of workflow run ${warning.call.run}, so its changes are sent again. Look for a second pull request, and close one of the two.`;
    case 'gone':
      return `Mintlify no longer knows agent job ${quote(warning.call.job ?? '')} of workflow run ${warning.call.run}, so its changes are sent again.`;
    case 'stuck':
      return `Agent job ${quote(warning.call.job ?? '')} of workflow run ${warning.call.run} has been active for over 2 hours, so its changes are sent again.`;
    case 'docs-pull-unreadable':
      return `The token cannot read ${quote(warning.link)}, so the prompt goes to a new agent job and not to this pull request. Set \`githubToken\` to a token that may read its repository.`;
  }
}
