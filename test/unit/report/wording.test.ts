import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import type { Ended } from '../../../src/agent/job.ts';
import { SECTION_OF, StepError, type Topic } from '../../../src/errors.ts';
import type { RunFacts } from '../../../src/github/event.ts';
import { waitingLine } from '../../../src/ledger/ledger.ts';
import { adviceOn, helpOf, SECTIONS, type Section } from '../../../src/report/advice.ts';
import { writeReport } from '../../../src/report/report.ts';
import { earlierEndText, ledgerWarning, wordingOf } from '../../../src/report/wording.ts';
import { jobOf, PULL } from '../../support/agent-job.ts';
import { TestClock } from '../../support/clock.ts';
import { plainText } from '../../support/plain-text.ts';
import { RecordingRunner } from '../../support/runner.ts';
import { callOf } from '../ledger/given.ts';
import { ENDINGS } from './endings.ts';
import { FACTS, type More, reportOf } from './known.ts';

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
    const { lines } = wordingOf(report, false);
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
    expect(new URL(helpOf(key as Section, FACTS.helpPage).url).hash).toBe(`#${anchor}`);
  },
);

test.for(Object.keys(SECTION_OF))('the advice on %s has at most two sentences', (topic) => {
  expect(adviceOn(topic as Topic, '`x`', false).split('. ').length).toBeLessThanOrEqual(2);
});

// The service may refuse to show the agent job.
test.for(['key-refused', 'key-forbidden', 'credits', 'service'] as const)(
  'while an agent job goes on, the advice on %s says nothing of a re-run',
  (topic) => {
    const says = [false, true].map((isRunning) => /re-run/.test(adviceOn(topic, '', isRunning)));
    expect(says).toEqual([true, false]);
  },
);

const PUSH = { eventName: 'push', ref: 'refs/heads/main', payload: { before: 'c'.repeat(40) } };
test.for<readonly [string, Partial<RunFacts>, More, Topic, boolean]>([
  ['a first push', PUSH, {}, 'git', true],
  ['a new branch', { ...PUSH, payload: { before: '0'.repeat(40) } }, {}, 'git', false],
  ['a tag', { ...PUSH, ref: 'refs/tags/v1' }, {}, 'git', false],
  ['another event', { ...PUSH, eventName: 'pull_request_target' }, {}, 'git', false],
  ['a typed `since`', PUSH, { inputs: { since: 'v1' } }, 'git', false],
  ['a prompt alone', PUSH, { inputs: { sendsChanges: false } }, 'git', false],
  ['a push that the ledger remembers', PUSH, { isRemembered: true }, 'git', false],
  ['a ledger that nobody could read', PUSH, { isRemembered: undefined }, 'git', false],
  ['one that starts over', PUSH, { isRemembered: undefined }, 'ledger-unreadable', true],
  ['an error that names it', PUSH, {}, 'write-denied', false],
])('an error says where the changes start: of %s', ([_what, facts, more, topic, isSaid]) => {
  const known = { call: undefined, facts: { ...FACTS, ...facts }, isRemembered: false, ...more };
  const report = reportOf({ kind: 'stopped', error: new StepError(topic, 'It failed') }, known);
  const { lines } = wordingOf(report, false);
  expect(lines.some((line) => /^If you start .* `since` to `\w{40}`/.test(line))).toBe(isSaid);
});
