import { expect, test } from 'vitest';
import type { Inputs } from '../../../src/inputs/inputs.ts';
import type { SendingContext } from '../../../src/steps/run-context.ts';
import { afterDoubt } from '../../../src/steps/start-source.ts';
import { eventOf, FACTS } from '../../support/fakes.ts';
import { INPUTS } from '../../support/results.ts';

const push = eventOf('push', { before: 'b' });
const opened = eventOf('pull_request', { pull_request: { number: 5, head: { sha: 'p' } } });
const files = { changes: 'files' } as const;
const lastSuccess = { ...files, since: 'last-success' };

const NOT_AGAIN = 'do not send the prompt again';
const SENT_AGAIN =
  'there is nothing to do, and the next run of the pull request sends its changes again';
const FROM_HEAD =
  'start a new run with `dryRun: false` and `since` set to `h`, which sends only later changes';
const SINCE =
  'start a new run with `dryRun: false` and `since` set to the commit before the first change to send';
const PUSH =
  'give this step a workflow job of its own with another name, and push to the pull request';

test.each<[step: string, inputs: Partial<Inputs>, event: typeof push, says: readonly string[]]>([
  ['with a prompt alone', {}, push, [NOT_AGAIN, NOT_AGAIN, 'start a new run']],
  [
    'with a prompt alone that adds to a pull request',
    { pullRequest: 'append' },
    push,
    [NOT_AGAIN, NOT_AGAIN, 'start a new run with `pullRequest: new` and `dryRun: false`'],
  ],
  ['under `auto`', files, push, [NOT_AGAIN, NOT_AGAIN, SINCE]],
  ['under `last-success`', lastSuccess, push, [FROM_HEAD, FROM_HEAD, SINCE]],
  ['under `auto` on a pull request', files, opened, [NOT_AGAIN, NOT_AGAIN, PUSH]],
  // A record that cannot be read stops the next run as well.
  ['under `last-success` on a pull request', lastSuccess, opened, [SENT_AGAIN, NOT_AGAIN, PUSH]],
])('after a doubt, a step %s says what leaves it behind', (_, inputs, event, says) => {
  const context = {
    inputs: { ...INPUTS, ...inputs },
    facts: FACTS,
    effects: { readEvent: () => event },
  } as SendingContext;
  const [unknown, hidden] = [afterDoubt(context, false), afterDoubt(context, true)];
  expect([unknown.ifSent, hidden.ifSent, hidden.ifStopped]).toEqual(says);
});
