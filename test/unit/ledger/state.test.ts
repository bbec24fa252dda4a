import { expect, test } from 'vitest';
import { StepError } from '../../../src/errors.ts';
import { type Call, EMPTY, parseState, withCall } from '../../../src/ledger/state.ts';

const REF = 'refs/docs-agent/x';
const call: Call = {
  key: 'k',
  run: 1,
  attempt: 1,
  to: 'abc',
  at: 1,
  job: null,
  message: null,
  pull: null,
  codePullRequests: [41],
  end: null,
};

test('reads back what was written below a sentence for people', () => {
  const state = withCall(EMPTY, call);
  const message = `Run 1: sending a..b\n\n${JSON.stringify(state)}\n`;
  expect(parseState(REF, message)).toEqual(state);
});

test.each([
  ['no state', 'A commit by hand'],
  ['a newer version', JSON.stringify({ ...EMPTY, v: 2 })],
  ['an unknown field', JSON.stringify({ ...EMPTY, more: 1 })],
  ['a call with an unknown end', JSON.stringify({ ...EMPTY, runs: [{ ...call, end: 'lost' }] })],
  ['nothing', ''],
])('%s stops the step, which names the ref to delete', (_, message) => {
  expect(() => parseState(REF, message)).toThrow(StepError);
  expect(() => parseState(REF, message)).toThrow(`git push origin --delete ${REF}`);
});

test('keeps the newest 20 calls, newest first', () => {
  const keys = Array.from({ length: 25 }, (_, index) => `k${index}`);
  const state = keys.reduce((all, key) => withCall(all, { ...call, key }), EMPTY);
  expect(state.runs.map(({ key }) => key)).toEqual(keys.toReversed().slice(0, 20));
});
