import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { NO_JOB } from '../../../src/agent/job.ts';
import type { ChangesOverview } from '../../../src/lib/changes-overview.ts';
import { cut, escapeInvisible, quote } from '../../../src/lib/escape.ts';
import type { RunResult } from '../../../src/report/ending.ts';
import { escapeHtml } from '../../../src/report/html.ts';
import { reportOn } from '../../../src/report/report.ts';
import { dose } from '../../support/dose.ts';
import { FACTS } from '../../support/fakes.ts';
import { anyText, HOSTILE_TEXTS } from '../../support/hostile-texts.ts';
import { elementsOf, render, unpairedTagsOf } from '../../support/markdown.ts';
import {
  endedWith,
  failedWith,
  INPUTS,
  jobOf,
  plainReportOn,
  resultOf,
  TIMED_OUT,
} from '../../support/results.ts';

const MIB = 1024 * 1024;
const summaryOf = (given: RunResult) => plainReportOn(given).summary;

/** The rows of the table, as a reader sees them. */
const rowsOf = (summary: string) =>
  [...render(summary).matchAll(/<tr><th align="left">(.*?)<\/th><td>(.*?)<\/td><\/tr>/g)].map(
    ([, name, value]) => [name, value?.replace(/<[^>]+>/g, '')],
  );

const CHANGES: ChangesOverview = {
  kind: 'known',
  commits: 2,
  files: 3,
  selectedFiles: 1,
  base: 'abc1234def0123456789abcdef0123456789abcd',
  head: 'v2',
  url: 'https://github.com/acme/app/compare/abc1234def0123456789abcdef0123456789abcd...v2',
  patterns: [],
  exampleFiles: [],
  leftOut: [],
};

const HELP = 'https://github.com/docs-agent/docs-agent-job/blob/v1/.github/TROUBLESHOOTING.md#';

/** What the project of a run is in the heading, as HTML. */
function headingOf(projectId: string): string | undefined {
  const html = render(summaryOf(resultOf(TIMED_OUT, { inputs: { ...INPUTS, projectId } })));
  return /^<h2>⏳ Timed out; the agent job is still running · (.*)<\/h2>\n/.exec(html)?.[1];
}

/** The same, as it should be: one code span, with the text of the project. */
const shownProject = (projectId: string) =>
  `<code>${escapeHtml(escapeInvisible(cut(projectId, 500))).replaceAll('&#39;', "'")}</code>`;

/** The links that are not to our own pages. */
const linksOf = (summary: string) =>
  elementsOf(summary).links.filter((link) => !link.startsWith(HELP));

describe('the summary', () => {
  const done = jobOf({
    status: 'completed',
    prLink: 'https://github.com/acme/docs/pull/1',
    model: 'm',
    source: { repository: 'https://github.com/acme/docs', ref: 'main' },
    createdAt: '2026-11-21T08:00:00.123Z',
    archivedAt: 'yesterday',
  });
  const summary = summaryOf(endedWith('pull-request', done, { job: done, changes: CHANGES }));
  const html = render(summary);

  test('has the outcome as its heading, and the link first', () => {
    expect(html).toMatch(
      /^<h2>✅ Docs pull request ready · <code>p1<\/code><\/h2>\n<p><strong><a href="https:\/\/github.com\/acme\/docs\/pull\/1">acme\/docs#1<\/a>/,
    );
  });

  test('has a table with everything that is known', () => {
    expect(rowsOf(summary)).toEqual([
      ['Agent job', 'job_1'],
      ['Created by', 'this run'],
      ['Status', 'completed'],
      ['Docs repository', 'acme/docs'],
      ['Docs branch', 'main'],
      ['Model', 'm'],
      ['Created', '2026-11-21 08:00:00 UTC'],
      ['Archived', 'yesterday'],
      ['Changes', '2 commits, 3 files (1 matches paths), abc1234…v2'],
      ['Duration', '1 min 5 s (3 checks)'],
    ]);
  });

  test('says what to do about an agent job that failed, and links its pull request', () => {
    const job = jobOf({ status: 'failed', prLink: 'https://github.com/acme/docs/pull/1' });
    const failed = summaryOf(endedWith('failed', job, { job }));
    expect(failed).toMatch(
      /^## ❌ The agent job failed · `p1`\n\n<p><strong><a [^>]+>acme\/docs#1<\/a><\/strong><\/p>\n\n<p>The service gives no reason\./,
    );
  });

  test('links the pull request of an agent job that was archived, and says it once', () => {
    const prLink = 'https://github.com/acme/docs/pull/1';
    const job = jobOf({ status: 'archived', prLink });
    const archived = summaryOf(endedWith('archived', job, { job }));
    expect(archived).toMatch(
      /^## ⚠️ The agent job was archived · `p1`\n\n<p><strong><a href="https:\/\/github\.com\/acme\/docs\/pull\/1">acme\/docs#1<\/a><\/strong><\/p>\n\n<table>/,
    );
    expect(linksOf(archived)).toEqual([prLink]);
  });

  test('has the step to paste as YAML in a block of code', () => {
    const rerun = summaryOf(resultOf(TIMED_OUT));
    const created = summaryOf(resultOf(TIMED_OUT, { press: undefined }));
    const step = `To wait for it in another workflow, paste this step:\n\n\`\`\`yaml\n- uses: docs-agent/docs-agent-job@v1\n  with:\n    jobId: 'job_1'\n    projectId: 'p1'\n    adminApiKey: \${{ secrets.MINTLIFY_ADMIN_API_KEY }}\n\`\`\`\n\n<p><a href="${HELP}timed-out">Troubleshooting</a></p>\n\n<table>`;
    expect(rerun).toContain(`</p>\n\n${step}`);
    expect(created).toContain(`costs credits.</p>\n\n${step}`);
  });

  test('says what a pull request was added to, and who sent the message', () => {
    const more = { job: done, isUpdated: true, appendedTo: 'acme/docs#1' };
    const added = summaryOf(endedWith('pull-request', done, more));
    expect(added).toContain('<p>Added to <strong><a href="https://github.com/acme/docs/pull/1">');
    expect(rowsOf(added).slice(0, 2)).toEqual([
      ['Agent job', 'job_1'],
      ['Follow-up message', 'sent by this run'],
    ]);
  });

  test.each([
    { ending: TIMED_OUT, isAccepted: true, title: 'Prompt (12 characters)' },
    {
      ending: failedWith('Why.', true),
      isAccepted: false,
      title: 'Prompt, which may have been sent (12 characters)',
    },
    {
      ending: failedWith('Why.'),
      isAccepted: false,
      title: 'Prompt, not sent (12 characters)',
    },
  ])('says of the prompt: $title', ({ ending, isAccepted, title }) => {
    expect(summaryOf(resultOf(ending, { isAccepted }))).toContain(`<summary>${title}</summary>`);
  });

  test('has a folded prompt', () => {
    expect(html).toContain('<details><summary>Prompt (12 characters)</summary>');
    expect(html).toContain('<pre><span><code>Document it.</code></span></pre>');
  });

  test('without inputs has no table and no prompt', () => {
    const summary = summaryOf(
      resultOf(failedWith('M.'), {
        inputs: undefined,
        prompt: undefined,
        job: NO_JOB,
        checks: 0,
        isAccepted: false,
      }),
    );
    expect(summary).toBe(
      `## ❌ It failed\n\n<p>M.</p>\n\n<p><a href="${HELP}it-failed">Troubleshooting</a></p>\n`,
    );
  });

  test.each(['"', '😀', '\u0007', '語', '\n'])(
    'stays under 1 MiB for a prompt that repeats %j',
    (unit) => {
      const prompt = unit.repeat(1_500_000);
      const summary = summaryOf(resultOf(TIMED_OUT, { prompt }));
      expect(Buffer.byteLength(summary)).toBeLessThan(MIB);
      expect(summary).toContain('</code></span></pre>\n\n</details>\n');
      expect(summary).toContain('first part of ');
      expect(summary.isWellFormed()).toBe(true);
    },
  );

  test.each([
    { promise: 'a short first part', first: 1 },
    { promise: 'a long first part', first: 400 },
  ])('uses the rest of its megabyte for the prompt after $promise', ({ first }) => {
    const changes = { ...CHANGES, leftOut: Array<string>(first).fill('x'.repeat(500)) };
    const summary = summaryOf(resultOf(TIMED_OUT, { changes, prompt: 'a'.repeat(1_100_000) }));
    expect(Buffer.byteLength(summary)).toBe(1_000_000);
  });

  test('says that a prompt was cut only when it was', () => {
    const room = 1_000_000 - Buffer.byteLength(summaryOf(resultOf(TIMED_OUT, { prompt: '' })));
    // Writing out the number of characters takes seven more characters.
    const whole = summaryOf(
      resultOf(TIMED_OUT, { prompt: 'a'.repeat(room - 7 - 'first part of '.length) }),
    );
    const cut = summaryOf(resultOf(TIMED_OUT, { prompt: 'a'.repeat(room) }));
    expect([whole, cut].map((summary) => summary.includes('first part of '))).toEqual([
      false,
      true,
    ]);
  });

  test('says that a prompt was cut before it reached the summary', () => {
    const summary = summaryOf(resultOf(TIMED_OUT, { prompt: '\u{10ffff}'.repeat(1_000_000) }));
    expect(summary).toContain('Prompt (first part of 2000000 characters)');
  });

  test('shows no half of a secret where the prompt was cut, though what is left would fit', () => {
    const secret = 'mint_0123456789abcdefghijklmnopqrstuvwxyz';
    const prompt = `${'x'.repeat(20)}${secret.repeat(30_000)}`;
    const clean = (text: string) => text.replaceAll(secret, '***');
    const { summary } = reportOn(resultOf(TIMED_OUT, { prompt }), clean);
    expect(summary).toContain('xxx***');
    expect(summary).not.toContain(secret.slice(0, 4));
  });

  // HTML escapes have up to five characters, and the limit may fall on any of them.
  test.each(Array.from({ length: 6 }, (_, shift) => shift))(
    'is cut between the escapes of characters, %s bytes further on',
    (shift) => {
      const prompt = `${'a'.repeat(shift)}${'"&<'.repeat(100_000)}`;
      const shown =
        /<pre><span><code>(.*)<\/code><\/span><\/pre>/s.exec(
          summaryOf(resultOf(TIMED_OUT, { prompt })),
        )?.[1] ?? '';
      const read = shown.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&amp;', '&');
      expect(prompt.startsWith(read)).toBe(true);
      expect(prompt.length - read.length).toBeGreaterThan(50_000);
      expect(shown.length).toBeGreaterThan(990_000);
    },
  );

  // Every place at which the limit in bytes can fall into a character of four bytes.
  test.each([0, 1, 2, 3])('is cut between characters when the limit moves by %s bytes', (shift) => {
    const prompt = `${'a'.repeat(shift)}${'😀'.repeat(300_000)}`;
    const summary = summaryOf(resultOf(TIMED_OUT, { prompt }));
    expect(summary).toContain('first part of ');
    expect(summary.isWellFormed()).toBe(true);
    expect(summary).not.toMatch(/[\ufffd]|\\u\{/);
  });

  test('says how to keep waiting before the table', () => {
    const html = render(summaryOf(resultOf(TIMED_OUT)));
    expect(html).toMatch(/Re-run failed jobs.*- uses:.*<table>.*<details>/s);
  });

  test.each([
    { host: 'github.com', shown: 'acme/docs#123' },
    { host: 'gitlab.com', shown: 'acme/docs#123' },
    { host: 'ghe.acme.example', shown: 'acme/docs#123' },
    { host: 'github.com.evil.example', shown: 'github.com.evil.example/acme/docs#123' },
    { host: 'evil-github.com', shown: 'evil-github.com/acme/docs#123' },
    { host: 'github.com:8443', shown: 'github.com:8443/acme/docs#123' },
    { host: 'gıthub.com', shown: 'xn--gthub-n4a.com/acme/docs#123' },
  ])('shows a pull request on $host as $shown', ({ host, shown }) => {
    const job = jobOf({ status: 'completed', prLink: `https://${host}/acme/docs/pull/123` });
    const facts = { ...FACTS, serverUrl: 'https://ghe.acme.example' };
    const html = render(summaryOf(endedWith('pull-request', job, { facts })));
    expect(html.match(/<strong><a [^>]+>([^<]+)<\/a><\/strong>/)?.[1]).toBe(shown);
  });

  test('names a GitLab merge request by its project', () => {
    const job = jobOf({
      status: 'completed',
      prLink: 'https://gitlab.com/acme/web/docs/-/merge_requests/7',
    });
    const html = render(summaryOf(endedWith('pull-request', job, { job })));
    expect(html).toContain(
      '<a href="https://gitlab.com/acme/web/docs/-/merge_requests/7">acme/web/docs#7</a>',
    );
  });

  test.each([
    {
      promise: 'shows another link as it is',
      prLink: 'https://bitbucket.org/acme/docs/pull-requests/7',
      links: ['https://bitbucket.org/acme/docs/pull-requests/7'],
    },
    {
      promise: 'shows a link of more than 2,000 characters as plain text',
      prLink: `https://x.example/${'a'.repeat(2_000)}`,
      links: [],
    },
  ])('$promise', ({ prLink, links }) => {
    const job = jobOf({ status: 'completed', prLink });
    const summary = summaryOf(endedWith('pull-request', job, { job }));
    expect(linksOf(summary)).toEqual(links);
    expect(summary).toContain(`<code>${prLink.slice(0, 400)}`);
  });

  test('lists what was left out of the prompt', () => {
    const leftOut = ['3 commits, oldest first', 'the patch of `a.ts`'];
    const inputs = { ...INPUTS, changes: 'files' } as const;
    const changes = { ...CHANGES, leftOut };
    const html = render(summaryOf(resultOf(TIMED_OUT, { inputs, changes })));
    expect(html).toContain(
      '<p>Left out of the prompt:</p>\n<ul>\n<li><code>3 commits, oldest first</code></li>\n<li><code>the patch of `a.ts`</code></li>\n</ul>',
    );
  });

  test('says that the list of changes has gaps when the prompt contains no changes', () => {
    const changes = { ...CHANGES, leftOut: ['more files'] };
    expect(summaryOf(resultOf(TIMED_OUT, { changes }))).toContain(
      '<p>The list of changes is not complete:</p>\n<ul>\n<li><code>more files</code></li>\n</ul>',
    );
  });

  test('lists nothing when nothing was left out', () => {
    const { tags } = elementsOf(summaryOf(resultOf(TIMED_OUT, { changes: CHANGES })));
    expect(tags).not.toContain('ul');
  });

  test.each([
    { promise: 'a pull request', summary },
    { promise: 'a timeout', summary: summaryOf(resultOf(TIMED_OUT)) },
    { promise: 'a dry run', summary: summaryOf(resultOf({ kind: 'dry-run' })) },
    {
      promise: 'inputs that cannot be used',
      summary: summaryOf(resultOf({ kind: 'bad-inputs', problems: ['`a` is wrong', 'so is `b`'] })),
    },
    {
      promise: 'an incomplete list of changes',
      summary: summaryOf(resultOf(TIMED_OUT, { changes: { ...CHANGES, leftOut: ['a', 'b'] } })),
    },
  ])('closes every element for $promise', ({ summary }) => {
    expect(unpairedTagsOf(summary)).toEqual([]);
  });

  test('names the attempt that created the agent job', () => {
    const rows = rowsOf(summaryOf(resultOf(TIMED_OUT, { resumedFrom: 2, checks: 0 })));
    expect(rows).toEqual([
      ['Agent job', 'job_1'],
      ['Created by', 'attempt 2 of this workflow run'],
      ['Status', 'active'],
    ]);
  });

  test('has no table when the inputs cannot be used, even if one of them names an agent job', () => {
    const summary = summaryOf(resultOf({ kind: 'bad-inputs', problems: ['`a` is wrong'] }));
    expect(elementsOf(summary).tags).not.toContain('table');
  });

  test.each([
    {
      promise: 'with a fraction',
      createdAt: '2026-11-21T08:00:00.123Z',
      shown: '2026-11-21 08:00:00 UTC',
    },
    {
      promise: 'without a fraction',
      createdAt: '2026-11-21T08:00:00Z',
      shown: '2026-11-21 08:00:00 UTC',
    },
    {
      promise: 'with text before it',
      createdAt: 'at 2026-11-21T08:00:00Z',
      shown: 'at 2026-11-21T08:00:00Z',
    },
    {
      promise: 'with text after it',
      createdAt: '2026-11-21T08:00:00Z!',
      shown: '2026-11-21T08:00:00Z!',
    },
    {
      promise: 'in another time zone',
      createdAt: '2026-11-21T08:00:00+01:00',
      shown: '2026-11-21T08:00:00+01:00',
    },
  ])('shows a time $promise as $shown', ({ createdAt, shown }) => {
    const rows = rowsOf(summaryOf(resultOf(TIMED_OUT, { job: jobOf({ createdAt }) })));
    expect(rows).toContainEqual(['Created', shown]);
  });

  const sha = 'abc1234def0123456789abcdef0123456789abcd';
  test.each([
    { promise: 'a commit to seven characters', ref: sha, shown: 'abc1234' },
    {
      promise: 'no name that begins like a commit',
      ref: `${sha}-old`,
      shown: `${sha}-old`,
    },
    {
      promise: 'no name that ends like a commit',
      ref: `pre-${sha}`,
      shown: `pre-${sha}`,
    },
    { promise: 'a long name to a hundred', ref: 'n'.repeat(101), shown: `${'n'.repeat(99)}…` },
  ])('shortens $promise', ({ ref, shown }) => {
    const changes = { ...CHANGES, base: ref };
    const rows = rowsOf(summaryOf(resultOf(TIMED_OUT, { changes })));
    expect(rows).toContainEqual(['Changes', `2 commits, 3 files (1 matches paths), ${shown}…v2`]);
  });

  const long = (length: number) => `https://x.example/${'a'.repeat(length - 18)}`;
  test.each([
    { promise: 'is linked to the comparison', url: CHANGES.url, links: [CHANGES.url] },
    { promise: 'is linked by a URL of 2,000 characters', url: long(2_000), links: [long(2_000)] },
    { promise: 'is not linked by a longer one', url: long(2_001), links: [] },
    {
      promise: 'is not linked by a URL that is not http(s)',
      url: 'javascript:alert(1)',
      links: [],
    },
  ])('has a range of commits that $promise', ({ url, links }) => {
    const summary = summaryOf(resultOf(TIMED_OUT, { changes: { ...CHANGES, url } }));
    expect(linksOf(summary)).toEqual(links);
    expect(rowsOf(summary)).toContainEqual([
      'Changes',
      '2 commits, 3 files (1 matches paths), abc1234…v2',
    ]);
  });

  test.each([
    { repository: 'https://github.com/acme/docs', shown: 'acme/docs', isLinked: true },
    { repository: 'https://github.com/acme/docs.git', shown: 'acme/docs', isLinked: true },
    { repository: 'https://ghe.example/acme/docs.v2/', shown: 'acme/docs.v2', isLinked: true },
    {
      repository: 'https://gitlab.com/a/b/docs',
      shown: 'https://gitlab.com/a/b/docs',
      isLinked: true,
    },
    {
      repository: 'https://github.com/acme/docs?x',
      shown: 'https://github.com/acme/docs?x',
      isLinked: true,
    },
    { repository: 'acme/docs', shown: 'acme/docs', isLinked: false },
    {
      repository: 'ssh://git@github.com/acme/docs',
      shown: 'ssh://***@github.com/acme/docs',
      isLinked: false,
    },
  ])('shows the docs repository $repository as $shown', ({ repository, shown, isLinked }) => {
    const summary = summaryOf(resultOf(TIMED_OUT, { job: jobOf({ source: { repository } }) }));
    expect(linksOf(summary)).toEqual(isLinked ? [repository] : []);
    expect(rowsOf(summary)).toContainEqual(['Docs repository', shown]);
  });

  test('says why the changes are not known', () => {
    const changes = { kind: 'unknown', reason: 'no base for `push`' } as const;
    expect(render(summaryOf(resultOf(TIMED_OUT, { changes })))).toContain(
      '<td>Not known: no base for <code>push</code></td>',
    );
  });

  test('lists several problems, and says one as a sentence', () => {
    const problems = ['`a` is wrong', '`b` is wrong'];
    const bad = (of: readonly string[]) =>
      summaryOf(resultOf({ kind: 'bad-inputs', problems: of }, { isAccepted: false }));
    const several = bad(problems);
    const one = bad(['`a` is wrong']);
    expect(several).toContain(
      '\n\n<ul>\n<li><code>a</code> is wrong</li>\n<li><code>b</code> is wrong</li>\n</ul>\n\n',
    );
    expect(one).toContain('\n\n<p><code>a</code> is wrong</p>\n\n');
  });

  test('links the dashboard wherever our own words name it', () => {
    const problems = [
      'The id is on the API keys page of your Mintlify dashboard.',
      '`b` is wrong.',
    ];
    const listed = summaryOf(resultOf({ kind: 'bad-inputs', problems }));
    const failed = summaryOf(endedWith('failed', jobOf({ status: 'failed' })));
    for (const summary of [listed, failed]) {
      expect(linksOf(summary)).toEqual(['https://app.mintlify.com']);
    }
  });

  test('has two paragraphs for an error and what to check after it', () => {
    const maybe = resultOf(failedWith('Why.', true), { isAccepted: false });
    expect(summaryOf(maybe)).toMatch(/\n\n<p>Why\.<\/p>\n\n<p>An agent job may exist\. Before/);
  });

  test('shows the prompt of a dry run unfolded', () => {
    expect(summaryOf(resultOf({ kind: 'dry-run' }))).toContain(
      '<details open><summary>Prompt (12 characters)</summary>',
    );
  });

  test.each(Object.entries({ ...HOSTILE_TEXTS, 'an HTML tag': '<b>*x* @y', spaces: '  ' }))(
    'has a heading in which a project stands as code and is nothing else: %s',
    (_name, projectId) => {
      expect(headingOf(projectId)).toBe(shownProject(projectId));
    },
  );

  test('has a heading in which random text stands as code and is nothing else', () => {
    const nasty = fc.string({ unit: fc.constantFrom('`', '``', ' ', '\\', '<', '*', '](x)', 'a') });
    fc.assert(
      fc.property(fc.oneof(anyText, nasty), (projectId) => {
        fc.pre(projectId !== '');
        expect(headingOf(projectId)).toBe(shownProject(projectId));
      }),
      { numRuns: dose(30, 300) },
    );
  });

  test('has links whose address nothing in them can change', () => {
    const prLink = 'https://x.example/?a=&quot;&amp;copy=1#<';
    const job = jobOf({ status: 'completed', prLink });
    const summary = summaryOf(endedWith('pull-request', job));
    expect(linksOf(summary)).toEqual(['https://x.example/?a=&quot;&amp;copy=1#%3C']);
  });

  test('has long words in its table that wrap, and are copied whole', () => {
    const id = '0f3c5a9e7d414b1e9d552b6f5c1a8e70';
    const summary = summaryOf(resultOf(TIMED_OUT, { job: jobOf({ id, model: 'a <b> c' }) }));
    expect(summary).toContain('<td><code>0f3c5a9e7d414b1e<wbr>9d552b6f5c1a8e70</code></td>');
    expect(summary).toContain('<td><code>a &lt;b&gt; c</code></td>');
    expect(rowsOf(summary)).toContainEqual(['Agent job', id]);
  });

  test('keeps every line, blank line, tab and leading space of the prompt', () => {
    const prompt = 'a\n\n  b\n\n\n\tc </span></pre>\n- d';
    const html = render(summaryOf(resultOf(TIMED_OUT, { prompt })));
    const shown = prompt.replace('</span></pre>', '&lt;/span&gt;&lt;/pre&gt;');
    expect(html).toContain(`<pre><span><code>${shown}</code></span></pre>`);
  });

  test('mentions nobody, because a mention in code does not notify', () => {
    const text = '@octocat @github/security #1';
    const mentioning = jobOf({
      status: text,
      model: text,
      source: { repository: text, ref: text },
    });
    const html = render(
      summaryOf(resultOf(failedWith(`It said ${quote(text)}.`), { job: mentioning, prompt: text })),
    );
    expect(html.match(/@octocat/g)).toHaveLength(6);
    expect(html.replace(/<code[^>]*>.*?<\/code>| href="[^"]*"/gs, '')).not.toMatch(/[@#]/);
  });

  test.each(Object.entries(HOSTILE_TEXTS))('contains only our own elements: %s', (_name, text) => {
    const fields = jobOf({
      status: text,
      prLink: text,
      model: text,
      source: { repository: text, ref: text },
      createdAt: text,
      archivedAt: text,
    });
    const summary = summaryOf(
      resultOf(failedWith(text), {
        job: { ...fields, id: text },
        prompt: text,
        changes: { kind: 'unknown', reason: quote(text) },
      }),
    );
    const { tags, links, headings } = elementsOf(summary);
    const own = [
      'a',
      'code',
      'details',
      'h2',
      'p',
      'pre',
      'span',
      'summary',
      'table',
      'td',
      'th',
      'tr',
      'wbr',
    ];
    expect(tags.filter((tag) => !own.includes(tag))).toEqual([]);
    expect([links, headings, unpairedTagsOf(summary)]).toEqual([[`${HELP}it-failed`], ['<h2'], []]);
  });
});
