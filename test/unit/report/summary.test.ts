/** The parts of a job summary. endings.md shows whole ones. */
import { describe, expect, test } from 'vitest';
import { StepError } from '../../../src/errors.ts';
import type { Ending } from '../../../src/report/ending.ts';
import { summaryOf } from '../../../src/report/report.ts';
import { wordingOf } from '../../../src/report/wording.ts';
import { quote } from '../../../src/text/escape.ts';
import { jobOf, PULL } from '../../support/agent-job.ts';
import { HOSTILE_TEXTS } from '../../support/hostile-texts.ts';
import { elementsOf, render, unpairedTagsOf } from '../../support/markdown.ts';
import { CHANGES, DOCS_PULL, type More, reportOf } from './known.ts';

function written(more: More, ending: Ending = { kind: 'pull-request' }): string {
  const report = reportOf(ending, more);
  return summaryOf(report, wordingOf(report, false));
}

test('names 30 pages of the pull request, and how many there are more', () => {
  const pages = Array.from({ length: 100 }, (_, n) => ({
    ...{ path: `page-${n}.mdx`, additions: 1, deletions: 0 },
  }));
  const summary = written({ docsPull: { ...DOCS_PULL, pages, pageCount: 140 } });
  expect(summary.match(/page-\d+\.mdx/g)).toHaveLength(30);
  expect(summary).toContain(`<a href="${PULL}/files">110 more files</a>`);
});

describe('the prompt', () => {
  test('keeps every line, blank line, tab and leading space', () => {
    const prompt = 'a\n\n  b\n\n\n\tc </span></pre>\n- d';
    const shown = prompt.replace('</span></pre>', '&lt;/span&gt;&lt;/pre&gt;');
    expect(render(written({ prompt }))).toContain(`<pre><span><code>${shown}</code></span></pre>`);
  });

  test('is whole up to the 200 kB of a prompt with changes', () => {
    const prompt = '"a" '.repeat(50_000);
    const shown = `<code>${prompt.replaceAll('"', '&quot;')}</code></span>`;
    expect(written({ prompt })).toContain(shown);
  });

  test.each([
    ['emoji', `a${'😀'.repeat(300_000)}`, '😀…</code></span>'],
    ['line breaks', '\u2028'.repeat(300_000), '\\u{2028}…</code></span>'],
  ])('of %s is cut between two, so that GitHub takes the summary', (_what, prompt, end) => {
    const summary = written({ prompt });
    expect(summary).toContain(end);
    expect(summary).toContain('<summary>First part of the prompt (');
    expect(Buffer.byteLength(summary)).toBeLessThan(2 ** 20);
  });
});

describe('text from outside', () => {
  /** A run whose every text is the given one. */
  function everywhere(text: string): string {
    const job = { ...jobOf(text), id: text, repository: text, ref: text, json: text };
    const changes = { ...CHANGES, from: text, to: text, compareUrl: text };
    const pages = [{ path: text, additions: 1, deletions: 0 }];
    const docsPull = { ...DOCS_PULL, title: text, repository: text, pages };
    const inputs = { projectId: text };
    const known = { job, changes, docsPull, inputs, prompt: text };
    const error = new StepError('git', `It said ${quote(text)}`);
    const ready = written({ ...known, job: { ...job, prLink: PULL } });
    return `${written(known, { kind: 'stopped', error })}\n${ready}`;
  }

  const OURS = /^(?:a|code|details|h2|li|p|pre|span|summary|table|td|th|tr|ul)$/;

  test.each(Object.entries(HOSTILE_TEXTS))('adds no element to ours: %s', (_name, text) => {
    const summary = everywhere(text);
    const { tags, links, headings } = elementsOf(summary);
    expect(tags.filter((tag) => !OURS.test(tag))).toEqual([]);
    const hosts = new Set(links.map((link) => new URL(link).host));
    expect([...hosts]).toEqual(['github.com']);
    expect([headings, unpairedTagsOf(summary)]).toEqual([['<h2', '<h2'], []]);
    expect(summary.replace(/[\n\t]/g, '')).not.toMatch(/[\p{Cc}\p{Cf}]/u);
  });

  // GitHub drops a summary over 1 MiB.
  test('never makes the summary too long', () => {
    const text = '<'.repeat(2 ** 20);
    const known = { job: { ...jobOf(text), ref: text }, prompt: text };
    expect(written(known, { kind: 'archived' }).length).toBeLessThan(2 ** 20);
  });

  test('is escaped in a link of a message, which ends before a period', () => {
    const link = 'https://x.example/\u202e<b>';
    expect(written({}, { kind: 'merged', link })).not.toMatch(/\u202e|<b>/);
    const error = new StepError('git', 'See <b> at https://x.example/a');
    const linked = 'See &lt;b&gt; at <a href="https://x.example/a">https://x.example/a</a>.';
    expect(written({}, { kind: 'stopped', error })).toContain(linked);
  });

  test('mentions nobody, because a mention in code does not notify', () => {
    const html = render(everywhere('@octocat @github/security #1'));
    expect(html).toContain('@octocat');
    expect(html.replace(/<code>.*?<\/code>| href="[^"]*"|#4[12]/gs, '')).not.toMatch(/[@#]/);
  });
});
