import { expect, test } from 'vitest';
import type { Inputs } from '../../../src/inputs/inputs.ts';
import { permissionsOf, type SendingContext } from '../../../src/steps/run-context.ts';
import { eventOf } from '../../support/fakes.ts';
import { INPUTS } from '../../support/results.ts';

const push = eventOf('push', { before: 'b' });
const opened = eventOf('pull_request', { pull_request: { number: 5, head: { sha: 'p' } } });
const [actions, checks] = ['actions: read', 'checks: read'];
const [contents, pulls] = ['contents: read', 'pull-requests: read'];

// https://docs.github.com/actions/reference/workflows-and-actions/workflow-syntax#permissions
test.each<[needs: readonly string[], step: string, inputs: Partial<Inputs>, event: typeof push]>([
  [[contents, actions, checks], 'a prompt alone', {}, push],
  [[contents, actions, checks], 'a prompt alone on a pull request', {}, opened],
  [[contents, actions, checks], 'changes', { changes: 'diff' }, push],
  [[contents, actions, checks], 'paths', { paths: ['src/**'] }, push],
  [
    [contents, actions, checks, pulls],
    'the changes of a pull request',
    { changes: 'files' },
    opened,
  ],
  [[contents, actions, checks, pulls], 'a pull request to add to', { pullRequest: 'append' }, push],
])(
  'names %j for %s, because a list of permissions replaces the default',
  (needs, _, inputs, event) => {
    const context = { inputs: { ...INPUTS, ...inputs }, effects: { readEvent: () => event } };
    expect(permissionsOf(context as SendingContext)).toEqual(needs);
  },
);
