/** The job summary, in blocks of HTML without blank lines, where GitHub reads no Markdown. */
import { createHash } from 'node:crypto';
import type { ChangesOverview } from '../changes/changes.ts';
import type { ReadableDocsPull } from '../github/pull-requests.ts';
import { escapeHtml, escapeInvisibleInLines } from '../text/escape.ts';
import { pluralize, shortRef } from '../text/words.ts';
import { jobIdOf } from './advice.ts';
import type { Known } from './ending.ts';
import { code, linked, list, messageHtml, table } from './html.ts';
import { sectionUrl } from './sections.ts';
import { OUTCOMES, type Wording } from './wording.ts';

/**
 * GitHub drops a step's summary over 1 MiB.
 * https://docs.github.com/actions/reference/workflows-and-actions/workflow-commands#adding-a-job-summary
 */
const MAX_SUMMARY_BYTES = 1_000_000;
/** How many pages of the pull request are named. */
const MAX_PAGES = 30;

/** What the reader does next, what happened, what is known, and the prompt. */
export function summaryOf(known: Known, wording: Wording): string {
  const { inputs, docsPull, prompt, facts } = known;
  const { outcome, heading, lines, section } = wording;
  const project = inputs === undefined ? '' : ` · ${code(inputs.projectId)}`;
  const parts = [
    `<h2>${OUTCOMES[outcome].icon} ${heading}${project}</h2>`,
    lines.map((line) => `<p>${messageHtml(line)}</p>`).join('\n'),
    section === undefined ? '' : `<p><a href="${sectionUrl(section)}">Troubleshooting</a></p>`,
    docsPull === undefined ? '' : pageList(docsPull, facts.serverUrl),
    table(rows(known)),
  ];
  const top = `${parts.filter((part) => part !== '').join('\n\n')}\n`;
  if (prompt === undefined || outcome === 'skipped') return top;
  const room = MAX_SUMMARY_BYTES - Buffer.byteLength(top) - MAX_PROMPT_FRAME_BYTES;
  return `${top}\n${promptSection(prompt, outcome === 'dry-run', room)}\n`;
}

/** Each page links to its place under *Files changed*. */
function pageList(docsPull: ReadableDocsPull, serverUrl: string): string {
  const { repository, number, pages, pageCount } = docsPull;
  const files = `${serverUrl}/${repository}/pull/${number}/files`;
  const shown = pages.slice(0, MAX_PAGES).map(({ path, additions, deletions }) => {
    const anchor = createHash('sha256').update(path).digest('hex');
    return `${linked(code(path), `${files}#diff-${anchor}`)} (+${additions} −${deletions})`;
  });
  const more = pageCount - shown.length;
  if (shown.length === 0) return '';
  return list(more > 0 ? [...shown, linked(pluralize(more, 'more file'), files)] : shown);
}

function rows(known: Known): readonly (readonly [string, string])[] {
  const { job, changes, facts, ledger, codePullRequests = [] } = known;
  const words = (...texts: readonly (string | undefined)[]) =>
    texts.flatMap((text) => (text ? [code(text)] : [])).join(' ');
  const pull = (n: number) => linked(`#${n}`, `${facts.serverUrl}/${facts.repository}/pull/${n}`);
  return [
    ['Agent job', words(jobIdOf(known), job?.status)],
    ['Docs repository', linked(words(job?.repository, job?.ref), job?.repository ?? '')],
    ['Changes', changes === undefined ? '' : changesHtml(changes)],
    ['Code pull requests', codePullRequests.map(pull).join(', ')],
    ['Ledger', words(ledger?.ref)],
  ];
}

function changesHtml(changes: ChangesOverview): string {
  const { from, to, compareUrl, commits, skippedCommits, files, selectedFiles } = changes;
  const range = from === '' ? shortRef(to) : `${shortRef(from)}…${shortRef(to)}`;
  const counts = [
    pluralize(commits, 'commit'),
    skippedCommits === 0 ? '' : ` (${skippedCommits} skipped)`,
    `, ${pluralize(files, 'file')}`,
    selectedFiles === files ? '' : ` (${selectedFiles} in <code>paths</code>)`,
  ];
  return `${counts.join('')}, ${linked(code(range), compareUrl)}`;
}

/** The most that {@link promptSection} adds to a prompt. */
const MAX_PROMPT_FRAME_BYTES = 200;

/**
 * A code block that wraps long lines, which GitHub does not do directly in a `<pre>`. For its
 * styles, see https://github.com/sindresorhus/github-markdown-css.
 */
function promptSection(prompt: string, isOpen: boolean, maxBytes: number): string {
  const html = escapeHtml(escapeInvisibleInLines(prompt));
  const bytes = Buffer.from(html);
  const isWhole = bytes.length <= maxBytes;
  const shown = isWhole ? html : cutHtml(bytes.subarray(0, maxBytes));
  const title = isWhole ? 'Prompt' : 'First part of the prompt';
  return `<details${isOpen ? ' open' : ''}><summary>${title} (${pluralize(prompt.length, 'character')})</summary>\n\n<pre><span><code>${shown}</code></span></pre>\n\n</details>`;
}

/** Drops the rest of a character or of an entity at the end. */
const cutHtml = (bytes: Uint8Array) =>
  new TextDecoder().decode(bytes, { stream: true }).replace(/&[#\w]{0,6}$/, '');
