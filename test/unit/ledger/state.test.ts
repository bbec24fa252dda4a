import { expect, test } from 'vitest';
import { EMPTY, editCall, parseState, withClaim } from '../../../src/ledger/state.ts';
import { callOf, HOUR_MS, NOW, stateOf } from './given.ts';

const REF = 'refs/docs-agent/x';

test('reads back what was written below a sentence, and keeps what a newer version adds', () => {
  const call = { ...callOf({ key: 'old' }), more: { of: 1 } };
  const state = { ...stateOf([call], 'B'), more: [2] };
  const message = `Run 1: sending a..b\n\n${JSON.stringify(state)}\n`;
  const edited = editCall(parseState(REF, message), 'old', { end: 'archived' });
  const claim = callOf({ key: 'new' });
  const runs = [claim, { ...call, end: 'archived' }];
  expect(withClaim(edited, claim, NOW)).toEqual({ ...state, runs });
});

test.for([
  ['no state', 'A commit by hand'],
  ['a newer version', JSON.stringify({ ...EMPTY, v: 2 })],
  ['an unknown end', JSON.stringify({ ...EMPTY, runs: [{ ...callOf(), end: 'new' }] })],
  ['a link that is none', JSON.stringify(stateOf([callOf({ pull: 'data:,x' })]))],
] as const)('%s stops the step, which names the ref to delete', ([, message]) => {
  const detail = `\`git push origin --delete ${REF}\``;
  const error = expect.objectContaining({ topic: 'ledger-unreadable', detail });
  expect(() => parseState(REF, message)).toThrow(error);
});

test('a claim keeps the newest call, the newest 20 that ended, and 30 days of open ones', () => {
  const open = (days: number) => callOf({ key: `${days} days`, at: NOW - days * 24 * HOUR_MS });
  const ended = Array.from({ length: 22 }, (_, n) => callOf({ key: `${n}`, end: 'archived' }));
  const runs = [open(40), ...ended, open(29), open(30)];
  const claimed = withClaim(stateOf(runs), callOf({ key: 'new' }), NOW);
  const kept = ['40 days', ...Array.from({ length: 20 }, (_, n) => `${n}`), '29 days'];
  expect(claimed.runs.map(({ key }) => key)).toEqual(['new', ...kept]);
});
