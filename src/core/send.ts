/** Sends the create call or the follow-up message, at most once. */
import { type FollowedJob, type Job, unreadJob } from '../model/agent-job.ts';
import type { PullBefore, PullToAddTo } from '../model/docs-pull.ts';
import { quote } from '../text/escape.ts';
import { pullRequestOf } from '../text/pull-request-link.ts';
import { pluralize } from '../text/words.ts';
import { type Calling, type CoreContext, setJobId } from './core-context.ts';

/** One call and the prompt it sends. */
export type Call =
  | { readonly kind: 'create'; readonly prompt: string }
  | {
      readonly kind: 'message';
      readonly prompt: string;
      readonly jobId: string;
      /** The open pull request to add to. Missing when the workflow sets `jobId`. */
      readonly appended?: PullToAddTo;
    };

/** A call that the service accepted. */
export interface Accepted {
  readonly call: Call;
  /** The agent job as returned by the service. */
  readonly job: FollowedJob;
  readonly pullBefore: PullBefore;
}

/**
 * Makes the call, and never repeats one that the service might have accepted. Throws a `RunError`
 * unless the service certainly accepted the call, and the signal's reason after a cancel.
 */
export async function send(context: Calling<CoreContext>, call: Call): Promise<Accepted> {
  const { effects, tell } = context;
  const { runner } = effects;
  const accepted = await request(context, call);
  // Set the output now, so that no later error can lose the ID.
  setJobId(accepted.id, runner);
  const id = quote(runner.clean(accepted.id));
  runner.info(
    call.kind === 'create'
      ? `Agent job ${id} was created.`
      : `Agent job ${id} accepted the message.`,
  );
  const pullBefore = pullBeforeOf(call, accepted);
  const job = { ...accepted, end: undefined };
  tell({ job, isAccepted: true, pullBefore });
  return { call, job, pullBefore };
}

/** The response to a message has the link from before it. */
function pullBeforeOf(call: Call, { prLink }: Job): PullBefore {
  if (call.kind === 'create') return { kind: 'none' };
  const link = call.appended?.link ?? prLink;
  if (link === '') return { kind: 'unknown' };
  return { kind: 'existing', number: pullRequestOf(link)?.number, link };
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
  tell({ job: unreadJob(call.jobId) });
  return api.sendMessage(call.jobId, call.prompt);
}
