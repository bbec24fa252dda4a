import { expect, test } from 'vitest';
import { readFacts } from '../../src/github/event.ts';
import type { Inputs } from '../../src/inputs.ts';
import { planOf } from '../../src/plan.ts';

const GIVEN = { sendsChanges: true, since: '', pullRequest: 'new', matrix: 'null' } as const;
const ALONE = { sendsChanges: false } as const;
const APPEND = { pullRequest: 'append' } as const;
const EVENT = { since: 'event' } as const;

function planFor(event: string, ref: string, payload: object, inputs: Partial<Inputs>) {
  const step = { GITHUB_JOB: 'update', GITHUB_ACTION: 'docs', GITHUB_WORKFLOW: 'docs.yml' };
  const facts = readFacts({ ...step, GITHUB_EVENT_NAME: event, GITHUB_REF: ref }, payload);
  return planOf({ ...GIVEN, ...inputs } as Inputs, facts);
}

const MAIN = 'refs/heads/main';
const pull = { pull_request: { number: 7 } };

test.each<
  [string, string, object, Partial<Inputs>, ref: string, kind: string | undefined, tracks: boolean]
>([
  ['push', MAIN, {}, {}, 'heads/main', 'branch', true],
  ['push', 'refs/heads/a/b c', {}, {}, 'heads/a%2Fb%20c', 'branch', true],
  ['push', MAIN, {}, { matrix: '{"a":1}' }, '015abd7f5cc5/heads/main', 'branch', true],
  ['push', 'refs/tags/v1', {}, {}, 'tags', 'tag', true],
  ['pull_request', 'refs/pull/7/merge', pull, {}, 'pull/7', 'pull', true],
  ['push', MAIN, {}, EVENT, 'prompts', 'branch', false],
  ['push', MAIN, {}, { ...EVENT, ...APPEND }, 'heads/main', 'branch', true],
  ['schedule', MAIN, {}, { ...ALONE, ...APPEND }, 'heads/main', undefined, false],
  ['deployment', '', {}, ALONE, 'prompts', undefined, false],
])('the ledger of a %s of %s (%j, %j) is %s', (event, ref, payload, inputs, name, kind, tracks) => {
  const plan = planFor(event, ref, payload, inputs);
  expect(plan).toMatchObject({
    ledger: { ref: `refs/docs-agent/docs%2Eyml/update/docs/${name}` },
    tracksChanges: tracks,
  });
  expect(plan.kind === 'run' && plan.subject?.kind).toBe(kind);
});
