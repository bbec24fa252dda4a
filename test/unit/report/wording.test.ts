import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { Cancelled, StepError } from '../../../src/errors.ts';
import { endingOfError } from '../../../src/report/ending.ts';
import { writeReport } from '../../../src/report/report.ts';
import {
  ledgerWarning,
  SECTIONS,
  type Section,
  sectionUrl,
  waitingLine,
  wordingOf,
} from '../../../src/report/wording.ts';
import { plainText } from '../../support/plain-text.ts';
import { RecordingRunner } from '../../support/runner.ts';
import { ENDINGS } from './endings.ts';
import { PULL } from './known.ts';

/** The endings whose summary the golden text shows. The others have the same parts. */
const WITH_SUMMARY = [
  ...['a pull request', 'archived, a first release', 'timed out', 'skipped: covered', 'a dry run'],
  'bad inputs',
];

test('every ending in at most three sentences and 50 words, with its outputs', async () => {
  const texts: string[] = [];
  for (const [what, known, ending] of ENDINGS) {
    const runner = new RecordingRunner();
    const isSuccess = await writeReport(known, ending, runner);
    const [{ level, title, message } = {}, ...more] = runner.annotations;
    expect([isSuccess, more]).toEqual([level !== 'error', []]);
    const text = wordingOf(known, ending).lines.join(' ');
    expect(text.split(/[.:] (?=[A-Z])/).length, what).toBeLessThanOrEqual(3);
    expect(text.split(/\s+/).length, what).toBeLessThanOrEqual(50);
    texts.push(`# ${what}`);
    texts.push(`[${runner.outputs.get('outcome')}, ${level}] ${title}\n${message}`);
    const outputs = [...runner.outputs].filter(
      ([name, value]) => name !== 'outcome' && value !== '',
    );
    texts.push(`outputs: ${outputs.map((pair) => pair.join('=')).join(' ')}`);
    if (WITH_SUMMARY.includes(what))
      texts.push(plainText(runner.summary).replace(/^(?=.)/gm, '    '));
  }
  await expect(`${texts.join('\n')}\n`.replaceAll('\n#', '\n\n#')).toMatchFileSnapshot(
    'endings.md',
  );
});

test('every text about an earlier run', async () => {
  const unused = { key: '', attempt: 1, to: null, at: 0, message: null, pull: null, end: null };
  const call = { ...unused, run: 499, job: 'job_1', codePullRequests: [] };
  const texts = [
    waitingLine({ ...call, job: null }),
    waitingLine(call),
    ledgerWarning({ kind: 'doubt', call }),
    ledgerWarning({ kind: 'gone', call }),
    ledgerWarning({ kind: 'stuck', call }),
    ledgerWarning({ kind: 'docs-pull-unreadable', link: PULL }),
  ];
  await expect(`${texts.join('\n\n')}\n`).toMatchFileSnapshot('earlier-runs.md');
});

test.each(Object.entries(SECTIONS))('an error about %s links a heading', (section, heading) => {
  const page = resolve(import.meta.dirname, '../../../.github/TROUBLESHOOTING.md');
  expect(readFileSync(page, 'utf8')).toContain(`\n## ${heading}\n`);
  // What GitHub makes of a heading of letters and spaces.
  expect(heading).toMatch(/^[A-Za-z ]+$/);
  const anchor = heading.toLowerCase().split(' ').join('-');
  expect(new URL(sectionUrl(section as Section)).hash).toBe(`#${anchor}`);
});

const FAULT = new TypeError('x is `y`\n::error::z');
const BUG =
  "This is a bug in the action: `x is 'y'\\n::error::z`. Report it with the log at https://github.com/docs-agent/docs-agent-job/issues.";
const LATE = new StepError('network', 'Git failed on `a. b`: `no response in time`. Check it.');
const CUT_OFF =
  'Git failed on `a. b`: `no response in time`. This was cut off by `timeout`: set a longer one, and start a new run.';
test.each([
  [new Cancelled('SIGINT'), undefined, { kind: 'cancelled', signal: 'SIGINT' }],
  [new StepError('git', 'm'), undefined, { kind: 'error', topic: 'git', message: 'm' }],
  [LATE, true, { kind: 'error', topic: 'timeout', message: CUT_OFF }],
  [new StepError('key', 'm'), true, { kind: 'error', topic: 'key', message: 'm' }],
  [FAULT, false, { kind: 'error', topic: 'unexpected', message: BUG }],
])('%s (is the time of the step over: %s) becomes an ending', (error, isTimeOver, ending) => {
  expect(endingOfError(error, isTimeOver)).toEqual(ending);
});
