import { createHash } from 'node:crypto';
/** The parts of a job summary. `endings.md` has whole ones. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { RunResult } from '../../../src/report/ending.ts';
import { reportOn } from '../../../src/report/report.ts';
import { cut, escapeHtml, escapeInvisible, quote } from '../../../src/text/escape.ts';
import { dose } from '../../support/dose.ts';
import { FACTS } from '../../support/fakes.ts';
import { anyText, HOSTILE_TEXTS } from '../../support/hostile-texts.ts';
import { elementsOf, render, unpairedTagsOf } from '../../support/markdown.ts';
import {
  CHANGES,
  endedWith,
  INPUTS,
  jobOf,
  plainReportOn,
  resultOf,
  timedOut,
} from '../../support/results.ts';

const summaryOf = (given: RunResult) => plainReportOn(given).summary;
const htmlOf = (given: RunResult) => render(summaryOf(given));

/** The rows of the table, as a reader sees them. */
const rowsOf = (summary: string) =>
  [...render(summary).matchAll(/<tr><th align="left">(.*?)<\/th><td>(.*?)<\/td><\/tr>/g)].map(
    ([, name, value]) => [name, value?.replace(/<[^>]+>/g, '')],
  );

/** The links that are not to our own pages. */
const linksOf = (summary: string) =>
  elementsOf(summary).links.filter((link) => !link.includes('/TROUBLESHOOTING.md#'));

test.each(['', '/', '/files', '?x=1', '#issuecomment-1'])(
  'a changed page is linked in the pull request, whose own link ends in "%s"',
  (end) => {
    const prLink = `https://github.com/acme/docs/pull/1${end}`;
    const files = [{ filename: 'a.mdx', additions: 1, deletions: 0 }];
    const docs = { isOpen: true, title: 'T', branch: '', files, hasMore: false };
    const result = endedWith('pull-request', { prLink }, { docs });
    const hash = createHash('sha256').update('a.mdx').digest('hex');
    const page = `https://github.com/acme/docs/pull/1/files#diff-${hash}`;
    expect(summaryOf(result)).toContain(`<a href="${page}">`);
  },
);

describe('what is shown shorter than it is', () => {
  test.each([
    { prLink: 'https://github.com/acme/docs/pull/123', shown: 'acme/docs#123' },
    { prLink: 'https://gitlab.com/acme/docs/pull/123', shown: 'acme/docs#123' },
    { prLink: 'https://ghe.acme.example/acme/docs/pull/123', shown: 'acme/docs#123' },
    { prLink: 'https://gitlab.com/acme/web/docs/-/merge_requests/7', shown: 'acme/web/docs#7' },
    {
      prLink: 'https://github.com.evil.example/a/b/pull/1',
      shown: 'github.com.evil.example/a/b#1',
    },
    { prLink: 'https://evil-github.com/acme/docs/pull/1', shown: 'evil-github.com/acme/docs#1' },
    { prLink: 'https://github.com:8443/acme/docs/pull/1', shown: 'github.com:8443/acme/docs#1' },
    { prLink: 'https://gıthub.com/a/b/pull/1', shown: 'xn--gthub-n4a.com/a/b#1' },
    {
      prLink: 'https://bitbucket.org/acme/docs/pull-requests/7',
      shown: '<code>https://bitbucket.org/acme/docs/pull-requests/7</code>',
    },
  ])('the pull request at $prLink', ({ prLink, shown }) => {
    const facts = { ...FACTS, serverUrl: 'https://ghe.acme.example' };
    const html = htmlOf(endedWith('pull-request', { prLink }, { facts }));
    const { href } = new URL(prLink);
    expect(html).toContain(`<p><strong><a href="${href}">${shown}</a></strong></p>`);
  });

  test('a link of more than 2,000 characters, which is no link then', () => {
    const prLink = `https://x.example/${'a'.repeat(2_000)}`;
    expect(htmlOf(endedWith('pull-request', { prLink }))).toContain(
      `<p><strong><code>${prLink.slice(0, 499)}…</code></strong></p>`,
    );
  });

  test.each([
    { time: '2026-11-21T08:00:00.123Z', shown: '2026-11-21 08:00:00 UTC' },
    { time: '2026-11-21T08:00:00Z', shown: '2026-11-21 08:00:00 UTC' },
    { time: 'at 2026-11-21T08:00:00Z', shown: 'at 2026-11-21T08:00:00Z' },
    { time: '2026-11-21T08:00:00Z!', shown: '2026-11-21T08:00:00Z!' },
    { time: '2026-11-21T08:00:00+01:00', shown: '2026-11-21T08:00:00+01:00' },
  ])('the time $time', ({ time, shown }) => {
    const summary = summaryOf(timedOut({ job: jobOf({ createdAt: time }) }));
    expect(rowsOf(summary)).toContainEqual(['Created', shown]);
  });

  const sha = 'abc1234def0123456789abcdef0123456789abcd';
  test.each([
    { what: 'a commit', ref: sha, shown: 'abc1234' },
    { what: 'a name that begins like a commit', ref: `${sha}-old`, shown: `${sha}-old` },
    { what: 'a name that ends like a commit', ref: `pre-${sha}`, shown: `pre-${sha}` },
    { what: 'a name of 101 letters', ref: 'n'.repeat(101), shown: `${'n'.repeat(99)}…` },
  ])('the start of the changes at $what', ({ ref, shown }) => {
    const summary = summaryOf(timedOut({ changes: { ...CHANGES, base: ref } }));
    const changes = `2 commits, 3 files (1 matches paths), ${shown}…v2`;
    expect(rowsOf(summary)).toContainEqual(['Changes', changes]);
  });

  test.each([
    { repository: 'https://github.com/acme/docs', shown: 'acme/docs' },
    { repository: 'https://github.com/acme/docs.git', shown: 'acme/docs' },
    { repository: 'https://ghe.example/acme/docs.v2/', shown: 'acme/docs.v2' },
    { repository: 'https://gitlab.com/a/b/docs', shown: 'https://gitlab.com/a/b/docs' },
    { repository: 'https://github.com/acme/docs?x', shown: 'https://github.com/acme/docs?x' },
    { repository: 'acme/docs', shown: 'acme/docs', links: [] },
    { repository: 'ssh://git@ghe.example/a/b', shown: 'ssh://***@ghe.example/a/b', links: [] },
  ])('the docs repository $repository', ({ repository, shown, links = [repository] }) => {
    const summary = summaryOf(timedOut({ job: jobOf({ source: { repository } }) }));
    expect(linksOf(summary)).toEqual(links);
    expect(rowsOf(summary)).toContainEqual(['Docs repository', shown]);
  });
});

test.each([
  { promise: 'a URL of 2,000 characters', url: `https://x.example/${'a'.repeat(1_982)}` },
  { promise: 'none that is longer', url: `https://x.example/${'a'.repeat(1_983)}`, links: [] },
  { promise: 'none that is not http(s)', url: 'javascript:alert(1)', links: [] },
])('the range of commits is linked to $promise', ({ url, links = [url] }) => {
  const summary = summaryOf(timedOut({ changes: { ...CHANGES, url } }));
  expect(linksOf(summary)).toEqual(links);
  expect(rowsOf(summary).at(-2)?.[1]).toMatch(/, abc1234…v2$/);
});

test('a link has an address that nothing in it can change', () => {
  const prLink = 'https://x.example/?a=&quot;&amp;copy=1#<';
  expect(linksOf(summaryOf(endedWith('pull-request', { prLink })))).toEqual([
    'https://x.example/?a=&quot;&amp;copy=1#%3C',
  ]);
});

describe('the prompt', () => {
  test('keeps every line, blank line, tab and leading space', () => {
    const prompt = 'a\n\n  b\n\n\n\tc </span></pre>\n- d';
    const shown = prompt.replace('</span></pre>', '&lt;/span&gt;&lt;/pre&gt;');
    expect(htmlOf(timedOut({ prompt }))).toContain(`<pre><span><code>${shown}</code></span></pre>`);
  });

  // Every place at which the limit in bytes can fall into an escape or a character.
  test.each([
    { unit: '"', times: 167_000, shifts: [0, 1, 2, 3, 4, 5] },
    { unit: '😀', times: 251_000, shifts: [0, 1, 2, 3] },
  ])('is cut between characters: $unit', ({ unit, times, shifts }) => {
    for (const shift of shifts) {
      const prompt = `${'a'.repeat(shift)}${unit.repeat(times)}`;
      const summary = summaryOf(timedOut({ prompt }));
      expect(Buffer.byteLength(summary)).toBeGreaterThan(999_990);
      expect(Buffer.byteLength(summary)).toBeLessThanOrEqual(1_000_000);
      const [, title, shown = ''] =
        /<summary>(.*)<\/summary>\n\n<pre><span><code>(.*)<\/code><\/span><\/pre>\n\n<\/details>\n$/.exec(
          summary,
        ) ?? [];
      expect(title).toBe(`Prompt (first part of ${prompt.length} characters)`);
      const read = shown.replaceAll('&quot;', '"');
      expect(prompt.startsWith(read)).toBe(true);
    }
  });

  test.each([
    { promise: 'after a short first part', first: 1, prompt: 'a'.repeat(1_100_000) },
    { promise: 'after a long first part', first: 400, prompt: 'a'.repeat(1_100_000) },
    { promise: 'with characters that are written out', first: 1, prompt: '\0'.repeat(255_000) },
  ])('fills its megabyte $promise', ({ first, prompt }) => {
    const changes = { ...CHANGES, leftOut: Array<string>(first).fill('x'.repeat(500)) };
    expect(Buffer.byteLength(summaryOf(timedOut({ changes, prompt })))).toBe(1_000_000);
  });

  test('is said to be cut only when it was', () => {
    const room = 1_000_000 - Buffer.byteLength(summaryOf(timedOut({ prompt: '' })));
    // Writing out the number of characters takes seven more characters.
    const most = room - 7 - 'first part of '.length;
    const isCut = [most, room].map((length) =>
      summaryOf(timedOut({ prompt: 'a'.repeat(length) })).includes('first part of '),
    );
    expect(isCut).toEqual([false, true]);
  });

  test('is said to be cut, and has no half of a secret at its end, though what is left would fit', () => {
    const secret = 'mint_0123456789abcdefghijklmnopqrstuvwxyz';
    const prompt = `${'x'.repeat(20)}${secret.repeat(30_000)}`;
    const { summary } = reportOn(timedOut({ prompt }), (text) => text.replaceAll(secret, '***'));
    expect(summary).toContain('Prompt (first part of 1230020 characters)');
    expect(summary).toContain('xxx***');
    expect(summary).not.toContain('mint');
  });
});

describe('text from outside', () => {
  /** The project of a run in the heading, as HTML, and as it should be: one code span. */
  function expectOneCodeSpan(projectId: string): void {
    const html = htmlOf(timedOut({ inputs: { ...INPUTS, projectId } }));
    const found = /^<h2>⏳ Timed out; the agent job is still running · (.*)<\/h2>\n/.exec(
      html,
    )?.[1];
    const text = escapeHtml(escapeInvisible(cut(projectId, 500))).replaceAll('&#39;', "'");
    expect(found).toBe(`<code>${text}</code>`);
  }

  test.each(Object.entries({ ...HOSTILE_TEXTS, 'an HTML tag': '<b>*x* @y', spaces: '  ' }))(
    'is code in the heading, and nothing else: %s',
    (_name, projectId) => expectOneCodeSpan(projectId),
  );

  test('is code in the heading, and nothing else, when it is random', () => {
    const nasty = fc.string({ unit: fc.constantFrom('`', '``', ' ', '\\', '<', '*', '](x)', 'a') });
    const project = fc.oneof(anyText, nasty).filter((text) => text !== '');
    fc.assert(fc.property(project, expectOneCodeSpan), { numRuns: dose(30, 300) });
  });

  const everywhere = (text: string, message: string) =>
    summaryOf(
      resultOf(
        { kind: 'error', heading: 'It failed', message, call: { kind: 'not-accepted' } },
        {
          job: {
            ...jobOf({ prLink: text, source: { repository: text, ref: text } }),
            ...{ id: text, status: text, model: text, createdAt: text, archivedAt: text },
          },
          prompt: text,
          rerunEffect: undefined,
          changes: { kind: 'unknown', isFirstRun: true, reason: quote(text) },
        },
      ),
    );

  test('mentions nobody, because a mention in code does not notify', () => {
    const text = '@octocat @github/security #1';
    const html = render(everywhere(text, `It said ${quote(text)}.`));
    expect(html.match(/@octocat/g)).toHaveLength(11);
    expect(html.replace(/<code[^>]*>.*?<\/code>| href="[^"]*"/gs, '')).not.toMatch(/[@#]/);
  });

  const OWN = /^(?:a|code|details|h2|p|pre|span|summary|table|td|th|tr|wbr)$/;

  test.each(Object.entries(HOSTILE_TEXTS))('adds no element to ours: %s', (_name, text) => {
    const summary = everywhere(text, text);
    const { tags, links, headings } = elementsOf(summary);
    expect(tags.filter((tag) => !OWN.test(tag))).toEqual([]);
    expect(links.map((link) => new URL(link).hash)).toEqual(['#by-hand', '#it-failed']);
    expect([headings, unpairedTagsOf(summary)]).toEqual([['<h2'], []]);
  });
});
