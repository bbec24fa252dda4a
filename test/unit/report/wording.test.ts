import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import type { Ended } from '../../../src/agent/job.ts';
import { Cancelled, StepError } from '../../../src/errors.ts';
import { InputErrors } from '../../../src/inputs.ts';
import { waitingLine } from '../../../src/ledger/ledger.ts';
import { ADVICE, SECTIONS, type Section, sectionUrl } from '../../../src/report/advice.ts';
import { shownEnding } from '../../../src/report/ending.ts';
import { writeReport } from '../../../src/report/report.ts';
import { earlierEndText, ledgerWarning, wordingOf } from '../../../src/report/wording.ts';
import { jobOf, PULL } from '../../support/agent-job.ts';
import { TestClock } from '../../support/clock.ts';
import { plainText } from '../../support/plain-text.ts';
import { RecordingRunner } from '../../support/runner.ts';
import { callOf } from '../ledger/given.ts';
import { ENDINGS } from './endings.ts';
import { FACTS, reportOf } from './known.ts';

/** The endings whose summary the golden text shows. The others have the same parts. */
const WITH_SUMMARY = [
  ...['a pull request', 'archived, a first release', 'timed out', 'skipped: covered', 'a dry run'],
  'bad inputs, without a page',
];

test('every ending in at most three sentences and 50 words, with its outputs', async () => {
  const texts: string[] = [];
  for (const [what, report] of ENDINGS) {
    const runner = new RecordingRunner();
    const isSuccess = await writeReport(report, 0, { runner, clock: new TestClock() });
    const [{ level, title, message } = {}, ...more] = runner.annotations;
    expect([isSuccess, more]).toEqual([level !== 'error', []]);
    const { lines } = wordingOf(report, shownEnding(report, false));
    const text = lines.filter((line) => !line.startsWith('The docs pull request: ')).join(' ');
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
  const call = { ...callOf(), run: 499, job: 'job_1' };
  const [link, job] = [PULL, jobOf('completed', PULL)];
  const ends: readonly Ended[] = [
    { kind: 'pull-request', job },
    { kind: 'no-changes', job },
    { kind: 'archived', job },
    { kind: 'failed', job },
    { kind: 'merged', job, link },
    { kind: 'not-found', said: 'HTTP 404' },
    { kind: 'stuck' },
  ];
  const texts = [
    waitingLine({ ...call, job: null }),
    waitingLine(call),
    ...ends.map((end) => earlierEndText({ call, end })),
    ledgerWarning({ kind: 'doubt', call }),
    ledgerWarning({ kind: 'unreadable', link }),
    ledgerWarning({ kind: 'elsewhere', link }),
  ];
  await expect(`${texts.join('\n\n')}\n`).toMatchFileSnapshot('earlier-runs.md');
});

test.for(Object.entries(SECTIONS))(
  'the section %s is a heading of the help page',
  ([key, heading]) => {
    const page = resolve(import.meta.dirname, '../../../.github/TROUBLESHOOTING.md');
    expect(readFileSync(page, 'utf8')).toContain(`\n## ${heading}\n`);
    // What GitHub makes of a heading of letters and spaces.
    expect(heading).toMatch(/^[A-Za-z ]+$/);
    const anchor = heading.toLowerCase().split(' ').join('-');
    expect(new URL(sectionUrl(key as Section, FACTS.helpPage)).hash).toBe(`#${anchor}`);
  },
);

const LATE = new StepError('git-network', 'Git failed on `a. b`', { about: 'x' });
const NO_KEY = new InputErrors(['`adminApiKey` is empty.'], true);
const BUG = "This is a bug in the action: `x is 'y'\\n::error::z`";
const skipped = { kind: 'skipped', reason: 'no-secrets' };
test.for([
  [new Cancelled('SIGINT'), true, {}, { kind: 'cancelled', signal: 'SIGINT' }],
  [LATE, false, {}, { kind: 'error', topic: 'git-network', message: LATE.message, about: 'x' }],
  [LATE, true, {}, { kind: 'error', topic: 'cut-off', message: LATE.message, about: 'x' }],
  [new StepError('key-refused', 'm'), true, {}, { kind: 'error', topic: 'key-refused' }],
  [new TypeError('x is `y`\n::error::z'), false, {}, { topic: 'unexpected', message: BUG }],
  [NO_KEY, false, {}, { kind: 'error', topic: 'inputs' }],
  [NO_KEY, false, { isFork: true }, skipped],
  [NO_KEY, false, { isForkPullRequest: true }, skipped],
  [NO_KEY, false, { isDependabot: true }, skipped],
  [NO_KEY, false, { isFork: true, eventName: 'workflow_dispatch' }, { kind: 'error' }],
  [new InputErrors(['m'], false), false, { isFork: true }, { kind: 'error' }],
] as const)('%s (is the time of the step over: %s, of %j) is shown as %j', (row) => {
  const [error, isTimeOver, facts, shown] = row;
  const report = reportOf({ kind: 'stopped', error }, { facts: { ...FACTS, ...facts } });
  expect(shownEnding(report, isTimeOver)).toMatchObject(shown);
});

test.for(Object.entries(ADVICE))('the advice on %s has at most two sentences', ([, { text }]) => {
  expect(text('`x`', false).split('. ').length).toBeLessThanOrEqual(2);
});

// The service may refuse to show the agent job.
test.for(['key-refused', 'key-forbidden', 'credits', 'service'] as const)(
  'while an agent job goes on, the advice on %s says nothing of a re-run',
  (topic) => {
    const says = [false, true].map((isRunning) => /re-run/.test(ADVICE[topic].text('', isRunning)));
    expect(says).toEqual([true, false]);
  },
);
