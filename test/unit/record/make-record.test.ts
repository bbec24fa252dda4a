import { describe, expect, test } from 'vitest';
import type { Start } from '../../../src/model/start.ts';
import {
  calledRecord,
  completeBodyOf,
  earlyBodyOf,
  uncalledRecord,
} from '../../../src/record/make-record.ts';
import { commit, KEY } from '../../support/records.ts';

const TODO = { kind: 'todo' } as const;
const BEGIN = commit('0');
const EARLY = earlyBodyOf(KEY, BEGIN);
const pending = [{ id: 'j1', from: commit('1') }];
const last = { id: 'j0', at: 1_750_000_000 };
const RANGE = { from: commit('a'), to: commit('b') };
/** Earlier runs say that the changes start at commit `a`. */
const START = { kind: 'from', sha: commit('a'), earlier: [], isSentBefore: false } as const;
const BEFORE = {
  start: { ...START, pending } as Start,
  last: { ...last, messagedPull: undefined, messagedAt: last.at },
};
/** So many agent jobs, each with a long ID. */
function manyPending(count: number): Start {
  const from = commit('1');
  const jobs = Array.from({ length: count }, (_, n) => ({ id: `${n}`.repeat(400), from }));
  return { ...START, pending: jobs };
}

describe('the record of a step', () => {
  test.each([undefined, 'main', '', '^'])('has no start of its event that is %j', (begin) => {
    expect(uncalledRecord(earlyBodyOf(KEY, begin), TODO)).toMatchObject({ eventStart: undefined });
  });

  test('has no hash of what was sent without a call, unless all was settled', () => {
    const plan = { ...EARLY, ownHash: KEY };
    expect(uncalledRecord(plan, TODO)).toMatchObject({ ownHash: undefined });
    expect(calledRecord(plan, { kind: 'unknown' }, 5)).toMatchObject({ ownHash: KEY, at: 5 });
  });

  test('tells at most 100 code pull requests', () => {
    const numbers = Array.from({ length: 101 }, (_, n) => n + 1);
    const { codePulls } = completeBodyOf(EARLY, BEFORE, RANGE, numbers);
    expect(codePulls).toEqual(numbers.slice(0, 100));
  });

  test('of a named start, or of a step that is new, carries nothing over', () => {
    const olderRuns = { read: 0, recorded: 0, unrecorded: 0 };
    const isNew = { kind: 'not-recorded', eventStarts: [], olderRuns } as const;
    for (const start of [undefined, isNew]) {
      const plan = completeBodyOf(EARLY, { ...BEFORE, start }, RANGE, []);
      expect(uncalledRecord(plan, TODO)).toMatchObject({ range: RANGE, pending: [], last });
    }
  });

  test('with nothing to start from says where the next run starts', () => {
    const range = { from: undefined, to: commit('b') };
    expect(completeBodyOf(EARLY, { ...BEFORE, start: undefined }, range, [])).toMatchObject({
      range,
    });
  });

  test('that would be too long to be kept leaves out the code pull requests first', () => {
    const sending = (count: number) => ({ ...BEFORE, start: manyPending(count) });
    const numbers = Array.from({ length: 100 }, (_, n) => 100_000 + n);
    const pullsWith = (count: number) =>
      completeBodyOf(EARLY, sending(count), RANGE, numbers).codePulls;
    expect([pullsWith(0), pullsWith(6)]).toEqual([numbers, []]);
    expect(completeBodyOf(EARLY, sending(6), RANGE, numbers).last).toEqual(last);
  });

  test('that would still be too long leaves out the last agent job, or stops the step', () => {
    const long = { ...last, id: 'x'.repeat(900), messagedPull: undefined, messagedAt: 0 };
    const sending = (count: number) => ({ start: manyPending(count), last: long });
    expect(completeBodyOf(EARLY, sending(0), RANGE, []).last).toMatchObject({ at: last.at });
    expect(completeBodyOf(EARLY, sending(5), RANGE, [])).toMatchObject({
      last: undefined,
      range: RANGE,
    });
    expect(() => completeBodyOf(EARLY, sending(9), RANGE, [])).toThrow(
      'too many agent jobs of earlier runs are still running',
    );
  });
});
