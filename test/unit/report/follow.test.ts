/** The step to paste. `endings.md` shows it. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { unread } from '../../../src/model/agent-job.ts';
import type { RunResult } from '../../../src/report/ending.ts';
import { followStep } from '../../../src/report/follow.ts';
import { isUsableId } from '../../../src/text/id.ts';
import { dose } from '../../support/dose.ts';
import { FACTS } from '../../support/fakes.ts';
import { anyCharacters } from '../../support/hostile-texts.ts';
import { INPUTS, plainReportOn, timedOut } from '../../support/results.ts';

const stepOf = (more: Partial<RunResult>) => followStep(timedOut(more));

test('names the action as this run called it, and another base URL', () => {
  const facts = { ...FACTS, action: 'acme/fork@0123abc' };
  const inputs = { ...INPUTS, baseUrl: "https://agent.example/it's" };
  const step = stepOf({ facts, inputs });
  expect(step?.at(0)).toBe('- uses: acme/fork@0123abc');
  expect(step?.at(-1)).toBe("    baseUrl: 'https://agent.example/it''s'");
});

test.each(["it's", "'''", '0123', 'no', 'a #b', 'a: b', ' a ', 'a\\nb', '```', 'ä語😀'])(
  'has the id %j as YAML reads it',
  (id) => {
    expect(parse(stepOf({ job: unread(id) })?.join('\n') ?? '')[0].with.jobId).toBe(id);
  },
);

test('is read by YAML as the values of this run, or is missing, for random values', () => {
  const nasty = fc.string({ unit: fc.constantFrom(...'\'":;# \\{}$-`[]&*!|>%@') });
  const anyId = fc.oneof(anyCharacters, nasty).filter(isUsableId);
  let pasted = 0;
  fc.assert(
    fc.property(anyId, anyId, (jobId, projectId) => {
      const lines = stepOf({ job: unread(jobId), inputs: { ...INPUTS, projectId } });
      if (lines === undefined) return;
      pasted += 1;
      const adminApiKey = '$' + '{{ secrets.MINTLIFY_ADMIN_API_KEY }}';
      expect(parse(lines.join('\n'))).toEqual([
        { uses: 'docs-agent/docs-agent-job@v1', with: { jobId, projectId, adminApiKey } },
      ]);
    }),
    { numRuns: dose(50, 600) },
  );
  expect(pasted).toBeGreaterThan(10);
});

test.each([
  { what: 'an id that begins an expression', more: { job: unread('$' + '{{x}}') } },
  { what: 'an id that the log changes', more: { job: unread('a\u202eb') } },
  { what: 'an id with a log command', more: { job: unread('a ##[error]b') } },
  { what: 'an id that holds a secret', more: { job: unread('job_***') } },
  { what: 'no id', more: { job: unread('') } },
  { what: 'no inputs', more: { inputs: undefined } },
])('is missing with $what, and the output is named instead', ({ more }) => {
  const { annotations, summary } = plainReportOn(timedOut(more));
  expect(annotations[0]?.message).not.toContain('paste this step');
  expect(summary).toContain('To follow the agent job, use the output <code>jobId</code>.');
  expect(summary).not.toContain('paste this step');
});
