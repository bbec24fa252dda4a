import { DEFAULT_BASE_URL } from '../model/agent-job.ts';
import { logLine } from '../text/escape.ts';
import type { RunResult } from './ending.ts';

export const BEFORE_STEP = 'To wait for it in another workflow, paste this step:';

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

/** Text that the log leaves unchanged, in which no expression begins, and no secret was. */
const isPastable = (text: string) => logLine(text) === text && !/\$\{\{|\*{3}/.test(text);

/** A single-quoted scalar. https://yaml.org/spec/1.2.2/#732-single-quoted-style */
const yamlString = (text: string) => `'${text.replaceAll("'", "''")}'`;

/**
 * How to keep waiting with "Re-run failed jobs". `undefined` unless that follows this agent job. With
 * `wait: false` the step has not failed, and a re-run would not wait either.
 */
export function resumeAdvice({ inputs, press, ending }: RunResult): string | undefined {
  if (press !== 'follows' || !inputs?.wait) return undefined;
  const when = ending.kind === 'unreadable' ? 'After you have fixed this' : 'To keep waiting';
  const advice = `${when}, press "Re-run failed jobs". The new attempt follows this agent job`;
  if (inputs.task.kind === 'follow') return `${advice}.`;
  const second = inputs.task.kind === 'create' ? 'creates a second one' : 'sends the message again';
  return `${advice}. This needs \`actions: read\` and \`checks: read\`: without them it ${second}.`;
}
