import type { Runner } from '../effects/effects.ts';
import type { Annotation } from '../model/annotation.ts';
import { messageOf } from '../model/run-error.ts';
import { quote } from '../text/escape.ts';
import { mapStrings } from '../text/json.ts';
import { pullRequestAt, pullRequestOf } from '../text/pull-request-link.ts';
import type { RunResult } from './ending.ts';
import { followAdvice } from './follow-advice.ts';
import { operationOf } from './pull-operation.ts';
import { summaryOf } from './summary.ts';
import { helpUrl, type Wording, wordingOf } from './wording.ts';

type Report = Readonly<ReturnType<typeof reportOn>>;

/**
 * Builds everything that a run writes when it ends, as data. `clean` removes secrets from what is
 * shown, before anything shortens it. Outputs keep what the service sent.
 */
export function reportOn(result: RunResult, clean: Runner['clean']) {
  const shown = shownResult(result, clean);
  const words = wordingOf(shown);
  const wording = {
    ...words,
    messages: words.messages.map(clean),
    ...(words.pullMessage && { pullMessage: clean(words.pullMessage) }),
  };
  const { job } = result;
  const { number = '', repository = '' } = pullRequestOf(shown.job.prLink) ?? {};
  return {
    isFailure: wording.isFailure,
    outputs: {
      prLink: job.prLink,
      prNumber: number,
      prRepository: repository,
      prOperation: operationOf(result),
      prBranch: job.prLink === '' ? '' : (result.docs?.branch ?? ''),
      codePullRequests: JSON.stringify(codePullsOf(result)),
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

/** Leaves out the docs pull request itself, which may be in the same repository. */
function codePullsOf({ codePulls, facts, job }: RunResult): readonly number[] {
  const own = pullRequestAt(facts.serverUrl, job.prLink);
  const isHere = own?.repository.toLowerCase() === facts.repository?.toLowerCase();
  return codePulls.filter((number) => !(isHere && own?.number === String(number)));
}

/** GitHub keeps at most 10 errors per step. */
const MAX_ERRORS = 10;

/**
 * Builds one annotation, or one per problem with the inputs. The last one holds all that remain.
 */
function annotationsOf(result: RunResult, wording: Wording): readonly Annotation[] {
  const { level, heading, pullMessage, isFailure } = wording;
  const messages = [...(pullMessage ? [pullMessage] : []), ...wording.messages];
  const isList = result.ending.kind === 'bad-inputs';
  const alone = isList ? messages.slice(0, Math.min(messages.length, MAX_ERRORS) - 1) : [];
  const last = [
    ...messages.slice(alone.length),
    ...(wording.isFollowable ? [followAdvice(result)] : []),
    ...(isFailure ? [`Troubleshooting: ${helpUrl(heading)}`] : []),
  ];
  const texts = [...alone, last.join('\n')];
  return texts.map((message) => ({ level, title: `Docs agent: ${heading}`, message }));
}

type ReportWriter = Pick<Runner, 'setOutput' | 'writeSummary' | 'info' | 'annotate'>;

/**
 * Writes the outputs, summary and closing annotations, each even if another fails. Returns whether
 * the step succeeds, which it can't if an output is lost, because later steps need it.
 */
export async function writeReport(report: Report, runner: ReportWriter): Promise<boolean> {
  const { leftEmpty, lost, error } = setOutputs(report, runner);
  const annotations = [...report.annotations];
  if (leftEmpty.length > 0) {
    const title = 'Docs agent: an output contains a secret';
    const message = `These outputs are empty, because their values hold a secret: ${leftEmpty.join(', ')}.`;
    annotations.unshift({ level: 'warning', title, message });
  }
  if (lost.length > 0) {
    const title = 'Docs agent: The outputs cannot be written';
    const note = `These outputs could not be written: ${lost.join(', ')} (${quote(error)}). Later steps see them empty.`;
    const message = [annotations.pop()?.message, note].join('\n');
    annotations.push({ level: 'error', title, message });
  }
  try {
    await runner.writeSummary(report.summary);
  } catch (cause) {
    runner.info(`The job summary could not be written: ${messageOf(cause)}`);
  }
  for (const { level, title, message } of annotations) runner.annotate(level, title, message);
  return !report.isFailure && lost.length === 0;
}

/** Returns the names of the outputs left empty because of a secret, or lost to an error. */
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
  return { leftEmpty, lost, error };
}

/** Returns the result to show. `clean` removes secrets before anything shortens a text. */
function shownResult(result: RunResult, clean: Runner['clean']): RunResult {
  const { docs, whyNew, pullLink, pullWarning } = result;
  const { json, end, ...texts } = result.job;
  return {
    ...result,
    job: { ...mapStrings(texts, clean), json, end },
    docs: docs && mapStrings(docs, clean),
    whyNew: whyNew && clean(whyNew),
    pullLink: clean(pullLink),
    pullWarning: pullWarning && clean(pullWarning),
  };
}
