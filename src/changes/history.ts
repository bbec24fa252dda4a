import type { GitHub, WorkflowRun } from '../effects/effects.ts';
import { GitHubError, messageOf, SinceError } from '../errors.ts';

/** Commits looked through for the tag before. */
const MAX_HISTORY = 1_000;

/** The tag nearest to `head` among the commits that lead to it, as `git describe` finds it. */
export async function tagBefore(
  github: GitHub,
  { tag, head }: { readonly tag: string; readonly head: string },
): Promise<string | undefined> {
  const tags = new Map((await github.tags()).map(({ name, sha }) => [sha, name]));
  let seen = 0;
  for await (const sha of github.history(head)) {
    const name = sha === head ? undefined : tags.get(sha);
    if (name !== undefined && name !== tag) return name;
    seen += 1;
    if (seen >= MAX_HISTORY) return undefined;
  }
  return undefined;
}

/** The tag of the release published before this one. */
export async function releaseBefore(
  github: GitHub,
  { tag, publishedAt }: { readonly tag: string; readonly publishedAt: string },
): Promise<string | undefined> {
  // Times are ISO 8601 in UTC, so that they sort as text. A draft has none.
  const earlier = (await github.releases())
    .filter((release) => release.tag !== tag)
    .filter((release) => publishedAt === '' || release.publishedAt < publishedAt)
    .sort((a, b) => (a.publishedAt < b.publishedAt ? 1 : -1));
  return earlier[0]?.tag;
}

/**
 * This workflow's successful runs on this branch before the current one, newest first. Throws a
 * `SinceError` when `since` asks for them and the token may not see them.
 */
export async function earlierSuccesses(
  { event, run, successfulRuns }: GitHub,
  since: string,
): Promise<readonly WorkflowRun[]> {
  try {
    const current = await run(event.runId);
    const runs = await successfulRuns(current.workflowId, current.headBranch ?? '');
    return runs.filter(
      ({ runNumber, headRepository }) =>
        runNumber < current.runNumber && headRepository === event.repository,
    );
  } catch (error) {
    if (!(error instanceof GitHubError)) throw error;
    // To a token without a permission GitHub says 403, or 404 as if there were nothing.
    if (error.kind !== 'forbidden' && error.kind !== 'missing') throw error;
    const message = `The last successful run cannot be looked up: ${messageOf(error)}. Give the job \`permissions:\` with \`actions: read\` and \`contents: read\``;
    if (since === 'last-success') throw new SinceError(`${message}.`);
    throw new GitHubError('failed', message, { cause: error });
  }
}
