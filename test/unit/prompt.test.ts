import { expect, test } from 'vitest';
import { GitHubError } from '../../src/lib/errors.ts';
import { composePrompt } from '../../src/prompt.ts';
import { fakeEffects } from '../support/fakes.ts';
import { INPUTS } from '../support/results.ts';

test('the prompt is used without changes when GitHub cannot be reached', async () => {
  const openGitHub = () => Promise.reject(new GitHubError('failed', 'no way there'));
  const effects = fakeEffects(() => ({ kind: 'lost', error: '' }), { openGitHub });
  const composed = await composePrompt('x', { ...INPUTS, changes: 'files' }, 1_000, effects);
  expect(composed).toEqual({
    kind: 'prompt',
    text: 'x',
    changes: { kind: 'unknown', reason: 'no way there' },
  });
  expect(effects.runner.annotations).toEqual([
    {
      level: 'warning',
      title: 'Docs agent: changes not known',
      message:
        'Could not find out what changed: no way there. The prompt has no changes, and `paths` is ignored.',
    },
  ]);
});

test('an unexpected error while GitHub is opened is rethrown', async () => {
  const openGitHub = () => Promise.reject(new TypeError('a bug'));
  const effects = fakeEffects(() => ({ kind: 'lost', error: '' }), { openGitHub });
  const asked = composePrompt('x', { ...INPUTS, changes: 'files' }, 1_000, effects);
  await expect(asked).rejects.toThrow('a bug');
});
