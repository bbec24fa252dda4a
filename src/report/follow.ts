import { DEFAULT_BASE_URL } from '../inputs.ts';
import { logLine } from '../text.ts';
import type { RunResult } from './ending.ts';

/**
 * The step that follows the agent job, to be pasted into a workflow, a line each; or `undefined`
 * when there is none, or an id cannot be written into YAML and a log unchanged.
 */
export function followStep({ inputs, jobId, facts }: RunResult): readonly string[] | undefined {
  if (inputs === undefined || jobId === undefined) return undefined;
  const values = [jobId, inputs.projectId, inputs.baseUrl, facts.action];
  if (!values.every(isPastable)) return undefined;
  return [
    `- uses: ${facts.action}`,
    '  with:',
    `    jobId: ${yamlString(jobId)}`,
    `    projectId: ${yamlString(inputs.projectId)}`,
    // biome-ignore lint/suspicious/noTemplateCurlyInString: an expression of GitHub's, to be pasted
    '    adminApiKey: ${{ secrets.MINTLIFY_ADMIN_API_KEY }}',
    ...(inputs.baseUrl === DEFAULT_BASE_URL ? [] : [`    baseUrl: ${yamlString(inputs.baseUrl)}`]),
  ];
}

/** Text that a log changes would be pasted changed, and `${{` would begin an expression. */
function isPastable(text: string): boolean {
  return logLine(text) === text && !text.includes('${{');
}

/** A single-quoted scalar. https://yaml.org/spec/1.2.2/#732-single-quoted-style */
function yamlString(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/**
 * Whether "Re-run failed jobs" waits for this agent job rather than creating one: its record was
 * written, or the job is given with nothing to send. A step that was told not to wait has not failed
 * and would not wait then either.
 */
export function canResume(result: RunResult): boolean {
  const { inputs, facts, hasRecord, resumedFrom } = result;
  if (inputs === undefined || inputs.rerun !== 'resume' || !inputs.wait) return false;
  const isFollowedOnly = inputs.instruction === undefined;
  return facts.runId > 0 && (isFollowedOnly || hasRecord || resumedFrom !== undefined);
}

/** How "Re-run failed jobs" keeps waiting, when {@link canResume} says that it does. */
export function resumeAdvice({ inputs, ending }: RunResult): string {
  const when = ending.kind === 'unreadable' ? 'After you have fixed this' : 'To keep waiting';
  const needs =
    inputs?.instruction === undefined ? '' : ' It needs `actions: read` and `checks: read`.';
  return `${when}, press "Re-run failed jobs". The new attempt follows this agent job and creates no second one.${needs}`;
}
