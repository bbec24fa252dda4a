/** The create call or the follow-up message, at most once. */
import { type FollowedJob, type Job, unread } from '../model/agent-job.ts';
import type { Appended } from '../model/docs-pull.ts';
import { quote } from '../text/escape.ts';
import { pluralize } from '../text/words.ts';
import { type Calling, type CoreContext, setJobId } from './core-context.ts';

/** One call, with the prompt that it sends. */
export type Call =
  | { readonly kind: 'create'; readonly prompt: string }
  | {
      readonly kind: 'message';
      readonly prompt: string;
      readonly jobId: string;
      /** The open pull request that it adds to. Missing when a person typed the agent job's id. */
      readonly appended?: Appended;
    };

/** What the service has accepted. */
export interface Accepted {
  readonly call: Call;
  /** The agent job as the response shows it. */
  readonly job: FollowedJob;
  /** A typed agent job had its pull request before the message. */
  readonly wasOpen: boolean;
}

/**
 * Makes one call, at most once. Throws a `RunError` when it was not certainly accepted, and the signal's
 * reason after a cancel.
 */
export async function send(context: Calling<CoreContext>, call: Call): Promise<Accepted> {
  const { effects, tell } = context;
  const { runner } = effects;
  const accepted = await request(context, call);
  // No later error loses the id.
  setJobId(accepted.id, runner);
  const id = quote(runner.clean(accepted.id));
  runner.info(
    call.kind === 'create'
      ? `Agent job ${id} was created.`
      : `Agent job ${id} accepted the message.`,
  );
  const isAppended = call.kind === 'message' && call.appended !== undefined;
  const wasOpen = call.kind === 'message' && !isAppended && accepted.prLink !== '';
  const job = { ...accepted, end: undefined };
  tell({ job, isAccepted: true, isUpdated: wasOpen || isAppended });
  return { call, job, wasOpen };
}

async function request({ api, effects, tell }: Calling<CoreContext>, call: Call): Promise<Job> {
  const { runner } = effects;
  const size = pluralize(call.prompt.length, 'character');
  if (call.kind === 'create') {
    runner.info(`Creating an agent job with a prompt of ${size}.`);
    return api.createJob(call.prompt);
  }
  const id = quote(runner.clean(call.jobId));
  runner.info(`Sending agent job ${id} a follow-up message of ${size}.`);
  tell({ job: unread(call.jobId) });
  return api.sendMessage(call.jobId, call.prompt);
}
