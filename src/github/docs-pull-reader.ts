import type { Job } from '../model/agent-job.ts';
import type { DocsPullState, UnknownDocsPull } from '../model/docs-pull.ts';
import { timeIn } from '../text/duration.ts';
import { quote } from '../text/escape.ts';
import { pageUrl } from '../text/pages.ts';
import { pullRequestAt } from '../text/pull-request-link.ts';
import { safeLink } from '../text/url.ts';
import { isHidden } from './errors.ts';
import type { GitHub } from './github.ts';

/**
 * Reads a pull request of any repository on this GitHub server, because no other server may get the
 * token. `unknown` when GitHub doesn't show it to the token. Rejects with a `GitHubError` when
 * GitHub fails.
 */
export type ReadDocsPull = (link: string) => Promise<DocsPullState>;

/**
 * Returns the link to an agent job's pull request. If the service returns none, uses the one that
 * the follow-up message was for, in the docs repository that the service names. Empty if that is
 * unknown too.
 */
export function docsPullLinkOf(
  { prLink, sourceRepository }: Pick<Job, 'prLink' | 'sourceRepository'>,
  messagedPull: number | undefined,
): string {
  if (prLink !== '' || messagedPull === undefined || sourceRepository === '') return prLink;
  return safeLink(`${sourceRepository}/pull/${messagedPull}`) ?? '';
}

export function docsPullReader(
  github: () => Promise<Pick<GitHub, 'pull'>>,
  serverUrl: string,
): ReadDocsPull {
  return async (link) => {
    if (link === '') {
      return unknown('the service names no pull request of it');
    }
    const named = pullRequestAt(serverUrl, link);
    if (named === undefined) {
      return unknown(
        `${quote(link)} is not the address of a pull request on this GitHub server (${quote(serverUrl)})`,
      );
    }
    const { repository } = named;
    const number = Number(named.number);
    const name = `${repository}#${number}`;
    try {
      const pull = await (await github()).pull(repository, number);
      const { state, head, merged_at: mergedAt, closed_at: closedAt } = pull;
      return {
        kind: state === 'open' ? 'open' : mergedAt === undefined ? 'closed' : 'merged',
        repository,
        number,
        name,
        head: head.sha,
        endedMs: timeIn(mergedAt ?? closedAt ?? ''),
      };
    } catch (error) {
      if (!isHidden(error)) throw error;
      return unknown(docsPullHidden(name), true);
    }
  };
}

/** Says why a pull request is unreadable and what reading it needs. Follows `because`. */
export const docsPullHidden = (name: string) =>
  `GitHub does not show pull request ${quote(name)} to \`githubToken\`, which needs \`pull-requests: read\` and, for a private docs repository, has to be the token of a GitHub App that may read both repositories (${pageUrl('RECIPES.md#a-private-docs-repository')})`;

const unknown = (reason: string, isHidden = false): UnknownDocsPull => ({
  kind: 'unknown',
  isHidden,
  reason,
});
