import { describe, expect, test } from 'vitest';
import {
  askedRecord,
  earlyPlan,
  planOf,
  pressOf,
  recordOf,
  skipRecord,
} from '../../../src/history/plan.ts';
import { NOTHING_EARLIER, type Sending } from '../../../src/history/verdict.ts';
import type { Press, Recorded } from '../../../src/model/record.ts';
import * as records from '../../support/records.ts';
import { ASKED, commit, INPUTS, KEY, NONE, PATHS, TODO, UNKNOWN } from '../../support/records.ts';

const IDENTITY = { key: KEY, inputs: INPUTS };
const BEGIN = commit('0');
const EARLY = earlyPlan(IDENTITY, PATHS, BEGIN);
const open = [{ id: 'j1', from: commit('1') }];
const RANGE = { from: commit('a'), to: commit('b') };
/** Earlier runs say that the changes start at commit `a`, and that the skips before it at `9`. */
const SENDING: Sending = {
  ...NOTHING_EARLIER,
  start: { kind: 'from', sha: commit('a'), earlier: [] },
  open,
  skippedFrom: commit('9'),
  lastId: 'j0',
};
const JOB: Recorded = { kind: 'job', id: 'j2' };

describe('the record of a step', () => {
  test('has the start of its event, before anything else is known', () => {
    const record = { what: TODO, ...IDENTITY, begin: BEGIN, open: [], isUnseen: false };
    expect(recordOf(EARLY, TODO)).toEqual(record);
  });

  test.each([undefined, 'main', ''])('has no start of its event that is %j', (begin) => {
    expect(recordOf(earlyPlan(IDENTITY, PATHS, begin), TODO)).toMatchObject({ begin: undefined });
  });

  test.each([JOB, TODO])('of $kind has its range and what was carried over', (what) => {
    const record = { what, ...IDENTITY, begin: BEGIN, ...RANGE, open, last: 'j0', isUnseen: false };
    expect(recordOf(planOf(EARLY, SENDING, RANGE), what)).toEqual(record);
  });

  test('of a skip has all that no agent job has had', () => {
    const record = skipRecord(planOf(EARLY, SENDING, RANGE));
    expect(record).toMatchObject({ what: NONE, from: commit('9'), to: commit('b'), open });
  });

  test('starts where the changes really start, when GitHub no longer knows the commit before', () => {
    const plan = planOf(EARLY, SENDING, { from: commit('c'), to: commit('d') });
    expect(recordOf(plan, JOB)).toMatchObject({ from: commit('c'), to: commit('d') });
    expect(skipRecord(plan)).toMatchObject({ from: commit('c'), to: commit('d') });
  });

  test('of a named start, or of a step that is new, carries nothing over', () => {
    const isNew = { kind: 'nothing', isFirstRun: true, begins: [], unrecorded: 0 } as const;
    for (const covered of [undefined, isNew]) {
      const plan = planOf(EARLY, { ...SENDING, start }, RANGE);
      expect(recordOf(plan, JOB)).toMatchObject({ ...RANGE, open: [], last: 'j0' });
      expect(skipRecord(plan)).toMatchObject(RANGE);
    }
  });

  test('without a range says only which agent job is the last', () => {
    const last = { from: undefined, to: undefined, open: [], last: 'j0' };
    expect(recordOf(planOf(EARLY, SENDING, undefined), JOB)).toMatchObject(last);
  });

  test('with nothing to start from says where the next run starts', () => {
    const record = skipRecord(planOf(EARLY, NOTHING_EARLIER, { from: undefined, to: commit('b') }));
    expect(record).toMatchObject({ what: NONE, from: undefined, to: commit('b') });
  });

  test('that would be too long to be kept leaves out the last agent job, or stops the step', () => {
    const from = commit('1');
    const sending = (count: number) => {
      const many = Array.from({ length: count }, (_, n) => ({ id: `${n}`.repeat(400), from }));
      return { ...SENDING, open: many, lastId: 'x'.repeat(900) };
    };
    expect(recordOf(planOf(EARLY, sending(4), RANGE), JOB).last).toBeUndefined();
    expect(() => planOf(EARLY, sending(9), RANGE)).toThrow(
      'Too many agent jobs of earlier runs are still running',
    );
  });
});

test('a re-run that asked keeps the part and the id that it asked about, if they can be read', () => {
  const maybe: Recorded = { kind: 'unknown', maybe: 'j7' };
  const part = { ...RANGE, open, last: 'j0' };
  const kept = { ...IDENTITY, begin: BEGIN };
  const asked = { what: { ...ASKED, maybe: 'j7' }, ...kept, ...part };
  expect(askedRecord(EARLY, records.recordOf(maybe, { ...part, inputs: KEY }))).toEqual(asked);
  expect(askedRecord(EARLY, undefined)).toEqual({ what: ASKED, ...kept, open: [] });
});

const FRESH = { cameToNothing: false, isSendingDecided: true };

test.each<[what: Recorded | string, state: Partial<typeof FRESH>, press: Press | undefined]>([
  ['j2', {}, 'follows'],
  ['j2', { cameToNothing: true }, 'sends'],
  [TODO, {}, 'sends'],
  [TODO, { isSendingDecided: false }, undefined],
  [UNKNOWN, {}, 'asks'],
  [{ kind: 'unknown', maybe: 'j7' }, {}, 'checks'],
  [ASKED, { isSendingDecided: false }, 'sends'],
  [NONE, {}, undefined],
])('a press after %o with %o: %s', (what, state, press) => {
  expect(pressOf(records.recordOf(what), { ...FRESH, ...state })).toBe(press);
  expect(pressOf(undefined, FRESH)).toBeUndefined();
});
