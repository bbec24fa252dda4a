/** The one report of a run: the outputs, the annotations, and the job summary. */
import { createHash } from 'node:crypto';
import type { Changes } from '../changes/compose.ts';
import type { Clock, Runner } from '../effects.ts';
import { messageOf } from '../errors.ts';
import type { ReadableDocsPull } from '../github/pull-requests.ts';
import {
  cut,
  escapeHtml,
  escapeInvisible,
  escapeInvisibleInLines,
  safeLink,
} from '../text/escape.ts';
import { pluralize, pullRequestOf, shortRef } from '../text/words.ts';
import { helpOf, type Section } from './advice.ts';
import type { Report } from './ending.ts';
import {
  earlierEndText,
  isUpdated,
  jobIdOf,
  OUTCOMES,
  type Wording,
  wordingOf,
} from './wording.ts';

/**
 * The longest prompt as HTML. GitHub drops a step's summary over 1 MiB:
 * https://docs.github.com/actions/reference/workflows-and-actions/workflow-commands#adding-a-job-summary
 */
const MAX_PROMPT_BYTES = 800_000;
const MAX_PAGES = 30;
const MAX_CODE_LENGTH = 1_000;

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

/** The job summary, in blocks of HTML without blank lines, where GitHub reads no Markdown. */
export function summaryOf(report: Report, wording: Wording): string {
  const { inputs, docsPull, prompt, facts, earlier = [] } = report;
  const { outcome, heading, lines, section } = wording;
  const project = inputs === undefined ? '' : ` · ${code(inputs.projectId)}`;
  const parts = [
    `<h2>${OUTCOMES[outcome].icon} ${heading}${project}</h2>`,
    lines.map((line) => `<p>${messageHtml(line)}</p>`).join('\n'),
    section === undefined ? '' : helpHtml(section, facts.helpPage),
    earlier.map((one) => `<p>${messageHtml(earlierEndText(one))}</p>`).join('\n'),
    docsPull === undefined ? '' : pageList(docsPull, facts.serverUrl),
    table(report),
    prompt && outcome !== 'skipped' ? promptSection(prompt, outcome === 'dry-run') : '',
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

function helpHtml(section: Section, helpPage: string): string {
  const { url, line } = helpOf(section, helpPage);
  return `<p>${url === '' ? messageHtml(line) : linked('Troubleshooting', url)}</p>`;
}

function pageList(docsPull: ReadableDocsPull, serverUrl: string): string {
  const { repository, number, pages, pageCount } = docsPull;
  const files = `${serverUrl}/${repository}/pull/${number}/files`;
  const shown = pages.slice(0, MAX_PAGES).map(({ path, additions, deletions }) => {
    const anchor = createHash('sha256').update(path).digest('hex');
    return `${linked(code(path), `${files}#diff-${anchor}`)} (+${additions} −${deletions})`;
  });
  const more = pageCount - shown.length;
  if (more > 0) shown.push(linked(pluralize(more, 'more file'), files));
  return ['<ul>', ...shown.map((html) => `<li>${html}</li>`), '</ul>'].join('\n');
}

function table(report: Report): string {
  const { job, changes, facts, ledger, codePullRequests = [] } = report;
  const words = (...texts: readonly (string | undefined)[]) =>
    texts.flatMap((text) => (text ? [code(text)] : [])).join(' ');
  const pull = (n: number) => linked(`#${n}`, `${facts.serverUrl}/${facts.repository}/pull/${n}`);
  const rows = [
    ['Agent job', words(jobIdOf(report), job?.status)],
    ['Docs repository', linked(words(job?.repository, job?.ref), job?.repository ?? '')],
    ['Changes', changes === undefined ? '' : changesHtml(changes)],
    ['Code pull requests', codePullRequests.map(pull).join(', ')],
    ['Ledger', words(ledger?.ref)],
  ];
  const lines = rows
    .filter(([, html]) => html !== '')
    .map(([name, html]) => `<tr><th align="left">${name}</th><td>${html}</td></tr>`);
  return ['<table>', ...lines, '</table>'].join('\n');
}

function changesHtml({ from, to, compareUrl, commits, files, selected }: Changes): string {
  const skipped = commits.filter(({ isSkipped }) => isSkipped).length;
  const range = from === '' ? shortRef(to) : `${shortRef(from)}…${shortRef(to)}`;
  const counts = [
    pluralize(commits.length, 'commit'),
    skipped === 0 ? '' : ` (${skipped} skipped)`,
    `, ${pluralize(files.length, 'file')}`,
    selected.length === files.length ? '' : ` (${selected.length} in <code>paths</code>)`,
  ];
  return `${counts.join('')}, ${linked(code(range), compareUrl)}`;
}

/** With the `span`, GitHub wraps long lines: https://github.com/sindresorhus/github-markdown-css */
function promptSection(prompt: string, isOpen: boolean): string {
  const html = (text: string) => escapeHtml(escapeInvisibleInLines(text));
  const whole = html(prompt);
  const isWhole = Buffer.byteLength(whole) <= MAX_PROMPT_BYTES;
  // A UTF-16 unit becomes at most 8 bytes.
  const shown = isWhole ? whole : html(cut(prompt, MAX_PROMPT_BYTES / 8));
  const title = isWhole ? 'Prompt' : 'First part of the prompt';
  return `<details${isOpen ? ' open' : ''}><summary>${title} (${pluralize(prompt.length, 'character')})</summary>\n\n<pre><span><code>${shown}</code></span></pre>\n\n</details>`;
}

/** Untrusted text as code, where GitHub adds no links, mentions, or emoji. */
const code = (text: string) =>
  `<code>${escapeHtml(escapeInvisible(cut(text, MAX_CODE_LENGTH)))}</code>`;

function linked(html: string, url: string): string {
  const link = safeLink(url);
  return link === undefined ? html : `<a href="${escapeHtml(link)}">${html}</a>`;
}

/** One of our messages. What `quote` put between backticks becomes code, and a URL becomes a link. */
function messageHtml(message: string): string {
  const parts = escapeInvisible(message).split('`');
  return parts.map((part, at) => (at % 2 === 1 ? code(part) : withLinks(part))).join('');
}

/** A period or a comma after a URL belongs to the sentence. */
const withLinks = (text: string) =>
  text
    .split(/(https?:\/\/\S+[^\s.,;:)])/)
    .map((part, at) => (at % 2 === 1 ? linked(escapeHtml(part), part) : escapeHtml(part)))
    .join('');
