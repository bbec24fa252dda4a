import type { GitHub } from '../github/github.ts';
import type { Job } from '../model/agent-job.ts';
import { GitHubError } from '../model/errors.ts';
import { timeIn } from '../text/duration.ts';
import { quote } from '../text/escape.ts';
import { pullRequestAt } from '../text/pull-request-link.ts';
import { safeLink } from '../text/url.ts';

/** What GitHub says of the pull request that a link names. */
export type PullState = KnownPull | UnknownPull;

export interface KnownPull {
  readonly kind: 'open' | 'merged' | 'closed';
  readonly repository: string;
  readonly number: number;
  /** `owner/name#123` */
  readonly name: string;
  /** The commit that it ends at. */
  readonly head: string;
  /** When it was merged or closed, in ms since 1970. */
  readonly endedMs: number | undefined;
}

/** It cannot be known. `reason` is a sentence without its full stop, with what to do. */
interface UnknownPull {
  readonly kind: 'unknown';
  readonly reason: string;
}

/**
 * Reads a pull request of any repository on this GitHub server; the token goes to no other. `unknown`
 * when GitHub does not show it to the token. Rejects with a `GitHubError` when GitHub fails.
 */
export type ReadPull = (link: string) => Promise<PullState>;

/**
 * The link of an agent job's pull request. Where the service names none, it is the one that the
 * follow-up message was for, in the docs repository that the service names. Empty where that is not
 * known, too.
 */
export function pullLinkOf(
  { prLink, sourceRepository }: Pick<Job, 'prLink' | 'sourceRepository'>,
  messagedPull: number | undefined,
): string {
  if (prLink !== '' || messagedPull === undefined || sourceRepository === '') return prLink;
  return safeLink(`${sourceRepository}/pull/${messagedPull}`) ?? '';
}

export function pullReader(
  github: () => Promise<Pick<GitHub, 'pull'>>,
  serverUrl: string,
): ReadPull {
  return async (link) => {
    if (link === '') {
      return unknown(
        'The service names no pull request of it, so whether that is open cannot be looked up',
      );
    }
    const named = pullRequestAt(serverUrl, link);
    if (named === undefined) {
      return unknown(
        `${quote(link)} is not the address of a pull request on this GitHub server (${quote(serverUrl)}), so whether it is open cannot be looked up`,
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
        ...{ repository, number, name, head: head.sha },
        endedMs: timeIn(mergedAt ?? closedAt ?? ''),
      };
    } catch (error) {
      const isHidden =
        error instanceof GitHubError && (error.kind === 'forbidden' || error.kind === 'not-found');
      if (!isHidden) throw error;
      return unknown(
        `GitHub does not show pull request ${quote(name)} to the token: ${error.message}. Give the workflow job \`permissions:\` with \`pull-requests: read\`. For a private docs repository, pass a \`githubToken\` of a GitHub App that may read this repository and that one`,
      );
    }
  };
}

const unknown = (reason: string): UnknownPull => ({ kind: 'unknown', reason });
