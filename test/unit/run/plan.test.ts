import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { readFacts } from '../../../src/github/event.ts';
import { readInputs } from '../../../src/inputs.ts';
import { ledgerRef, planOf } from '../../../src/run/plan.ts';
import { inputVariables } from '../../support/runner-rules.ts';

const GIVEN = { prompt: 'Update the docs.', projectId: 'acme', dryRun: 'true', githubToken: 't' };
const STEP = { GITHUB_JOB: 'update', GITHUB_ACTION: 'docs', GITHUB_WORKFLOW: 'docs.yml' };

/** `about` is the event, its ref, and the number of its pull request. */
async function planFor(about: readonly [event: string, ref: string, pull?: number], more: object) {
  const [event, ref, number] = about;
  const inputs = await readInputs(inputVariables({ ...GIVEN, ...more }));
  const facts = { ...STEP, GITHUB_EVENT_NAME: event, GITHUB_REF: ref };
  const payload = number === undefined ? {} : { pull_request: { number } };
  return planOf(inputs, readFacts(facts, payload));
}

const FILES = { changes: 'files' };
const APPEND = { pullRequest: 'append' };
const EVENT = { since: 'event' };
const PULL = { codePullRequest: '#12' };
const push = ['push', 'refs/heads/main'] as const;
const schedule = ['schedule', 'refs/heads/main'] as const;
const tag = ['push', 'refs/tags/v1'] as const;
const pull = ['pull_request', 'refs/pull/7/merge', 7] as const;

test.for([
  [push, FILES, 'heads/main', 'branch'],
  [['push', 'refs/heads/a/b c'], FILES, 'heads/a%2Fb%20c', 'branch'],
  [push, { ...FILES, matrix: '{"a":1}' }, '015abd7f5cc5/heads/main', 'branch'],
  [tag, FILES, 'tag/v1', 'tag'],
  [tag, { ...FILES, ...APPEND }, 'tags', 'tag'],
  [pull, FILES, 'pull/7', 'pull'],
  [pull, PULL, 'pull/12', 'pull'],
  [schedule, PULL, 'pull/12', 'pull'],
  [push, { ...EVENT, ...APPEND }, 'heads/main', 'branch'],
  [schedule, APPEND, 'heads/main', undefined],
] as const)('%j with %j has the ledger %s', async ([about, more, name, kind]) => {
  const ref = `refs/docs-agent/docs%2Eyml/update/docs/${name}`;
  const subject = kind === undefined ? undefined : expect.objectContaining({ kind });
  const ledger = { ref, scope: expect.any(String) };
  expect(await planFor(about, more)).toEqual({ kind: 'prompt', subject, ledger });
});

test.for([
  [push, EVENT, { kind: 'branch', branch: 'main', head: '' }],
  [push, {}, undefined],
  [['deployment', ''], {}, undefined],
] as const)('%j with %j has no ledger', async ([about, more, subject]) => {
  expect(await planFor(about, more)).toEqual({ kind: 'prompt', subject, ledger: undefined });
});

const step = { workflowFile: 'docs.yml', workflowJob: 'docs', step: 'send' };
const branch = (name: string) => ['heads', name] as const;

test('names that differ only at their end, and legs of a matrix, have ledgers of their own', () => {
  const [one, two] = ['1', '2'].map((end) =>
    ledgerRef(step, 'null', branch(`${'x'.repeat(60)}${end}`)),
  );
  expect(one).not.toBe(two);
  const legs = ['a', 'b'].map((leg) => ledgerRef(step, `["${leg}"]`, ['tags']));
  expect(legs[0]).not.toBe(legs[1]);
});

test.for(['null', '{}', ''])('outside a matrix (%j), there is no part for it', (matrix) => {
  expect(ledgerRef(step, matrix, ['tags'])).toBe('refs/docs-agent/docs%2Eyml/docs/send/tags');
});

test.for([
  ['the longest names', 'x'.repeat(255)],
  ['other alphabets', 'документация/日本語/ä'],
  ['what git forbids in refs', '..~^:?*[\\ @{.lock'],
  ['half a surrogate pair', '\ud800'],
] as const)('git and GitHub accept the ref of %s', ([, name]) => {
  const names = { workflowFile: name, workflowJob: name, step: name };
  const ref = ledgerRef(names, `["${name}"]`, branch(name));
  expect(execFileSync('git', ['check-ref-format', ref]).toString()).toBe('');
  // GitHub refuses longer ones (GH005).
  expect(Buffer.byteLength(ref)).toBeLessThanOrEqual(255);
  expect(ref).toMatch(/^[\w/%+-]+$/);
});
