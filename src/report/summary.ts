import { formatDuration } from '../duration.ts';
import { DEFAULT_BASE_URL } from '../inputs.ts';
import {
  codeHtml,
  count,
  cut,
  escapeHtml,
  messageToHtml,
  safeLink,
  visibleLines,
} from '../text.ts';
import type { RunRecord, Verdict } from './ending.ts';

/**
 * GitHub drops a step's summary that is over 1 MiB. Escaped, one character is at most 6 bytes, so
 * this much prompt leaves room for everything else.
 */
const MAX_PROMPT_LENGTH = 100_000;
const MAX_CELL_LENGTH = 500;

/**
 * The job summary: GitHub-flavoured Markdown whose untrusted parts all stand escaped inside HTML
 * elements of our own, so that they cannot end them or become Markdown. `follow` are the
 * `followLines` of the record.
 */
export function summaryOf(
  record: RunRecord,
  verdict: Verdict,
  follow: readonly string[] | undefined,
): string {
  const parts = [
    `## Docs agent: ${verdict.heading}`,
    linkHtml(record),
    paragraphs(verdict),
    table(record),
    verdict.isFollowable ? followSection(follow) : undefined,
    record.prompt === undefined ? undefined : promptSection(record.prompt),
  ];
  return `${parts.filter((part) => part !== undefined).join('\n\n')}\n`;
}

function linkHtml({ job }: RunRecord): string | undefined {
  if (job === undefined || job.prLink === '') return undefined;
  const link = escapeHtml(job.prLink);
  return `<p><strong><a href="${link}">${link}</a></strong></p>`;
}

function paragraphs({ message, outcome }: Verdict): string | undefined {
  // The link above says it all.
  if (outcome === 'pull-request') return undefined;
  return message
    .split('\n')
    .map((line) => `<p>${messageToHtml(line)}</p>`)
    .join('\n');
}

function table({ inputs, job, jobId, changes, reads, tookMs }: RunRecord): string | undefined {
  if (inputs === undefined) return undefined;
  const rows: readonly (readonly [string, string | undefined])[] = [
    ['Status', cell(job?.status)],
    ['Job', cell(jobId)],
    ['Project', cell(inputs.projectId)],
    ['Source repository', linkedCell(job?.sourceRepository)],
    ['Source ref', cell(job?.sourceRef)],
    ['Model', cell(job?.model)],
    ['Created', timeCell(job?.createdAt)],
    ['Archived', timeCell(job?.archivedAt)],
    ['Changes', changes === undefined ? undefined : messageToHtml(changes)],
    ['Took', `${formatDuration(tookMs)}, ${count(reads, 'read')} of the job`],
  ];
  const html = rows
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `<tr><th align="left">${name}</th><td>${value}</td></tr>`);
  return ['<table>', ...html, '</table>'].join('\n');
}

function cell(value: string | undefined): string | undefined {
  return value === undefined || value === '' ? undefined : codeHtml(cut(value, MAX_CELL_LENGTH));
}

function linkedCell(value: string | undefined): string | undefined {
  const link = value === undefined || value.length > MAX_CELL_LENGTH ? undefined : safeLink(value);
  return link === undefined
    ? cell(value)
    : `<a href="${escapeHtml(link)}">${codeHtml(value ?? '')}</a>`;
}

/** ISO 8601 as people read it; anything else as it is. */
function timeCell(value: string | undefined): string | undefined {
  const match = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}:\d{2})(?:\.\d+)?Z$/.exec(value ?? '');
  return match === null ? cell(value) : `${match[1]} ${match[2]} UTC`;
}

/** The `with:` lines that follow a job, or `undefined` when its id is not one to paste into YAML. */
export function followLines({ inputs, jobId }: RunRecord): readonly string[] | undefined {
  if (inputs === undefined || jobId === undefined) return undefined;
  const isPlain = [jobId, inputs.projectId].every((id) => /^[\w.:-]{1,200}$/.test(id));
  if (!isPlain) return undefined;
  return [
    'with:',
    `  jobId: '${jobId}'`,
    `  projectId: '${inputs.projectId}'`,
    // biome-ignore lint/suspicious/noTemplateCurlyInString: an expression of GitHub's, to be pasted
    '  adminApiKey: ${{ secrets.MINTLIFY_ADMIN_API_KEY }}',
    ...(inputs.baseUrl === DEFAULT_BASE_URL
      ? []
      : [`  baseUrl: '${inputs.baseUrl.replaceAll("'", '%27')}'`]),
  ];
}

function followSection(lines: readonly string[] | undefined): string {
  if (lines === undefined) return 'The output `jobId` holds the id to follow it with.';
  return [
    'To follow this job to its end without creating another one:',
    '',
    '```yaml',
    ...lines,
    '```',
  ].join('\n');
}

function promptSection(prompt: string): string {
  const shown = cut(visibleLines(prompt.slice(0, MAX_PROMPT_LENGTH)), MAX_PROMPT_LENGTH);
  const note = shown.length < prompt.length ? ', the beginning of it' : '';
  return [
    `<details><summary>Prompt (${count(prompt.length, 'character')}${note})</summary>`,
    `<pre><code>${escapeHtml(shown)}</code></pre>`,
    '</details>',
  ].join('\n\n');
}
