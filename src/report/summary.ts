import { createHash } from 'node:crypto';
import type { Runner } from '../effects/effects.ts';
import type { ChangesOverview } from '../model/changes.ts';
import { type RunFacts, settingsUrl } from '../model/run-facts.ts';
import { formatDuration } from '../text/duration.ts';
import { cut, escapeHtml, escapeInvisibleInLines } from '../text/escape.ts';
import { pullRequestOf } from '../text/pull-request-link.ts';
import { safeLink, withoutCredentials } from '../text/url.ts';
import { listInWords, pluralize, shortRef } from '../text/words.ts';
import type { RunResult } from './ending.ts';
import { followAdvice } from './follow-advice.ts';
import { codeHtml, codeSpan, messageToHtml, wrappingCodeHtml } from './html.ts';
import { hasMessage, helpUrl, type Wording } from './wording.ts';

/**
 * GitHub drops a step's summary over 1 MiB.
 * https://docs.github.com/actions/reference/workflows-and-actions/workflow-commands#adding-a-job-summary
 */
const MAX_SUMMARY_BYTES = 1_000_000;
const MAX_CELL_LENGTH = 500;
const MAX_REF_LENGTH = 100;
/** A longer link appears as plain text. */
const MAX_LINK_LENGTH = 2_000;

/**
 * Renders the job summary in GitHub Flavored Markdown, starting with what the reader does next.
 * Untrusted parts are escaped inside our own HTML elements, so they can neither close these nor
 * become Markdown.
 */
export function summaryOf(result: RunResult, wording: Wording, clean: Runner['clean']): string {
  const { inputs, prompt } = result;
  const project = inputs ? ` · ${codeSpan(cut(inputs.projectId, MAX_CELL_LENGTH))}` : '';
  const help = `<p><a href="${helpUrl(wording.heading)}">Troubleshooting</a></p>`;
  const follow = wording.isFollowable ? [followAdvice(result)] : [];
  const parts = [
    `## ${wording.icon} ${wording.heading}${project}`,
    ...firstLines(result, wording),
    ...follow.map(paragraphOf(result.facts)),
    ...(wording.isFailure ? [help] : []),
    ...table(result, wording),
    ...leftOutSection(result),
  ];
  const top = `${parts.join('\n\n')}\n`;
  if (prompt === undefined || !isPromptShown(result)) return top;
  const room = MAX_SUMMARY_BYTES - Buffer.byteLength(top);
  return `${top}\n${promptSection(prompt, clean, result, room)}\n`;
}

/** The pull request, or what happened and why. More than one message becomes a list. */
function firstLines(result: RunResult, { messages }: Wording): readonly string[] {
  const { ending, job, facts, hasChanged, pullWarning } = result;
  if (ending.kind === 'ended' && ending.end !== 'no-changes' && job.prLink !== '') {
    const changed = hasChanged && ending.end === 'pull-request';
    const pull = `<strong>${pullRequestHtml(job.prLink, facts.serverUrl)}</strong>`;
    const link = `<p>${pull}${changed ? ' has changed since the message' : ''}</p>`;
    const warning = pullWarning === undefined ? [] : [`⚠️ ${pullWarning}`];
    return [link, ...docsLines(result), ...[...warning, ...messages].map(paragraphOf(facts))];
  }
  const isList = ending.kind === 'bad-inputs' && messages.length > 1;
  return isList ? [list(messages.map(linkedMessage(facts)))] : messages.map(paragraphOf(facts));
}

/** The title of the docs pull request, and the pages it changes, each with a link to its diff. */
function docsLines({ docs, job, facts }: RunResult): readonly string[] {
  const pull = pullRequestOf(job.prLink);
  if (docs === undefined || pull === undefined) return [];
  const { title, files, hasMore } = docs;
  const pages = `${facts.serverUrl}/${pull.repository}/pull/${pull.number}/files`;
  const items = files.map(({ filename, additions, deletions }) => {
    const place = `${pages}#diff-${createHash('sha256').update(filename).digest('hex')}`;
    const page = linked(codeHtml(cut(filename, MAX_CELL_LENGTH)), place);
    return `${page} (+${additions} −${deletions})`;
  });
  const all = hasMore ? [...items, '…'] : items;
  return [
    `<p>${codeHtml(cut(title, MAX_CELL_LENGTH))}</p>`,
    ...(all.length === 0 ? [] : [list(all)]),
  ];
}

const list = (items: readonly string[]) =>
  ['<ul>', ...items.map((html) => `<li>${html}</li>`), '</ul>'].join('\n');

const paragraphOf = (facts: RunFacts) => (message: string) =>
  `<p>${linkedMessage(facts)(message)}</p>`;

/** Renders a message, and links the pages that our own words mention. */
const linkedMessage = (facts: RunFacts) => (message: string) => {
  const link = (url: string) => `<a href="${url}">$&</a>`;
  const html = messageToHtml(message)
    .replaceAll('Mintlify dashboard', link(DASHBOARD))
    .replace(OWN_PAGE, '(<a href="$1">how</a>)');
  const settings = (['secrets', 'variables'] as const).map((what) => settingsUrl(facts, what));
  return settings
    .map(escapeHtml)
    .reduce((text, url) => text.replaceAll(url, () => `<a href="${url}">${url}</a>`), html);
};

const OWN_PAGE =
  /\((https:\/\/github\.com\/docs-agent\/docs-agent-job\/blob\/v1\/\.github\/[A-Z]+\.md#[\w-]+)\)/g;
const DASHBOARD = 'https://app.mintlify.com';

/**
 * Renders a pull request as `owner/name#123`, adding the host unless the reader knows it. Any other
 * link stays as is.
 */
function pullRequestHtml(link: string, serverUrl: string): string {
  const pullRequest = pullRequestOf(link);
  if (pullRequest === undefined) return linked(codeHtml(cut(link, MAX_CELL_LENGTH)), link);
  const { host } = new URL(link);
  const ownHost = URL.canParse(serverUrl) ? new URL(serverUrl).host : undefined;
  const isKnown = ['github.com', 'gitlab.com', ownHost].includes(host);
  const name = `${pullRequest.repository}#${pullRequest.number}`;
  return linked(isKnown ? name : `${escapeHtml(host)}/${name}`, link);
}

/** Links HTML to `url`, unless the link is too long or unsafe. */
function linked(html: string, url: string): string {
  const link = url.length > MAX_LINK_LENGTH ? undefined : safeLink(url);
  return link === undefined ? html : `<a href="${escapeHtml(link)}">${html}</a>`;
}

function table(result: RunResult, { isFailure }: Wording): readonly string[] {
  const { job, facts, changes, checks, tookMs, ending } = result;
  if (ending.kind === 'bad-inputs') return [];
  // After a success, these don't affect what the reader does next.
  const details = isFailure
    ? {
        Status: cell(job.status),
        'Docs branch': cell(job.sourceRef),
        Model: cell(job.model),
        Created: timeCell(job.createdAt),
      }
    : {};
  const isUnchanged = ending.kind === 'ended' && ending.end === 'no-changes' && job.prLink !== '';
  const cells = {
    'Agent job': cell(job.id),
    ...sender(result),
    'Pull request': isUnchanged ? pullRequestHtml(job.prLink, facts.serverUrl) : '',
    'Why a new one': result.whyNew === undefined ? '' : messageToHtml(result.whyNew),
    'Docs repository': repositoryCell(withoutCredentials(job.sourceRepository)),
    ...details,
    Archived: timeCell(job.archivedAt),
    Changes: changes ? changesCell(changes) : '',
    'Code pull requests': codePullsCell(result),
    'No documentation needed': skippedCell(result),
    Duration: checks > 0 ? `${formatDuration(tookMs)} (${pluralize(checks, 'check')})` : '',
  };
  const rows = Object.entries(cells)
    .filter(([, html]) => html !== '')
    .map(([name, html]) => `<tr><th align="left">${name}</th><td>${html}</td></tr>`);
  return rows.length === 0 ? [] : [['<table>', ...rows, '</table>'].join('\n')];
}

/** Who created the agent job or sent it the follow-up message. */
function sender(result: RunResult): Readonly<Record<string, string>> {
  const { resumedFrom, isAccepted, pullBefore, job } = result;
  if (resumedFrom !== undefined) {
    const attempt = `attempt ${resumedFrom} of this workflow run`;
    return pullBefore.kind === 'none'
      ? { 'Created by': attempt }
      : { 'Follow-up message': `sent by ${attempt}` };
  }
  if (!isAccepted || job.id === '') return {};
  return hasMessage(result)
    ? { 'Follow-up message': 'sent by this run' }
    : { 'Created by': 'this run' };
}

const cell = (value: string) => (value === '' ? '' : wrappingCodeHtml(cut(value, MAX_CELL_LENGTH)));

/**
 * Renders a repository as `owner/name`, so that the table fits a narrow screen. Any other text
 * stays as is.
 */
function repositoryCell(url: string): string {
  const name = /^https?:\/\/[^/]+\/([\w.-]+\/[\w.-]+?)(?:\.git)?\/?$/.exec(url)?.[1];
  return linked(cell(name ?? url), url);
}

/** Renders an ISO 8601 time in a readable form. Any other text stays as is. */
function timeCell(value: string): string {
  const [, day, time] = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}:\d{2})(?:\.\d+)?Z$/.exec(value) ?? [];
  return day === undefined ? cell(value) : `${day} ${time} UTC`;
}

function changesCell(changes: ChangesOverview): string {
  if (changes.kind === 'unknown') return messageToHtml(`Not known: ${changes.reason}`);
  const { commits, files, selectedFiles, base, head, url } = changes;
  const match = `${selectedFiles} ${selectedFiles === 1 ? 'matches' : 'match'} <code>paths</code>`;
  const selected = selectedFiles === files ? '' : ` (${match})`;
  const [from, to] = [base, head].map((ref) => cut(shortRef(ref), MAX_REF_LENGTH));
  const range = wrappingCodeHtml(`${from}…${to}`);
  return `${pluralize(commits, 'commit')}, ${pluralize(files, 'file')}${selected}, ${linked(range, url)}`;
}

const codePullsCell = ({ codePulls, facts }: RunResult) => pullLinks(codePulls, facts);

/** The commits that a team keeps from the agent, and their pull requests. */
function skippedCell({ changes, facts }: RunResult): string {
  if (changes?.kind !== 'known' || changes.skipped.commits === 0) return '';
  const { commits, by, pulls } = changes.skipped;
  const links = pullLinks(pulls, facts);
  const what = `${pluralize(commits, 'commit')}, by ${messageToHtml(listInWords(by))}`;
  return links === '' ? what : `${what}: ${links}`;
}

/** Links pull requests of this repository. */
const pullLinks = (numbers: readonly number[], { serverUrl, repository }: RunFacts) =>
  numbers.map((n) => linked(`#${n}`, `${serverUrl}/${repository}/pull/${n}`)).join(', ');

function leftOutSection({ changes, inputs }: RunResult): readonly string[] {
  if (changes?.kind !== 'known' || changes.leftOut.length === 0) return [];
  const items = changes.leftOut.map((sentence) => codeHtml(cut(sentence, MAX_CELL_LENGTH)));
  const isInPrompt = inputs?.changes !== 'none';
  const what = isInPrompt ? 'Left out of the prompt' : 'The list of changes is not complete';
  return [`<p>${what}:</p>\n${list(items)}`];
}

/**
 * Renders the prompt as a code block that wraps long lines. GitHub doesn't wrap code directly in a
 * `<pre>`; for its styles, see https://github.com/sindresorhus/github-markdown-css.
 */
function promptSection(
  prompt: string,
  clean: Runner['clean'],
  result: RunResult,
  maxBytes: number,
): string {
  const isOpen = result.ending.kind === 'dry-run';
  const isCertain = result.isAccepted || isOpen;
  const title = isCertain ? 'Prompt' : 'Prompt, which may have been sent';
  // Each character takes at least one byte, so nothing beyond `maxBytes` characters could fit.
  const escaped = escapeHtml(escapeInvisibleInLines(clean(prompt).slice(0, maxBytes)));
  const end = '</code></span></pre>\n\n</details>';
  const start = (note: string) =>
    `<details${isOpen ? ' open' : ''}><summary>${title} (${note}${pluralize(prompt.length, 'character')})</summary>\n\n<pre><span><code>`;
  const note = 'first part of ';
  const shown = cutHtml(escaped, maxBytes - Buffer.byteLength(start(note) + end) - 2);
  const isWhole = shown === escaped && prompt.length <= maxBytes;
  return `${start(isWhole ? '' : note)}${shown}${end}`;
}

/** Whether the prompt was sent, may have been, or would be without `dryRun`. */
function isPromptShown({ isAccepted, ending }: RunResult): boolean {
  switch (ending.kind) {
    case 'dry-run':
      return true;
    case 'error':
    case 'cancelled':
      return isAccepted || ending.call.kind === 'in-doubt';
    default:
      return isAccepted;
  }
}

/** Cuts escaped text to `maxBytes` of UTF-8 without breaking a character or an entity. */
function cutHtml(html: string, maxBytes: number): string {
  const bytes = Buffer.from(html);
  if (bytes.length <= maxBytes) return html;
  const text = new TextDecoder().decode(bytes.subarray(0, maxBytes), { stream: true });
  return text.replace(/&[#\w]{0,6}$/, '');
}
