import type { GitHub, PullRequestCommit } from '../github/github.ts';
import { GitHubError } from '../model/errors.ts';
import { quote } from '../text/escape.ts';
import { pullRequestAt } from '../text/pull-request-link.ts';

/** What GitHub says of the pull request that a link names. */
export type PullState =
  | {
      readonly kind: 'open' | 'merged' | 'closed';
      readonly repository: string;
      readonly number: number;
      /** `owner/name#123` */
      readonly name: string;
      readonly link: string;
      /** The commit that it ends at. */
      readonly head: string;
      /** When it was merged or closed, in ms since 1970. */
      readonly endedMs: number | undefined;
    }
  | UnknownPull;

/** It cannot be known. `reason` is a sentence without its full stop, with what to do. */
export interface UnknownPull {
  readonly kind: 'unknown';
  readonly reason: string;
}

/**
 * Pull requests of any repository on this GitHub server; the token goes to no other. Both reject with
 * a `GitHubError` when GitHub fails.
 */
export interface Pulls {
  /** `unknown` when GitHub does not show it to the token. */
  read(link: string): Promise<PullState>;
  /** At most 250, oldest first; `unknown` when GitHub does not show them to the token. */
  commits(
    pull: Pick<Exclude<PullState, { kind: 'unknown' }>, 'repository' | 'number' | 'name'>,
  ): Promise<readonly PullRequestCommit[] | UnknownPull>;
}

export function createPulls(
  github: () => Promise<Pick<GitHub, 'pull' | 'pullCommits'>>,
  serverUrl: string,
): Pulls {
  return {
    async read(link) {
      const named = pullRequestAt(serverUrl, link);
      if (link === '') {
        const reason =
          'The service names no pull request of it, so whether that is open cannot be looked up';
        return { kind: 'unknown', reason };
      }
      if (named === undefined) {
        const reason = `${quote(link)} is not the address of a pull request on this GitHub server (${quote(serverUrl)}), so whether it is open cannot be looked up`;
        return { kind: 'unknown', reason };
      }
      const { repository } = named;
      const number = Number(named.number);
      const name = `${repository}#${number}`;
      try {
        const pull = await (await github()).pull(repository, number);
        const { state, head, merged_at: mergedAt, closed_at: closedAt } = pull;
        const ended = Date.parse(mergedAt ?? closedAt ?? '');
        return {
          kind: state === 'open' ? 'open' : mergedAt === undefined ? 'closed' : 'merged',
          ...{ repository, number, name, link, head: head.sha },
          endedMs: Number.isNaN(ended) ? undefined : ended,
        };
      } catch (error) {
        return hidden(name, error);
      }
    },
    async commits({ repository, number, name }) {
      try {
        return await (await github()).pullCommits(repository, number);
      } catch (error) {
        return hidden(name, error);
      }
    },
  };
}

/** What GitHub does not show to the token. Any other error is thrown again. */
function hidden(name: string, error: unknown): UnknownPull {
  const isHidden =
    error instanceof GitHubError && (error.kind === 'forbidden' || error.kind === 'not-found');
  if (!isHidden) throw error;
  const reason = `GitHub does not show pull request ${quote(name)} to the token: ${error.message}. Give the workflow job \`permissions:\` with \`pull-requests: read\`. For a private docs repository, pass a \`githubToken\` of a GitHub App that may read this repository and that one`;
  return { kind: 'unknown', reason };
}
