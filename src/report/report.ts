import { pullRequestOf, shownJob } from '../agent/job.ts';
import type { Annotation } from '../lib/annotation.ts';
import { messageOf } from '../lib/errors.ts';
import { messageToHtml, quote } from '../lib/text.ts';
import type { RunResult } from './ending.ts';
import { BEFORE_STEP, followStep, resumeAdvice } from './follow.ts';
import { helpUrl } from './help.ts';
import { summaryOf } from './summary.ts';
import { type Wording, wordingOf } from './wording.ts';

/** Everything that a run writes when it ends, as data. */
export interface Report {
  readonly isFailure: boolean;
  readonly outputs: Readonly<Record<string, string>>;
  readonly summary: string;
  readonly annotations: readonly Annotation[];
}

/**
 * The report on a run. `clean` removes secrets from what is shown, before anything cuts it. The
 * outputs are what the service sent.
 */
export function reportOn(result: RunResult, clean: (text: string) => string): Report {
  const shown = { ...result, job: shownJob(result.job, clean) };
  const wording = wordingOf(shown);
  const { job } = result;
  const { number = '', repository = '' } = pullRequestOf(job.prLink) ?? {};
  return {
    isFailure: wording.isFailure,
    outputs: {
      prLink: job.prLink,
      prNumber: number,
      prRepository: repository,
      jobId: job.id,
      status: job.status,
      model: job.model,
      sourceRepository: job.sourceRepository,
      sourceRef: job.sourceRef,
      createdAt: job.createdAt,
      archivedAt: job.archivedAt,
      job: job.json,
      outcome: wording.outcome,
    },
    summary: summaryOf(shown, wording, clean),
    annotations: annotationsOf(shown, wording),
  };
}

/** GitHub keeps 10 errors per step. */
const MAX_ERRORS = 10;

/** One annotation, or one for each problem of the inputs; the last one holds all that remain. */
function annotationsOf(result: RunResult, wording: Wording): readonly Annotation[] {
  const { level, heading, messages, isFailure } = wording;
  const isList = result.ending.kind === 'bad-inputs';
  const alone = isList ? messages.slice(0, Math.min(messages.length, MAX_ERRORS) - 1) : [];
  const last = [
    ...messages.slice(alone.length),
    ...(wording.isFollowable ? followLines(result) : []),
    ...(isFailure ? [`Troubleshooting: ${helpUrl(heading)}`] : []),
  ].join('\n');
  const title = `Docs agent: ${heading}`;
  return [...alone, last].map((message) => ({ level, title, message }));
}

function followLines(result: RunResult): readonly string[] {
  const step = followStep(result);
  const lines = [resumeAdvice(result), ...(step === undefined ? [] : [BEFORE_STEP, ...step])];
  return lines.filter((line) => line !== undefined);
}

/** Where a report is written. */
interface ReportWriter {
  /** Whether the output was left empty, because its value holds a secret. */
  setOutput(name: string, value: string): boolean;
  writeSummary(markdown: string): Promise<void>;
  info(line: string): void;
  annotate(level: Annotation['level'], title: string, message: string): void;
}

/**
 * Writes outputs, summary and the closing annotations. If one of them cannot be written, the others
 * still are. Returns whether the step succeeds. It fails without its outputs, because later steps
 * rely on them.
 */
export async function writeReport(report: Report, runner: ReportWriter): Promise<boolean> {
  const { leftEmpty, lost } = setOutputs(report, runner);
  const notes = [leftEmpty, lost].filter((note) => note !== undefined);
  try {
    const paragraphs = notes.map((note) => `\n<p>⚠️ ${messageToHtml(note)}</p>\n`);
    await runner.writeSummary(report.summary + paragraphs.join(''));
  } catch (error) {
    runner.info(`The job summary could not be written: ${messageOf(error)}`);
  }
  if (leftEmpty !== undefined) {
    runner.annotate('warning', 'Docs agent: an output contains a secret', leftEmpty);
  }
  const annotations = [...report.annotations];
  if (lost !== undefined) {
    const title = 'Docs agent: The outputs cannot be written';
    const message = [annotations.pop()?.message, lost].join('\n');
    annotations.push({ level: 'error', title, message });
  }
  for (const { level, title, message } of annotations) runner.annotate(level, title, message);
  return !report.isFailure && lost === undefined;
}

/** Sets the outputs, and returns what people have to know of those that are empty for it. */
function setOutputs({ outputs }: Report, runner: ReportWriter) {
  const leftEmpty: string[] = [];
  const lost: string[] = [];
  let error = '';
  for (const [name, value] of Object.entries(outputs)) {
    try {
      if (runner.setOutput(name, value)) leftEmpty.push(name);
    } catch (cause) {
      lost.push(name);
      error = messageOf(cause);
    }
  }
  const note = (names: readonly string[], start: string, end: string) =>
    names.length === 0 ? undefined : `${start}: ${names.join(', ')}${end}`;
  const later = ` (${quote(error)}). Later steps see them empty.`;
  return {
    leftEmpty: note(leftEmpty, 'These outputs are empty, because their values hold a secret', '.'),
    lost: note(lost, 'These outputs could not be written', later),
  };
}
