import { StepError, type Topic } from '../errors.ts';

const NO_CONNECTION = 0;

/** By the usual cause of a status. A re-run reads secrets again, but not the workflow file. */
const NEXT: Readonly<Record<number, string>> = {
  [NO_CONNECTION]: 'Make sure that the runner reaches it, then re-run the failed jobs.',
  401: 'Replace the secret with a valid admin key, then re-run the failed jobs.',
  402: 'Check your Mintlify plan and credits, then re-run the failed jobs.',
  403: "In the Mintlify dashboard, make sure that it's an admin key and that its allow-list has the runner's address, then re-run the failed jobs.",
  413: 'Shorten the prompt, or include fewer changes with `changes: files` or `paths`, then start a new run.',
  429: 'Mintlify accepts 100 prompts per project per hour. Re-run the failed jobs later.',
};
const OTHER_NEXT = 'Check `projectId`, `jobId`, `baseUrl`, and the prompt, then start a new run.';
const TOPICS: Readonly<Record<number, Topic>> = {
  [NO_CONNECTION]: 'network',
  401: 'key',
  403: 'key',
};

/** The error of a call or read that the service refused. `what` is what did not happen. */
export function refusalError(
  what: string,
  { status = NO_CONNECTION, said }: { readonly status: number | undefined; readonly said: string },
): StepError {
  const next = NEXT[status] ?? OTHER_NEXT;
  return new StepError(TOPICS[status] ?? 'service', `${what} (${said}). ${next}`);
}
