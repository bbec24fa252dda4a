/** What the report of a failed run says that a re-run does is what the re-run does. */
import { expect, test } from 'vitest';
import { type Inputs, World } from '../support/action.ts';
import { type Fault, type JobState, nth, QUICK } from '../support/mintlify.ts';

const ACTIVE: readonly JobState[] = [{ status: 'active' }];
const FAILED: readonly JobState[] = [{ status: 'failed' }];
const GONE: readonly JobState[] = [{ status: 'gone' }];
const LATER: Fault = { kind: 'response', status: 429, headers: { 'retry-after': '60' } };

interface Case {
  readonly script?: readonly JobState[];
  readonly first?: Fault;
  readonly inputs?: Inputs;
  readonly token?: string;
  /** When the runner cancels the step, in ms. */
  readonly cancelAfterMs?: number;
  /** What the report says of a re-run. */
  readonly says: RegExp;
  /** Calls of the first run that reached Mintlify, and those of the re-run. */
  readonly calls: readonly [first: number, rerun: number];
}

const FOLLOWS = /To wait for the agent job, re-run the failed jobs/;
const SENDS = /send the prompt again, re-run|try again, re-run|; if not, re-run|then re-run/;
const SECOND = /A re-run creates a second agent job/;
const alone = { changes: 'none' };

const CASES: Readonly<Record<string, Case>> = {
  'an agent job that failed': { script: FAILED, says: SENDS, calls: [1, 1] },
  'an agent job that is gone': { script: GONE, says: SENDS, calls: [1, 1] },
  'a timeout': { script: ACTIVE, inputs: { timeout: '2m' }, says: FOLLOWS, calls: [1, 0] },
  'a lost response': { first: { kind: 'lost' }, says: SENDS, calls: [1, 1] },
  'a refused call': {
    first: { kind: 'response', status: 401 },
    says: SENDS,
    calls: [1, 1],
  },
  'a cancel before the call': { first: LATER, cancelAfterMs: 1_000, says: SENDS, calls: [1, 1] },
  'a cancel after the call': {
    script: ACTIVE,
    cancelAfterMs: 15_000,
    says: FOLLOWS,
    calls: [1, 0],
  },
  'a prompt alone whose agent job failed': {
    script: FAILED,
    inputs: alone,
    says: SENDS,
    calls: [1, 1],
  },
  'a prompt alone without a ledger that timed out': {
    script: ACTIVE,
    inputs: { ...alone, timeout: '2m' },
    token: 'reader',
    says: SECOND,
    calls: [1, 1],
  },
};

test.for(Object.entries(CASES))('after %s', async ([, given]) => {
  const { script = QUICK, first, inputs = {}, token = 'writer', cancelAfterMs } = given;
  await using world = await World.open({ script });
  if (first !== undefined) world.mintlify.fault = nth('POST', 1, first);
  const cancel = new AbortController();
  if (cancelAfterMs !== undefined)
    world.clock.at(cancelAfterMs, () => cancel.abort(world.cancelled));
  const push = world.push('one');
  const failed = await world.run(push, inputs, { token, cancel });
  expect(failed.isSuccess).toBe(false);
  expect(failed.annotations('error').join('\n')).toMatch(given.says);
  const before = world.mintlify.posts.length;
  world.mintlify.script = QUICK;
  for (const id of world.mintlify.jobIds)
    if (script === ACTIVE) world.mintlify.setState(id, { status: 'completed' });
  const again = await world.run(world.github.rerun(push), inputs, { token });
  expect(again.isSuccess, again.annotations('error').join('\n')).toBe(true);
  expect([before, world.mintlify.posts.length - before]).toEqual(given.calls);
});
