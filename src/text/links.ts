/** Links from outside, and the pull requests that they point to. */

/** Normalizes an untrusted URL. `undefined` unless it is http(s) and without credentials. */
export function safeLink(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  const isWeb = url.protocol === 'https:' || url.protocol === 'http:';
  if (!isWeb || url.username !== '' || url.password !== '') return undefined;
  // A query may hold backticks, which quote text in our messages.
  return url.href.replaceAll('`', '%60');
}

// https://docs.github.com/rest/pulls/pulls#get-a-pull-request
const PULL_REQUEST = /^\/([\w.-]+\/[\w.-]+)\/pull\/([1-9]\d*)(?:\/|$)/;
// https://docs.gitlab.com/api/merge_requests/#get-single-mr
const MERGE_REQUEST = /^\/([\w.-]+(?:\/[\w.-]+)+)\/-\/merge_requests\/([1-9]\d*)(?:\/|$)/;

/** The repository and the number of the pull request that a link points to, on any host. */
export function pullRequestOf(link: string) {
  const path = URL.canParse(link) ? new URL(link).pathname : '';
  const [, repository, number] = PULL_REQUEST.exec(path) ?? MERGE_REQUEST.exec(path) ?? [];
  return repository && number ? { repository, number } : undefined;
}

/** A pull request's name as people write it. Other links stay as they are. */
export function pullName(link: string): string {
  const pull = pullRequestOf(link);
  return pull === undefined ? link : `${pull.repository}#${pull.number}`;
}
