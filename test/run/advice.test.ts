/** What the report of a failed attempt says that a re-run does is what the re-run does. */
import { expect, test } from 'vitest';
import { type Inputs, World } from '../support/action.ts';
import { ACTIVE, FAILING, type Fault, type JobState, QUICK } from '../support/mintlify.ts';

interface Attempt {
  /** What became of the newest agent job since the attempt before. */
  readonly meanwhile?: JobState;
  readonly script?: readonly JobState[];
  /** Of each call. */
  readonly fault?: Fault;
  readonly timeout?: string;
  readonly cancelAfterMs?: number;
  readonly outcome: string;
  /** What the report says of a re-run. */
  readonly says: RegExp;
  /** How often it calls Mintlify. */
  readonly calls: number;
  readonly warns?: RegExp;
}

const FOLLOWS = /To wait for the agent job, re-run the failed jobs/;
const SENDS = /send the prompt again, re-run|try again, re-run|; if not, re-run|then re-run/;
const NONE = /^$/;
const SECOND = /Do not re-run: that creates a second agent job/;
const IN_DOUBT = /It is unknown whether Mintlify accepted the prompt of workflow run 2/;
/** Nothing remembers an earlier attempt. */
const TWICE = /may be sent twice/;
const DONE = { outcome: 'pull-request', says: NONE };
const LATER: Fault = { kind: 'response', status: 429, headers: { 'retry-after': '60' } };
const REFUSED: Fault = { kind: 'response', status: 401 };

const LOST: Attempt = { fault: { kind: 'lost' }, outcome: 'error', says: SENDS, calls: 1 };
const FAILED: Attempt = { script: FAILING, outcome: 'failed', says: SENDS, calls: 1 };
const TIMED_OUT: Attempt = {
  ...{ script: ACTIVE, timeout: '2m', outcome: 'timed-out', says: FOLLOWS, calls: 1 },
};

interface Story {
  readonly inputs?: Inputs;
  readonly attempts: readonly Attempt[];
}

const STORIES: Readonly<Record<string, Story>> = {
  'a push': {
    attempts: [
      FAILED,
      { fault: REFUSED, outcome: 'error', says: SENDS, calls: 1 },
      { fault: LATER, cancelAfterMs: 1_000, outcome: 'cancelled', says: SENDS, calls: 1 },
      LOST,
      { ...TIMED_OUT, warns: IN_DOUBT },
      { cancelAfterMs: 15_000, outcome: 'cancelled', says: FOLLOWS, calls: 0 },
      {
        meanwhile: { status: 'gone' },
        fault: REFUSED,
        outcome: 'error',
        says: /nothing was sent[\s\S]*then re-run/,
        calls: 1,
        warns: /`job_3` of workflow run 2 is no longer known/,
      },
      { ...DONE, calls: 1, warns: IN_DOUBT },
      { ...DONE, calls: 0 },
    ],
  },
  'a push with a long timeout': {
    inputs: { pollInterval: '10m' },
    attempts: [
      { ...TIMED_OUT, timeout: '2h', says: SECOND },
      { ...DONE, calls: 1, warns: /active for over 2 h/ },
    ],
  },
  'a prompt alone': {
    inputs: { changes: 'none' },
    attempts: [
      FAILED,
      { ...LOST, warns: TWICE },
      { ...TIMED_OUT, says: SECOND, warns: TWICE },
      { ...DONE, calls: 1, warns: TWICE },
    ],
  },
};

test.concurrent.for(Object.entries(STORIES))('of %s', async ([, { inputs = {}, attempts }]) => {
  await using world = await World.open();
  const { mintlify } = world;
  let start = world.push('one');
  for (const attempt of attempts) {
    const { script = QUICK, fault, timeout = '30m', cancelAfterMs, says, warns = NONE } = attempt;
    if (attempt.meanwhile) mintlify.setState(mintlify.jobIds.at(-1) ?? '', attempt.meanwhile);
    mintlify.script = script;
    mintlify.fault = ({ method }) => (method === 'POST' ? fault : undefined);
    const before = mintlify.posts.length;
    const onStart = (cancel: () => void) => {
      if (cancelAfterMs !== undefined) world.clock.at(cancelAfterMs, cancel);
    };
    const ended = await world.run(start, { ...inputs, timeout }, { onStart });
    const calls = mintlify.posts.length - before;
    expect([ended.outcome, calls]).toEqual([attempt.outcome, attempt.calls]);
    expect(ended.errors).toMatch(says);
    expect(ended.warnings.join(' ')).toMatch(warns);
    start = world.github.rerun(start);
  }
});
