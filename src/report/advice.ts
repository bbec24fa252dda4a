/** What the reader does after a run that failed, by what the call and the ledger say. */
import { quote } from '../text/escape.ts';
import { pullName } from '../text/pull-request-link.ts';
import type { Known } from './ending.ts';

const RERUN = 're-run the failed jobs';

/** The agent job that the run sent or followed, or that a response named. Empty if there is none. */
export function jobIdOf({ job, inputs, call }: Known): string {
  const called = call.kind === 'not-sent' ? undefined : call.jobId;
  const given = inputs === undefined || inputs.task.kind === 'create' ? '' : inputs.task.jobId;
  return job?.id ?? called ?? given;
}

/** The agent job that gets the prompt, for people. */
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
