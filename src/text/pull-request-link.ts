// https://docs.github.com/rest/pulls/pulls#get-a-pull-request
const PULL_REQUEST = /^\/([\w.-]+\/[\w.-]+)\/pull\/([1-9]\d*)(?:\/|$)/;
// https://docs.gitlab.com/api/merge_requests/#get-single-mr
const MERGE_REQUEST = /^\/([\w.-]+(?:\/[\w.-]+)+)\/-\/merge_requests\/([1-9]\d*)(?:\/|$)/;

/** The repository and number of the pull request that a link points to, on any host. */
export function pullRequestOf(link: string) {
  const path = URL.canParse(link) ? new URL(link).pathname : '';
  const [, repository, number] = PULL_REQUEST.exec(path) ?? MERGE_REQUEST.exec(path) ?? [];
  return repository && number ? { repository, number } : undefined;
}

/** The pull request on this GitHub server that a link points to. `undefined` for any other link. */
export function pullRequestAt(serverUrl: string, link: string) {
  if (!URL.canParse(link) || !URL.canParse(serverUrl)) return undefined;
  const url = new URL(link);
  const isHere = url.origin === new URL(serverUrl).origin && PULL_REQUEST.test(url.pathname);
  return isHere ? pullRequestOf(link) : undefined;
}
