/** The outputs, and the one report of a run. */
import type { Runner } from '../effects.ts';
import { messageOf } from '../errors.ts';
import { pullRequestOf } from '../text/words.ts';
import type { Ending, Known } from './ending.ts';
import { summaryOf } from './summary.ts';
import { isUpdated, jobIdOf, OUTCOMES, sectionUrl, type Wording, wordingOf } from './wording.ts';

/**
 * Writes the outputs, the summary, and one annotation. Returns whether the step succeeds: not if an
 * output is lost, because later steps need it.
 */
export async function writeReport(known: Known, ending: Ending, runner: Runner): Promise<boolean> {
  const wording = wordingOf(known, ending);
  const { outcome, heading, lines, section } = wording;
  const { level } = OUTCOMES[outcome];
  let isSuccess = level !== 'error';
  try {
    for (const [name, value] of Object.entries(outputsOf(known, outcome)))
      runner.setOutput(name, value);
  } catch (error) {
    runner.annotate('error', 'Docs agent: outputs are missing', messageOf(error));
    isSuccess = false;
  }
  await runner
    .writeSummary(summaryOf(known, wording))
    .catch((error) => runner.info(`The job summary could not be written: ${messageOf(error)}`));
  const help = section === undefined ? [] : [`Troubleshooting: ${sectionUrl(section)}`];
  runner.annotate(level, `Docs agent: ${heading}`, [...lines, ...help].join('\n'));
  return isSuccess;
}

export function outputsOf(known: Known, outcome: Wording['outcome']) {
  const { job, docsPull, codePullRequests = [] } = known;
  const prLink = job?.prLink ?? '';
  const { number = '', repository = '' } = pullRequestOf(prLink) ?? {};
  return {
    prLink,
    prNumber: number,
    prRepository: repository,
    prBranch: docsPull?.branch ?? '',
    prOperation: prLink === '' ? '' : isUpdated(known) ? 'updated' : 'created',
    jobId: jobIdOf(known),
    status: job?.status ?? '',
    outcome,
    codePullRequests: JSON.stringify(outcome === 'skipped' ? [] : codePullRequests),
    job: job?.json ?? '',
  };
}
