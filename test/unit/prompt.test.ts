import { expect, test } from 'vitest';
import { GitHubError } from '../../src/lib/errors.ts';
import { composePrompt } from '../../src/prompt.ts';
import { fakeEffects } from '../support/fakes.ts';
import { INPUTS } from '../support/results.ts';

/** Composes a prompt with changes when GitHub cannot be opened. */
function composeWithout(cause: Error) {
  const source = { github: () => Promise.reject(cause), covered: undefined };
  const effects = fakeEffects(() => ({ kind: 'lost', error: '' }));
  return composePrompt('x', { ...INPUTS, changes: 'files' }, source, effects);
}

test('no prompt is composed when GitHub cannot be reached', async () => {
  const cause = new GitHubError('failed', 'no way there');
  await expect(composeWithout(cause)).rejects.toMatchObject({
    name: 'RunError',
    heading: 'The changes could not be found',
    message: 'no way there. Run this workflow job again. No prompt was sent.',
    cause,
  });
});

test('an unexpected error while GitHub is opened is rethrown', async () => {
  await expect(composeWithout(new TypeError('a bug'))).rejects.toThrow('a bug');
});
