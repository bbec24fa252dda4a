import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { NO_JOB } from '../../../src/agent/job.ts';
import { isUsableId } from '../../../src/lib/id.ts';
import type { RunResult } from '../../../src/report/ending.ts';
import { followStep, resumeAdvice } from '../../../src/report/follow.ts';
import { dose } from '../../support/dose.ts';
import { FACTS } from '../../support/fakes.ts';
import { anyText } from '../../support/hostile-texts.ts';
import {
  FOLLOW,
  INPUTS,
  MESSAGE,
  plainReportOn,
  resultOf,
  TIMED_OUT,
  unread,
} from '../../support/results.ts';

const KEY = '$' + '{{ secrets.MINTLIFY_ADMIN_API_KEY }}';
const stepOf = (more: Partial<RunResult>) => followStep(resultOf(TIMED_OUT, more));

describe('the step to paste', () => {
  test('names the action as this run called it', () => {
    expect(stepOf({})).toEqual([
      '- uses: docs-agent/docs-agent-job@v1',
      '  with:',
      "    jobId: 'job_1'",
      "    projectId: 'p1'",
      `    adminApiKey: ${KEY}`,
    ]);
    expect(stepOf({ facts: { ...FACTS, action: 'acme/fork@0123abc' } })?.[0]).toBe(
      '- uses: acme/fork@0123abc',
    );
  });

  test('names another base URL', () => {
    const inputs = { ...INPUTS, baseUrl: "https://agent.example/it's" };
    expect(stepOf({ inputs })?.at(-1)).toBe("    baseUrl: 'https://agent.example/it''s'");
  });

  test.each([
    { what: 'a quote', id: "it's" },
    { what: 'only quotes', id: "'''" },
    { what: 'digits that YAML reads as a number', id: '0123' },
    { what: 'a word that YAML reads as false', id: 'no' },
    { what: 'a comment', id: 'a #b' },
    { what: 'a key', id: 'a: b' },
    { what: 'spaces around it', id: ' a ' },
    { what: 'a backslash', id: 'a\\nb' },
    { what: 'a fence', id: '```' },
    { what: 'letters of all kinds', id: 'ä語😀' },
  ])('contains an id with $what unchanged', ({ id }) => {
    expect(parse(stepOf({ job: unread(id) })?.join('\n') ?? '')[0].with.jobId).toBe(id);
  });

  test('is read by YAML as the values of this run, or is missing, for random values', () => {
    const anyId = fc
      .oneof(
        anyText,
        fc.string({ unit: fc.constantFrom("'", '"', ':', ' ', '#', '\\', '{', '$', '-', '`') }),
      )
      .map((text) => text.toWellFormed())
      .filter(isUsableId);
    let pasted = 0;
    fc.assert(
      fc.property(anyId, anyId, (jobId, projectId) => {
        const lines = stepOf({ job: unread(jobId), inputs: { ...INPUTS, projectId } });
        if (lines === undefined) return;
        pasted += 1;
        expect(parse(lines.join('\n'))).toEqual([
          {
            uses: 'docs-agent/docs-agent-job@v1',
            with: { jobId, projectId, adminApiKey: KEY },
          },
        ]);
      }),
      { numRuns: dose(150, 600) },
    );
    expect(pasted).toBeGreaterThan(30);
  });

  test.each([
    { what: 'an id that begins an expression', more: { job: unread('$' + '{{x}}') } },
    { what: 'an id that the log changes', more: { job: unread('a\u202eb') } },
    { what: 'an id with a log command', more: { job: unread('a ##[error]b') } },
    { what: 'no id', more: { job: NO_JOB } },
    { what: 'no inputs', more: { inputs: undefined } },
  ])('is missing with $what', ({ more }) => {
    expect(stepOf(more)).toBeUndefined();
    const { annotations, summary } = plainReportOn(resultOf(TIMED_OUT, more));
    expect(annotations[0]?.message).not.toContain('uses:');
    expect(summary).toContain('To follow the agent job, use the output <code>jobId</code>.');
  });
});

describe('the advice to press "Re-run failed jobs"', () => {
  test.each<{ promise: string; more: Partial<RunResult>; isGiven: boolean }>([
    { promise: 'is given when a press follows the agent job', more: {}, isGiven: true },
    {
      promise: 'is given when an earlier attempt created it',
      more: { isAccepted: false, resumedFrom: 1 },
      isGiven: true,
    },
    { promise: 'is not given when a press sends', more: { press: 'sends' }, isGiven: false },
    { promise: 'is not given when a press asks', more: { press: 'asks' }, isGiven: false },
    {
      promise: 'is not given when it is not certain what a press does',
      more: { press: undefined },
      isGiven: false,
    },
    {
      promise: 'is not given with wait: false, because a press would not wait either',
      more: { inputs: { ...INPUTS, wait: false } },
      isGiven: false,
    },
  ])('$promise', ({ more, isGiven }) => {
    const { annotations, summary } = plainReportOn(resultOf(TIMED_OUT, more));
    expect(annotations[0]?.message.includes('press "Re-run failed jobs"')).toBe(isGiven);
    expect(summary.includes('press &quot;Re-run failed jobs&quot;')).toBe(isGiven);
  });

  const unreadable = { kind: 'unreadable', error: 'HTTP 401. Check.' } as const;
  const press = 'press "Re-run failed jobs". The new attempt follows this agent job.';
  const permissions = ' This needs `actions: read` and `checks: read`: without them it ';

  test.each([
    {
      promise: 'says what a press does without the permissions',
      result: resultOf(TIMED_OUT),
      advice: `To keep waiting, ${press}${permissions}creates a second one.`,
    },
    {
      promise: 'says what it does to a message',
      result: resultOf(TIMED_OUT, { inputs: MESSAGE }),
      advice: `To keep waiting, ${press}${permissions}sends the message again.`,
    },
    {
      promise: 'names no permissions where the agent job is given',
      result: resultOf(TIMED_OUT, { inputs: FOLLOW }),
      advice: `To keep waiting, ${press}`,
    },
    {
      promise: 'comes after the cause was fixed when the agent job could not be read',
      result: resultOf(unreadable),
      advice: `After you have fixed this, ${press}${permissions}creates a second one.`,
    },
  ])('$promise', ({ result, advice }) => {
    expect(resumeAdvice(result)).toBe(advice);
  });
});
