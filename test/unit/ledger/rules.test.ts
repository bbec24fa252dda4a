import { describe, expect, test } from 'vitest';
import { callBefore, callToAppendTo, isCovered, settled } from '../../../src/ledger/rules.ts';
import { jobOf, PULL } from '../../support/agent-job.ts';
import { askedOf, callOf, NOW, stateOf, targetOf } from './given.ts';

const running = callOf({ key: 'running', job: 'job_1' });
const ended = callOf({ key: 'ended', job: 'job_1', end: 'archived' });
const CALLS = [
  running,
  ended,
  callOf({ key: 'calling' }),
  callOf({ key: 'own', run: 2 }),
  callOf({ key: 'doubt', end: 'unknown' }),
  callOf({ key: 'running alone', to: null, job: 'job_1' }),
  callOf({ key: 'ended alone', to: null, job: 'job_1', end: 'archived' }),
  callOf({ key: 'calling alone', to: null }),
  callOf({ key: 'doubt alone', to: null, end: 'unknown' }),
  callOf({ key: 'running other', to: 'other', job: 'job_1' }),
  callOf({ key: 'doubt other', to: 'other', end: 'unknown' }),
];

describe('(3) whether changes are covered', () => {
  test.for([
    ['the last changes of a pull request', 'pull', ['B'], 'B', true],
    ['changes before its last ones', 'pull', ['B', 'A'], 'A', false],
    ['changes before a prompt without changes', 'pull', [null, 'B'], 'B', true],
    ['a tag', 'tag', ['v1@A'], 'v1@A', true],
    ['a tag that was moved', 'tag', ['v1@A'], 'v1@B', false],
    ['another tag at the same commit', 'tags', ['v1-rc@A'], 'v1@A', false],
    ['a tag before the last one', 'tags', ['v2@B', 'v1@A'], 'v1@A', true],
  ] as const)('%s', ([, scope, sent, to, isTrue]) => {
    const state = stateOf(sent.map((of) => ({ ...ended, to: of })));
    expect(isCovered(state, askedOf({ scope }), to, false, new Set())).toBe(isTrue);
  });

  test('not by an open call, nor by one that does not count', () => {
    const state = stateOf([running, ended]);
    const asked = askedOf({ scope: 'pull' });
    expect(isCovered(state, asked, 'C', false, new Set(['ended']))).toBe(false);
    expect(isCovered(state, asked, 'C', false, new Set())).toBe(true);
  });
});

describe('(4) the call to look at before sending', () => {
  test.for([
    ['heads', ['running alone', 'doubt'], 'running alone'],
    ['heads', ['calling alone', 'doubt'], 'calling alone'],
    ['heads', ['doubt alone', 'running'], 'running'],
    ['heads', ['ended alone', 'doubt'], 'doubt'],
    ['heads', ['doubt alone', 'ended'], undefined],
    ['heads', ['ended', 'doubt'], undefined],
    ['pull', ['running other', 'doubt'], 'running other'],
    ['pull', ['doubt other', 'running'], 'running'],
    ['pull', ['doubt other'], 'doubt other'],
    ['tags', ['doubt other'], undefined],
    ['prompt alone', ['running'], 'running'],
    ['prompt alone', ['doubt', 'own'], 'own'],
    ['prompt alone', ['doubt'], undefined],
  ] as const)('%s: of %j, %s', ([about, keys, key]) => {
    const sendsChanges = about !== 'prompt alone';
    const asked = askedOf({ scope: sendsChanges ? about : 'heads', sendsChanges });
    const runs = keys.flatMap((one) => CALLS.filter((call) => call.key === one));
    expect(callBefore(stateOf(runs), asked, targetOf({ to: 'C' }), NOW)?.key).toBe(key);
  });
});

test('(6) a message goes to the newest call with a pull request', () => {
  const runs = [running, { ...ended, key: 'new', pull: PULL }, { ...ended, pull: `${PULL}1` }];
  expect(callToAppendTo(stateOf(runs))).toBe(runs[1]);
  expect(callToAppendTo(stateOf([running]))).toBeUndefined();
});

describe('(8) settling a call of C, with A covered', () => {
  const job = jobOf('completed');
  const [archived, started] = [{ kind: 'archived', job }, { kind: 'started' }] as const;
  test.for([
    [{ kind: 'pull-request', job: jobOf('completed', PULL) }, {}, 'C', { pull: PULL }],
    [{ kind: 'no-changes', job }, { message: PULL }, 'C', { pull: PULL }],
    [archived, {}, 'C', { pull: null }],
    [started, {}, 'C', { pull: null }],
    [archived, { to: null }, 'A', { pull: null }],
    [{ kind: 'failed', job }, {}, 'A', undefined],
    [{ kind: 'not-found', said: 'no' }, {}, 'A', undefined],
    [{ kind: 'stuck' }, {}, 'A', undefined],
    [{ kind: 'merged', job, link: PULL }, { message: PULL }, 'A', undefined],
    [{ kind: 'closed', job, link: PULL }, { message: PULL }, 'A', undefined],
  ] as const)('%j of %j', ([end, more, covered, entry]) => {
    const call = callOf(more);
    const runs = entry === undefined ? [] : [{ ...call, end: end.kind, ...entry }];
    const after = settled(stateOf([call], 'A'), call, end, 'heads', false);
    expect(after).toEqual({ v: 1, covered, runs });
  });

  test('never moves `covered` back, and moves it on branches only', () => {
    const state = stateOf([running], 'A');
    expect(settled(state, running, archived, 'heads', true).covered).toBe('A');
    expect(settled(state, running, archived, 'pull', false).covered).toBe('A');
  });
});
