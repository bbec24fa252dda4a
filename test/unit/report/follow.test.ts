import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { NO_JOB } from '../../../src/agent/job.ts';
import { isUsableId } from '../../../src/lib/text.ts';
import type { RunResult } from '../../../src/report/ending.ts';
import { followStep, resumeAdvice } from '../../../src/report/follow.ts';
import { FACTS } from '../../support/fakes.ts';
import { anyText } from '../../support/hostile-texts.ts';
import {
  FOLLOW,
  INPUTS,
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
      { numRuns: 300 },
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

describe('"Re-run failed jobs"', () => {
  test.each<{ promise: string; more: Partial<RunResult>; expected: boolean }>([
    { promise: 'waits for an agent job that was created', more: {}, expected: true },
    {
      promise: 'waits for one that an earlier attempt created',
      more: { isAccepted: false, isResumable: false, resumedFrom: 1 },
      expected: true,
    },
    {
      promise: 'waits for one that is only followed',
      more: {
        isAccepted: false,
        isResumable: false,
        prompt: undefined,
        inputs: FOLLOW,
      },
      expected: true,
    },
    {
      promise: 'creates another one with rerun: create',
      more: { inputs: { ...INPUTS, rerun: 'create' } },
      expected: false,
    },
    {
      promise: 'does not wait with wait: false',
      more: { inputs: { ...INPUTS, wait: false } },
      expected: false,
    },
    {
      promise: 'finds no record of an agent job that was not accepted',
      more: { isAccepted: false, isResumable: false },
      expected: false,
    },
    {
      promise: 'finds no record that GitHub did not keep whole',
      more: { isResumable: false },
      expected: false,
    },
    {
      promise: 'does not exist outside a workflow run',
      more: { facts: { ...FACTS, runId: 0 } },
      expected: false,
    },
  ])('$promise', ({ more, expected }) => {
    const result = resultOf(TIMED_OUT, more);
    const { annotations, summary } = plainReportOn(result);
    expect(annotations[0]?.message.includes('press "Re-run failed jobs"')).toBe(expected);
    expect(summary.includes('press &quot;Re-run failed jobs&quot;')).toBe(expected);
  });
});

describe('the advice to press "Re-run failed jobs"', () => {
  const following = FOLLOW;
  const unreadable = { kind: 'unreadable', error: 'HTTP 401. Check.' } as const;
  const press =
    'press "Re-run failed jobs". The new attempt follows this agent job and creates no second one.';
  const permissions = ' For this, the workflow job needs `actions: read` and `checks: read`.';

  test.each([
    {
      promise: 'names the permissions that finding the record needs',
      result: resultOf(TIMED_OUT),
      advice: `To keep waiting, ${press}${permissions}`,
    },
    {
      promise: 'names no permissions where the agent job is given',
      result: resultOf(TIMED_OUT, { inputs: following }),
      advice: `To keep waiting, ${press}`,
    },
    {
      promise: 'comes after the cause was fixed when the agent job could not be read',
      result: resultOf(unreadable),
      advice: `After you have fixed this, ${press}${permissions}`,
    },
  ])('$promise', ({ result, advice }) => {
    expect(resumeAdvice(result)).toBe(advice);
  });
});
