/** The outputs, and the one report of a run. */
import type { Clock, Runner } from '../effects.ts';
import { messageOf } from '../errors.ts';
import { pullRequestOf } from '../text/words.ts';
import { helpOf } from './advice.ts';
import type { Report } from './ending.ts';
import { summaryOf } from './summary.ts';
import {
  earlierEndText,
  isUpdated,
  jobIdOf,
  OUTCOMES,
  type Wording,
  wordingOf,
} from './wording.ts';

/**
 * Writes the outputs, the summary, and the annotations: one about this run, and one for each end of an
 * earlier one. Returns whether the step succeeds: not if an output is lost, because later steps need
 * it. `startedAt` is on the clock's scale.
 */
export async function writeReport(
  report: Report,
  startedAt: number,
  { clock, runner }: { readonly clock: Clock; readonly runner: Runner },
): Promise<boolean> {
  const { inputs, facts, earlier = [] } = report;
  const isTimeOver = inputs !== undefined && clock.now() >= startedAt + inputs.timeoutMs;
  const wording = wordingOf(report, isTimeOver);
  const { outcome, heading, lines, section } = wording;
  const { level } = OUTCOMES[outcome];
  let isSuccess = level !== 'error';
  try {
    for (const [name, value] of Object.entries(outputsOf(report, outcome)))
      runner.setOutput(name, value);
  } catch (error) {
    runner.annotate('error', 'Docs agent: outputs are missing', messageOf(error));
    isSuccess = false;
  }
  await runner
    .writeSummary(summaryOf(report, wording))
    .catch((error) => runner.info(`The job summary could not be written: ${messageOf(error)}`));
  for (const one of earlier) {
    const earlierLevel = 'job' in one.end ? 'notice' : 'warning';
    runner.annotate(earlierLevel, 'Docs agent: an earlier run', earlierEndText(one));
  }
  const help = section === undefined ? [] : [helpOf(section, facts.helpPage).line];
  runner.annotate(level, `Docs agent: ${heading}`, [...lines, ...help].join('\n'));
  return isSuccess;
}

export function outputsOf(report: Report, outcome: Wording['outcome']) {
  const { job, docsPull, codePullRequests = [] } = report;
  const prLink = job?.prLink ?? '';
  const { number = '', repository = '' } = pullRequestOf(prLink) ?? {};
  return {
    prLink,
    prNumber: number,
    prRepository: repository,
    prBranch: docsPull?.branch ?? '',
    prOperation: prLink === '' ? '' : isUpdated(report) ? 'updated' : 'created',
    jobId: jobIdOf(report),
    status: job?.status ?? '',
    outcome,
    codePullRequests: JSON.stringify(outcome === 'skipped' ? [] : codePullRequests),
    job: job?.json ?? '',
  };
}
