import { describe, expect, test } from 'vitest';
import type { ChangesOverview } from '../../../src/changes-overview.ts';
import type { RunResult } from '../../../src/report/ending.ts';
import { reportOn } from '../../../src/report/report.ts';
import { quote } from '../../../src/text.ts';
import { HOSTILE_TEXTS } from '../../support/hostile-texts.ts';
import { elementsOf, render } from '../../support/markdown.ts';
import { failedWith, INPUTS, jobOf, resultOf, TIMED_OUT } from '../../support/results.ts';

const MIB = 1024 * 1024;
const summaryOf = (given: RunResult) => reportOn(given).summary;

const CHANGES: ChangesOverview = {
  kind: 'known',
  commits: 2,
  files: 3,
  selectedFiles: 1,
  base: 'abc1234def0123456789abcdef0123456789abcd',
  head: 'v2',
  url: 'https://github.com/acme/app/compare/abc1234def0123456789abcdef0123456789abcd...v2',
  leftOut: [],
};

describe('the summary', () => {
  const done = jobOf({
    status: 'completed',
    prLink: 'https://github.com/acme/docs/pull/1',
    model: 'm',
    source: { repository: 'https://github.com/acme/docs', ref: 'main' },
    createdAt: '2026-11-21T08:00:00.123Z',
    archivedAt: 'yesterday',
  });
  const html = render(
    summaryOf(
      resultOf({ kind: 'ended', end: 'pull-request', job: done }, { job: done, changes: CHANGES }),
    ),
  );

  test('has the outcome as its heading, and the link first', () => {
    expect(html).toMatch(
      /^<h2>✅ Docs pull request ready · p1<\/h2>\n<p><strong><a href="https:\/\/github.com\/acme\/docs\/pull\/1">acme\/docs#1<\/a>/,
    );
  });

  test('has a table with everything that is known', () => {
    const rows = [...html.matchAll(/<tr><th align="left">(.*?)<\/th><td>(.*?)<\/td><\/tr>/g)].map(
      ([, name, value]) => [name, value?.replace(/<[^>]+>/g, '')],
    );
    expect(rows).toEqual([
      ['Agent job', 'job_1'],
      ['Status', 'completed'],
      ['Docs repository', 'https://github.com/acme/docs'],
      ['Branch', 'main'],
      ['Model', 'm'],
      ['Created', '2026-11-21 08:00:00 UTC'],
      ['Archived', 'yesterday'],
      ['Changes', '2 commits, 3 files (1 match paths), abc1234…v2'],
      ['Duration', '1 min 5 s (3 reads)'],
    ]);
  });

  test('has a folded prompt', () => {
    expect(html).toContain('<details><summary>Prompt (12 characters)</summary>');
    expect(html).toContain('<pre><code>Document it.</code></pre>');
  });

  test('without inputs has no table and no prompt', () => {
    const summary = summaryOf(
      resultOf(failedWith('M.'), {
        inputs: undefined,
        prompt: undefined,
        job: undefined,
        jobId: undefined,
        reads: 0,
        isAccepted: false,
      }),
    );
    expect(summary).toBe('## ❌ It failed\n\n<p>M.</p>\n');
  });

  test.each(['"', '😀', '\u0007', '語', '\n'])(
    'stays under 1 MiB for a prompt that repeats %j',
    (unit) => {
      const prompt = unit.repeat(1_500_000);
      const summary = summaryOf(resultOf(TIMED_OUT, { prompt }));
      expect(Buffer.byteLength(summary)).toBeLessThan(MIB);
      expect(summary).toContain('</code></pre>\n\n</details>\n');
      expect(summary).toContain('first part of ');
      expect(summary.isWellFormed()).toBe(true);
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

  test('names a GitLab merge request by its project', () => {
    const job = jobOf({
      status: 'completed',
      prLink: 'https://gitlab.com/acme/web/docs/-/merge_requests/7',
    });
    const html = render(summaryOf(resultOf({ kind: 'ended', end: 'pull-request', job }, { job })));
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
    const summary = summaryOf(resultOf({ kind: 'ended', end: 'pull-request', job }, { job }));
    expect(elementsOf(summary).links).toEqual(links);
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

  test('says why the changes are not known', () => {
    const changes = { kind: 'unknown', reason: 'no base for `push`' } as const;
    expect(render(summaryOf(resultOf(TIMED_OUT, { changes })))).toContain(
      '<td>Not known: no base for <code>push</code></td>',
    );
  });

  test('lists several problems', () => {
    const problems = ['`a` is wrong', '`b` is wrong', '`c` is wrong'];
    const html = render(summaryOf(resultOf({ kind: 'bad-inputs', problems })));
    expect(html.match(/<li><code>[abc]<\/code> is wrong<\/li>/g)).toHaveLength(3);
  });

  test('has two paragraphs for an error and what to check after it', () => {
    const maybe = resultOf(failedWith('Why.', true));
    expect(summaryOf(maybe)).toMatch(/\n\n<p>Why\.<\/p>\n\n<p>Before you run this again, look/);
  });

  test('shows the prompt of a dry run unfolded', () => {
    expect(summaryOf(resultOf({ kind: 'dry-run' }))).toContain(
      '<details open><summary>Prompt (12 characters)</summary>',
    );
  });

  test('shows a project that is not a plain word as code', () => {
    const inputs = { ...INPUTS, projectId: '<b>*x* @y' };
    expect(summaryOf(resultOf(TIMED_OUT, { inputs }))).toMatch(
      /^## .* · <code>&lt;b&gt;\*x\* @y<\/code>\n/,
    );
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
    expect(html.replace(/<code[^>]*>[^<]*<\/code>/g, '')).not.toMatch(/[@#]/);
  });

  test.each(Object.entries(HOSTILE_TEXTS))('contains only our own elements: %s', (_name, text) => {
    const hostile = jobOf({
      status: text,
      prLink: text,
      model: text,
      source: { repository: text, ref: text },
      createdAt: text,
      archivedAt: text,
    });
    const summary = summaryOf(
      resultOf(failedWith(text), {
        job: hostile,
        jobId: text,
        prompt: text,
        changes: { kind: 'unknown', reason: quote(text) },
      }),
    );
    const { tags, links, headings } = elementsOf(summary);
    const own = ['a', 'code', 'details', 'h2', 'p', 'pre', 'summary', 'table', 'td', 'th', 'tr'];
    expect(tags.filter((tag) => !own.includes(tag))).toEqual([]);
    expect([links, headings]).toEqual([[], ['<h2']]);
  });
});
