import type { Runner } from '../effects/effects.ts';
import { messageOf } from '../errors.ts';
import { type RunRecord, type Verdict, verdictOn } from './ending.ts';
import { followLines, summaryOf } from './summary.ts';

/** All that a run tells the world when it ends, as data. */
export interface Report {
  readonly verdict: Verdict;
  readonly outputs: Readonly<Record<string, string>>;
  readonly summary: string;
  /** For the closing annotation; lines are separated by `\n`. */
  readonly closing: string;
}

export function reportOn(record: RunRecord): Report {
  const verdict = verdictOn(record);
  const { job } = record;
  const follow = verdict.isFollowable ? followLines(record) : undefined;
  return {
    verdict,
    outputs: {
      prLink: job?.prLink ?? '',
      jobId: record.jobId ?? '',
      status: job?.status ?? '',
      model: job?.model ?? '',
      sourceRepository: job?.sourceRepository ?? '',
      sourceRef: job?.sourceRef ?? '',
      createdAt: job?.createdAt ?? '',
      archivedAt: job?.archivedAt ?? '',
      job: job?.json ?? '',
      outcome: verdict.outcome,
    },
    summary: summaryOf(record, verdict, follow),
    closing: [verdict.message, ...(follow === undefined ? [] : ['To follow it:', ...follow])].join(
      '\n',
    ),
  };
}

/**
 * Writes outputs, summary and the closing annotation. One that cannot be written keeps none of the
 * others from being written. Returns whether the step succeeds: steps that follow rely on the outputs.
 */
export async function deliver(report: Report, runner: Runner): Promise<boolean> {
  const { verdict, outputs, summary, closing } = report;
  const attempt = async (what: string, write: () => void | Promise<void>): Promise<boolean> => {
    try {
      await write();
      return true;
    } catch (error) {
      runner.info(`${what} could not be written: ${messageOf(error)}`);
      return false;
    }
  };
  const written = [];
  for (const [name, value] of Object.entries(outputs)) {
    written.push(await attempt(`Output ${name}`, () => runner.setOutput(name, value)));
  }
  await attempt('The job summary', () => runner.writeSummary(summary));
  runner.annotate(verdict.level, `Docs agent: ${verdict.heading}`, closing);
  return !verdict.isFailure && written.every(Boolean);
}
