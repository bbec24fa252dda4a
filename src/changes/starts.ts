/** What a run is about, and where its changes end and start. */
import { StepError } from '../errors.ts';
import type { Repository } from '../git/repository.ts';
import type { RunFacts } from '../github/event.ts';
import type { GitHub } from '../github/github.ts';
import type { PullRequest } from '../github/pull-requests.ts';
import { quote } from '../text/escape.ts';
import { isAliasOf, tagBefore, versionOf } from './version.ts';

export type ChangingSubject =
  | { readonly kind: 'branch'; readonly branch: string; readonly head: string }
  | { readonly kind: 'tag'; readonly tag: string; readonly head: string }
  | { readonly kind: 'pull'; readonly number: number };

export type Subject =
  | ChangingSubject
  | { readonly kind: 'nothing'; readonly reason: 'merge-group' | 'branch-deleted' };

/**
 * Throws a `StepError` if the event names no branch, tag, or pull request, as some deployments do.
 * https://docs.github.com/actions/reference/workflows-and-actions/events-that-trigger-workflows
 */
export function subjectOf({
  eventName,
  ref,
  sha: head,
  payload,
}: Pick<RunFacts, 'eventName' | 'ref' | 'sha' | 'payload'>): Subject {
  const { deleted, issue, merge_group: mergeGroup, pull_request: pull, release } = payload;
  if (mergeGroup !== undefined) return { kind: 'nothing', reason: 'merge-group' };
  if (deleted === true) return { kind: 'nothing', reason: 'branch-deleted' };
  // A comment on a pull request comes as one on an issue.
  const number = pull?.number ?? (issue?.pull_request && issue.number);
  if (number !== undefined) return { kind: 'pull', number };
  if (release?.tag_name !== undefined) return { kind: 'tag', tag: release.tag_name, head };
  const [, kind, name = ''] = splitRef(ref);
  if (kind === 'heads') return { kind: 'branch', branch: name, head };
  if (kind === 'tags') return { kind: 'tag', tag: name, head };
  throw new StepError(
    'event',
    `This run is not for a branch, tag, or pull request: its event is ${quote(eventName)}, and its ref is ${quote(ref)}`,
  );
}

/** `heads` or `tags` at 1, and the name at 2. Nothing of another ref. */
export const splitRef = (ref: string) => /^refs\/(heads|tags)\/(.*)$/s.exec(ref) ?? [];

/** Where the changes end and, if the event says, start. */
export interface Ends {
  /** Object ids. */
  readonly head: string;
  readonly start: string | undefined;
  readonly startName?: string;
  readonly headName?: string;
  readonly pull?: PullRequest;
}

interface StartsOptions {
  readonly github: Pick<GitHub, 'commit' | 'mergeBase' | 'releases' | 'pullRequest'>;
  readonly repo: Pick<Repository, 'refs' | 'tip'>;
  readonly facts: Pick<RunFacts, 'payload'>;
}

/**
 * Reads a pull request anew at each call. Throws a `StepError` if GitHub or git fails, and if nothing
 * says what a pull request is compared with.
 */
export async function endsOf(subject: ChangingSubject, options: StartsOptions): Promise<Ends> {
  switch (subject.kind) {
    case 'branch':
      return { head: subject.head, start: await startOfBranch(subject, options) };
    case 'tag':
      return endsOfTag(subject, options);
    case 'pull':
      return endsOfPull(subject.number, options);
  }
}

/** Only a push says where its changes start. A new branch starts where it left the default branch. */
async function startOfBranch(
  { branch, head }: Extract<ChangingSubject, { kind: 'branch' }>,
  { github, repo, facts }: StartsOptions,
): Promise<string | undefined> {
  const { before, repository } = facts.payload;
  // GitHub gives zeros as the commit before the first push of a branch.
  if (before === undefined || !/^0+$/.test(before)) return before;
  const main = repository?.default_branch;
  const tip = main === undefined || main === branch ? undefined : await repo.tip(main);
  return tip === undefined ? undefined : github.mergeBase(tip, head);
}

async function endsOfTag(
  { tag, head }: Extract<ChangingSubject, { kind: 'tag' }>,
  { github, repo, facts }: StartsOptions,
): Promise<Ends> {
  const { release } = facts.payload;
  const refs = await repo.refs('refs/tags/*');
  const shaOf = (name: string) => refs.get(`refs/tags/${name}`);
  const others =
    release === undefined
      ? [...refs.keys()].map((ref) => ({ tag: ref.replace('refs/tags/', '') }))
      : (await github.releases()).filter(({ isDraft }) => !isDraft);
  // `v3` and `v3.1` may have moved to the new `v3.1.0`, and are then just other names for it.
  const isAlias = (name: string) =>
    shaOf(name) === head && isAliasOf(versionOf(name), versionOf(tag));
  const startName = tagBefore(
    { tag, isPrerelease: release?.prerelease },
    // The tag of a release may have been deleted.
    others.filter((other) => shaOf(other.tag) !== undefined && !isAlias(other.tag)),
  );
  if (startName === undefined) return { head, headName: tag, start: undefined };
  return { head, headName: tag, start: shaOf(startName), startName };
}

/** What *Files changed* shows: nothing that "Update branch" or a rebase brought from its base. */
async function endsOfPull(number: number, { github, repo }: StartsOptions): Promise<Ends> {
  const pull = await github.pullRequest(number);
  const { state, head, baseBranch, mergeCommit } = pull;
  // A merge by a push of its own commits has no merge commit.
  const merge = mergeCommit === head ? undefined : mergeCommit;
  const base =
    state === 'merged'
      ? merge && (await github.commit(merge))?.parents[0]
      : await repo.tip(baseBranch);
  if (base !== undefined) return { head, start: await github.mergeBase(base, head), pull };
  throw new StepError(
    'pull-request-start',
    `Cannot determine where the changes in pull request #${number} start: its base branch ${quote(baseBranch)} or its merge commit is missing`,
  );
}

/**
 * The commit of a branch, a tag, or a commit's id, whole or abbreviated. Throws a `StepError` if
 * there is none, or if both a branch and a tag have the name.
 */
export async function resolveSince(
  since: string,
  { github, repo }: Pick<StartsOptions, 'github' | 'repo'>,
): Promise<string> {
  const name = since.replace(/^refs\//, '');
  const patterns = [`refs/${name}`, `refs/heads/${name}`, `refs/tags/${name}`];
  const refs = await repo.refs(...patterns);
  const [exact, branch, tag] = patterns.map((pattern) => refs.get(pattern));
  if (branch !== undefined && tag !== undefined) {
    throw new StepError(
      'since-ambiguous',
      `\`since\` is ${quote(since)}, which is both a branch and a tag of this repository`,
      { about: `${quote(`heads/${name}`)} or ${quote(`tags/${name}`)}` },
    );
  }
  const found = exact ?? branch ?? tag;
  if (found !== undefined) return found;
  const commit = /^[0-9a-f]{4,64}$/i.test(since) ? await github.commit(since) : undefined;
  if (commit !== undefined) return commit.sha;
  throw new StepError(
    'since-unknown',
    `\`since\` is ${quote(since)}, but this repository has no such branch, tag, or commit`,
  );
}
