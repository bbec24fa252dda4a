/** A commit, as far as it says where it stands. */
interface CommitInGraph {
  readonly sha: string;
  readonly parents?: readonly { readonly sha: string }[] | null | undefined;
}

/** Those of the commits that are reachable from one of `starts`, which count themselves. */
export function reachableFrom(
  starts: readonly string[],
  commits: readonly CommitInGraph[],
): ReadonlySet<string> {
  const bySha = new Map(commits.map((commit) => [commit.sha, commit]));
  const reached = new Set(starts.filter((sha) => bySha.has(sha)));
  // A set is walked in the order in which it grows.
  for (const sha of reached) {
    for (const parent of bySha.get(sha)?.parents ?? []) {
      if (bySha.has(parent.sha)) reached.add(parent.sha);
    }
  }
  return reached;
}
