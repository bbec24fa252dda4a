import { describe, expect, test } from 'vitest';
import { type Job, parseJob } from '../../../src/agent/job.ts';
import { parseInputs } from '../../../src/inputs.ts';
import type { Ending, RunRecord } from '../../../src/report/ending.ts';
import { verdictOn } from '../../../src/report/ending.ts';
import { reportOn } from '../../../src/report/report.ts';
import { followLines } from '../../../src/report/summary.ts';
import { quote } from '../../../src/text.ts';
import { HOSTILE_TEXTS } from '../../support/hostile-texts.ts';
import { elementsOf, render } from '../../support/markdown.ts';

const MIB = 1024 * 1024;
const summaryOf = (given: RunRecord) => reportOn(given).summary;
const inputs = parseInputs(
  { prompt: 'x', projectId: 'p1', adminApiKey: 'mint_0123456789' },
  { actor: undefined, eventName: undefined },
);

function jobOf(fields: Record<string, unknown> = {}): Job {
  const result = parseJob(JSON.stringify({ id: 'job_1', status: 'active', ...fields }));
  if (result.kind !== 'job') throw new Error(result.why);
  return result.job;
}

const record = (ending: Ending, more: Partial<RunRecord> = {}): RunRecord => ({
  inputs,
  prompt: 'Document it.',
  changes: undefined,
  jobId: 'job_1',
  job: jobOf(),
  reads: 3,
  tookMs: 65_000,
  endedAt: Date.UTC(2026, 10, 21, 8, 0, 30),
  ending,
  ...more,
});

const error = (more: object = {}): Ending =>
  ({
    kind: 'error',
    title: 'T',
    message: 'M.',
    jobExists: 'no',
    isFollowable: false,
    ...more,
  }) as Ending;

describe('the verdict', () => {
  test.each<readonly [string, RunRecord, string, boolean, RegExp]>([
    [
      'archived',
      record({ kind: 'ended', end: 'archived', job: jobOf({ status: 'archived' }) }),
      'warning',
      false,
      /opened no pull request/,
    ],
    [
      'archived with a link',
      record({
        kind: 'ended',
        end: 'archived',
        job: jobOf({ status: 'archived', prLink: 'https://x/1' }),
      }),
      'warning',
      false,
      /Its pull request: https:\/\/x\/1/,
    ],
    [
      'timed-out',
      record({ kind: 'timed-out', fault: undefined }),
      'error',
      true,
      /did not end within 30 min/,
    ],
    [
      'timed-out while reads failed',
      record({ kind: 'timed-out', fault: 'HTTP 502, the service said `x`' }),
      'error',
      true,
      /rather than creating another one\. The last read failed: HTTP 502, the service said `x`\.$/,
    ],
    [
      'completed with a link that may not be put out',
      record({
        kind: 'ended',
        end: 'no-changes',
        job: jobOf({ status: 'completed', prLink: 'javascript:x' }),
      }),
      'warning',
      false,
      /its pull request link `javascript:x` is not an http\(s\) URL/,
    ],
    [
      'cancelled before',
      record({ kind: 'cancelled', signal: 'SIGINT', jobExists: 'no' }, { jobId: undefined }),
      'error',
      true,
      /no job was created/,
    ],
    [
      'cancelled while creating',
      record({ kind: 'cancelled', signal: 'SIGINT', jobExists: 'maybe' }, { jobId: undefined }),
      'error',
      true,
      /created about 2026-11-21 08:00 UTC/,
    ],
    [
      'cancelled while sending',
      record({ kind: 'cancelled', signal: 'SIGINT', jobExists: 'maybe' }),
      'error',
      true,
      /look at job `job_1` in the dashboard/,
    ],
    [
      'cancelled while waiting',
      record({ kind: 'cancelled', signal: 'SIGINT', jobExists: 'no' }),
      'error',
      true,
      /Job `job_1` goes on/,
    ],
    ['error', record(error()), 'error', true, /^M\.$/],
    [
      'error after which a job may exist',
      record(error({ jobExists: 'maybe' }), { jobId: undefined }),
      'error',
      true,
      /^M\. A job may exist/,
    ],
  ])('%s', (_name, given, level, isFailure, message) => {
    expect(verdictOn(given)).toMatchObject({
      level,
      isFailure,
      message: expect.stringMatching(message),
    });
  });
});

describe('how to follow a job', () => {
  test('the lines can be pasted', () => {
    expect(followLines(record({ kind: 'timed-out', fault: undefined }))).toEqual([
      'with:',
      "  jobId: 'job_1'",
      "  projectId: 'p1'",
      '  adminApiKey: $' + '{{ secrets.MINTLIFY_ADMIN_API_KEY }}',
    ]);
  });

  test('another base URL is among them', () => {
    const elsewhere = { ...inputs, baseUrl: "https://agent.example/it's" };
    expect(
      followLines(record({ kind: 'timed-out', fault: undefined }, { inputs: elsewhere }))?.at(-1),
    ).toBe("  baseUrl: 'https://agent.example/it%27s'");
  });

  test.each([
    ['an id that is not plain', { jobId: '$' + '{{x}}' }],
    ['no id', { jobId: undefined }],
    ['no inputs', { inputs: undefined }],
  ])('there are none for %s', (_name, more) => {
    expect(followLines(record({ kind: 'timed-out', fault: undefined }, more))).toBeUndefined();
    const report = reportOn(record({ kind: 'timed-out', fault: undefined }, more));
    expect(report.closing).not.toContain('with:');
    expect(report.summary).toContain('The output `jobId` holds the id');
  });

  test('an error shows them when following may come to more', () => {
    expect(reportOn(record(error({ isFollowable: true }))).closing).toContain("jobId: 'job_1'");
    expect(reportOn(record(error())).closing).toBe('M.');
  });
});

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
      record(
        { kind: 'ended', end: 'pull-request', job: done },
        { job: done, changes: '1 commit from `a` to `b`' },
      ),
    ),
  );

  test('has what came of it as its heading and the link first', () => {
    expect(html).toMatch(
      /^<h2>Docs agent: Pull request ready<\/h2>\n<p><strong><a href="https:\/\/github.com\/acme\/docs\/pull\/1">/,
    );
  });

  test('has a table of what is known', () => {
    const rows = [...html.matchAll(/<tr><th align="left">(.*?)<\/th><td>(.*?)<\/td><\/tr>/g)].map(
      ([, name, value]) => [name, value?.replace(/<[^>]+>/g, '')],
    );
    expect(rows).toEqual([
      ['Status', 'completed'],
      ['Job', 'job_1'],
      ['Project', 'p1'],
      ['Source repository', 'https://github.com/acme/docs'],
      ['Source ref', 'main'],
      ['Model', 'm'],
      ['Created', '2026-11-21 08:00:00 UTC'],
      ['Archived', 'yesterday'],
      ['Changes', '1 commit from a to b'],
      ['Took', '1 min 5 s, 3 reads of the job'],
    ]);
  });

  test('has the prompt folded away', () => {
    expect(html).toContain('<details><summary>Prompt (12 characters)</summary>');
    expect(html).toContain('<pre><code>Document it.</code></pre>');
  });

  test('without inputs has no table and no prompt', () => {
    const summary = summaryOf(
      record(error(), { inputs: undefined, prompt: undefined, job: undefined }),
    );
    expect(summary).toBe('## Docs agent: T\n\n<p>M.</p>\n');
  });

  test.each(['"', '😀', '\u0007', '語', '\n'])(
    'stays under 1 MiB for a prompt of %j over and over',
    (unit) => {
      const prompt = unit.repeat(1_500_000);
      const summary = summaryOf(record({ kind: 'timed-out', fault: undefined }, { prompt }));
      expect(Buffer.byteLength(summary)).toBeLessThan(MIB);
      expect(summary).toContain('</code></pre>\n\n</details>\n');
      expect(summary).toContain(', the beginning of it)');
      expect(summary.isWellFormed()).toBe(true);
    },
  );

  test('names nobody: a mention stands in code, where GitHub does not notify', () => {
    const text = '@octocat @github/security #1';
    const mentioning = jobOf({
      status: text,
      model: text,
      source: { repository: text, ref: text },
    });
    const html = render(
      summaryOf(
        record(error({ message: `It said ${quote(text)}.` }), { job: mentioning, prompt: text }),
      ),
    );
    expect(html.match(/@octocat/g)).toHaveLength(6);
    expect(html.replace(/<code>[^<]*<\/code>/g, '')).not.toMatch(/[@#]/);
  });

  test.each(Object.entries(HOSTILE_TEXTS))('holds our own elements only: %s', (_name, text) => {
    const hostile = jobOf({
      status: text,
      prLink: text,
      model: text,
      source: { repository: text, ref: text },
      createdAt: text,
      archivedAt: text,
    });
    const summary = summaryOf(
      record(error({ message: text }), { job: hostile, prompt: text, changes: text }),
    );
    const { tags, links, headings } = elementsOf(summary);
    const own = ['a', 'code', 'details', 'h2', 'p', 'pre', 'summary', 'table', 'td', 'th', 'tr'];
    expect(tags.filter((tag) => !own.includes(tag))).toEqual([]);
    expect([links, headings]).toEqual([[], ['<h2']]);
  });
});
