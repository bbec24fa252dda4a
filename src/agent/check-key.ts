import type { Runner } from '../effects.ts';
import type { Agent } from './client.ts';
import { refusalError } from './refusal.ts';

/** No agent job has this id, so the response to a valid key is 404. */
const UNUSED_ID = 'dry-run-access-check';

/**
 * For a dry run: whether the service takes the key. Throws a `StepError` if it refuses the key, and
 * the signal's reason after a cancel. Any other failure is a warning.
 */
export async function checkKey(agent: Agent, runner: Runner): Promise<void> {
  const read = await agent.read(UNUSED_ID);
  if (read.kind === 'job' || read.kind === 'not-found') {
    runner.info('Mintlify accepts the key. A dry run does not check `projectId`.');
    return;
  }
  if (read.kind === 'refused' && (read.status === 401 || read.status === 403)) {
    throw refusalError('Mintlify refused the key', read);
  }
  const message = `The key could not be checked: ${read.said}.`;
  runner.annotate('warning', 'Docs agent: the key could not be checked', message);
}
