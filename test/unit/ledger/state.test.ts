import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { StepError } from '../../../src/errors.ts';
import { type Call, EMPTY, ledgerRef, parseState, withCall } from '../../../src/ledger/state.ts';

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
  ['a link that is none', JSON.stringify({ ...EMPTY, runs: [{ ...call, pull: 'data:,x' }] })],
])('%s stops the step, which names the ref to delete', (_, message) => {
  expect(() => parseState(REF, message)).toThrow(StepError);
  expect(() => parseState(REF, message)).toThrow(`git push origin --delete ${REF}`);
});

test('keeps the newest 20 calls, newest first', () => {
  const keys = Array.from({ length: 25 }, (_, index) => `k${index}`);
  const state = keys.reduce((all, key) => withCall(all, { ...call, key }), EMPTY);
  expect(state.runs.map(({ key }) => key)).toEqual(keys.toReversed().slice(0, 20));
});

const step = { workflowFile: 'docs.yml', workflowJob: 'docs', step: 'send', matrix: 'null' };
const branch = (name: string) => ['heads', name] as const;

test('another file, workflow job, step, leg of a matrix or branch is another ledger', () => {
  const parts = [{}, { workflowFile: 'other.yml' }, { workflowJob: 'other' }, { step: 'other' }];
  const legs = [{ matrix: '{"project":"a"}' }, { matrix: '{"project":"b"}' }];
  const branches = ['a/b', 'a-b', `${'x'.repeat(60)}1`, `${'x'.repeat(60)}2`];
  const refs = [
    ...[...parts, ...legs].map((other) => ledgerRef({ ...step, ...other }, branch('a'))),
    ...branches.map((name) => ledgerRef(step, branch(name))),
  ];
  expect(new Set(refs).size).toBe(refs.length);
});

test.each(['null', '{}', ''])('outside a matrix (%j), there is no part for it', (matrix) => {
  expect(ledgerRef({ ...step, matrix }, ['tags'])).toBe(ledgerRef(step, ['tags']));
});

test.each([
  ['the longest names', 'x'.repeat(255)],
  ['other alphabets', 'документация/日本語/ä'],
  ['what git forbids in refs', '..~^:?*[\\ @{.lock'],
  ['half a surrogate pair', '\ud800'],
])('git and GitHub accept the ref of %s', (_, name) => {
  const names = { workflowFile: name, workflowJob: name, step: name, matrix: `["${name}"]` };
  const ref = ledgerRef(names, branch(name));
  expect(execFileSync('git', ['check-ref-format', ref]).toString()).toBe('');
  // GitHub refuses longer ones (GH005).
  expect(Buffer.byteLength(ref)).toBeLessThanOrEqual(255);
  expect(ref).toMatch(/^[\w/%+-]+$/);
});
