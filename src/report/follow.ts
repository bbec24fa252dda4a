import { DEFAULT_BASE_URL } from '../inputs/inputs.ts';
import { logLine } from '../lib/text.ts';
import type { RunResult } from './ending.ts';

/**
 * The lines of a step that follows the agent job, to paste into a workflow. `undefined` when there
 * is no agent job, or when an id cannot be written unchanged into YAML and a log.
 */
export function followStep({ inputs, job, facts }: RunResult): readonly string[] | undefined {
  if (inputs === undefined || job.id === '') return undefined;
  const values = [job.id, inputs.projectId, inputs.baseUrl, facts.action];
  if (!values.every(isPastable)) return undefined;
  return [
    `- uses: ${facts.action}`,
    '  with:',
    `    jobId: ${yamlString(job.id)}`,
    `    projectId: ${yamlString(inputs.projectId)}`,
    // biome-ignore lint/suspicious/noTemplateCurlyInString: an expression of GitHub's, to be pasted
    '    adminApiKey: ${{ secrets.MINTLIFY_ADMIN_API_KEY }}',
    ...(inputs.baseUrl === DEFAULT_BASE_URL ? [] : [`    baseUrl: ${yamlString(inputs.baseUrl)}`]),
  ];
}

/**
 * Whether text can be copied from the log unchanged. Text with `${{` cannot be used either, because
 * that begins an expression.
 */
function isPastable(text: string): boolean {
  return logLine(text) === text && !text.includes('${{');
}

/** A single-quoted scalar. https://yaml.org/spec/1.2.2/#732-single-quoted-style */
function yamlString(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/**
 * Whether "Re-run failed jobs" waits for this agent job rather than creating one: its record was
 * written, or the agent job is only followed. With `wait: false` the step has not failed, and a
 * re-run would not wait either.
 */
export function canResume(result: RunResult): boolean {
  const { inputs, facts, isResumable, resumedFrom } = result;
  if (inputs === undefined || inputs.rerun !== 'resume' || !inputs.wait) return false;
  const isFollowedOnly = inputs.task.kind === 'follow';
  return facts.runId > 0 && (isFollowedOnly || isResumable || resumedFrom !== undefined);
}

/** How to keep waiting with "Re-run failed jobs", for when {@link canResume} is true. */
export function resumeAdvice({ inputs, ending }: RunResult): string {
  const when = ending.kind === 'unreadable' ? 'After you have fixed this' : 'To keep waiting';
  const needs =
    inputs?.task.kind === 'follow'
      ? ''
      : ' For this, the workflow job needs `actions: read` and `checks: read`.';
  return `${when}, press "Re-run failed jobs". The new attempt follows this agent job and creates no second one.${needs}`;
}
