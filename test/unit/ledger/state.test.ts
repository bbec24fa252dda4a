import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { EMPTY, editCall, ledgerRef, parseState, withClaim } from '../../../src/ledger/state.ts';
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

const step = { workflowFile: 'docs.yml', workflowJob: 'docs', step: 'send', matrix: 'null' };
const branch = (name: string) => ['heads', name] as const;

test('names that differ only at their end, and legs of a matrix, have ledgers of their own', () => {
  const [one, two] = ['1', '2'].map((end) => ledgerRef(step, branch(`${'x'.repeat(60)}${end}`)));
  expect(one).not.toBe(two);
  const legs = ['a', 'b'].map((leg) => ledgerRef({ ...step, matrix: `["${leg}"]` }, ['tags']));
  expect(legs[0]).not.toBe(legs[1]);
});

test.for(['null', '{}', ''])('outside a matrix (%j), there is no part for it', (matrix) => {
  expect(ledgerRef({ ...step, matrix }, ['tags'])).toBe(ledgerRef(step, ['tags']));
});

test.for([
  ['the longest names', 'x'.repeat(255)],
  ['other alphabets', 'документация/日本語/ä'],
  ['what git forbids in refs', '..~^:?*[\\ @{.lock'],
  ['half a surrogate pair', '\ud800'],
] as const)('git and GitHub accept the ref of %s', ([, name]) => {
  const names = { workflowFile: name, workflowJob: name, step: name, matrix: `["${name}"]` };
  const ref = ledgerRef(names, branch(name));
  expect(execFileSync('git', ['check-ref-format', ref]).toString()).toBe('');
  // GitHub refuses longer ones (GH005).
  expect(Buffer.byteLength(ref)).toBeLessThanOrEqual(255);
  expect(ref).toMatch(/^[\w/%+-]+$/);
});
