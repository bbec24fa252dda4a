import { pullRequestOf, shownJob } from '../agent/job.ts';
import type { Annotation } from '../lib/annotation.ts';
import { messageOf } from '../lib/errors.ts';
import { messageToHtml, quote } from '../lib/text.ts';
import type { RunResult } from './ending.ts';
import { canResume, followStep, resumeAdvice } from './follow.ts';
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
  const pullRequest = pullRequestOf(job.prLink);
  return {
    isFailure: wording.isFailure,
    outputs: {
      prLink: job.prLink,
      prNumber: pullRequest?.number ?? '',
      prRepository: pullRequest?.repository ?? '',
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

/** GitHub keeps 10 errors per step. The last one holds all the remaining problems. */
const MAX_ERRORS = 10;

/** One annotation, or one for each problem of the inputs, as many as GitHub keeps. */
function annotationsOf(result: RunResult, wording: Wording): readonly Annotation[] {
  const { level, heading, isFailure } = wording;
  const help = isFailure ? [`Troubleshooting: ${helpUrl(heading)}`] : [];
  const title = `Docs agent: ${heading}`;
  if (result.ending.kind !== 'bad-inputs') {
    const message = [...wording.messages, ...followLines(result, wording), ...help].join('\n');
    return [{ level, title, message }];
  }
  const { problems } = result.ending;
  const alone = problems.length > MAX_ERRORS ? problems.slice(0, MAX_ERRORS - 1) : problems;
  const rest = problems.slice(alone.length);
  const messages = rest.length === 0 ? alone : [...alone, rest.join('\n')];
  const last = [messages.at(-1), ...help].join('\n');
  return [...messages.slice(0, -1), last].map((message) => ({ level, title, message }));
}

function followLines(result: RunResult, { isFollowable }: Wording): readonly string[] {
  if (!isFollowable) return [];
  const step = followStep(result);
  return [
    ...(canResume(result) ? [resumeAdvice(result)] : []),
    ...(step === undefined
      ? []
      : ['To wait for it in another workflow, paste this step:', ...step]),
  ];
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
  const annotations = [...report.annotations];
  if (leftEmpty !== undefined) {
    const title = 'Docs agent: An output holds a secret';
    annotations.unshift({ level: 'warning', title, message: leftEmpty });
  }
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
  return {
    leftEmpty:
      leftEmpty.length === 0
        ? undefined
        : `These outputs are empty, because their values hold a secret: ${leftEmpty.join(', ')}.`,
    lost:
      lost.length === 0
        ? undefined
        : `These outputs could not be written: ${lost.join(', ')} (${quote(error)}). Later steps see them empty.`,
  };
}
