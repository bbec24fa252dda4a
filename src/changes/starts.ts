/** What a run is about, and where its changes start and end. */
import { StepError } from '../errors.ts';
import type { Repository } from '../git/repository.ts';
import { GitHubError } from '../github/client.ts';
import type { RunFacts } from '../github/event.ts';
import type { GitHub } from '../github/github.ts';
import type { PullRequest } from '../github/pull-requests.ts';
import { quote } from '../text/escape.ts';
import { shortRef } from '../text/words.ts';
import { tagBefore, type VersionTag } from './version.ts';

export type ChangingSubject =
  | { readonly kind: 'branch'; readonly branch: string; readonly head: string }
  | { readonly kind: 'tag'; readonly tag: string; readonly head: string }
  | { readonly kind: 'pull'; readonly number: number };

export type Subject =
  | ChangingSubject
  | { readonly kind: 'nothing'; readonly reason: 'merge-group' | 'branch-deleted' };

/**
 * The pull request `codePullRequest` if there is one, whatever the event is. Throws a `StepError` if
 * the event names no branch, tag, or pull request, as some deployments do.
 * https://docs.github.com/actions/reference/workflows-and-actions/events-that-trigger-workflows
 */
export function subjectOf(
  { eventName, ref, sha: head, payload }: Pick<RunFacts, 'eventName' | 'ref' | 'sha' | 'payload'>,
  codePullRequest?: number,
): Subject {
  if (codePullRequest !== undefined) return { kind: 'pull', number: codePullRequest };
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

/** What the log says about the changes. A warning is also an annotation. */
export interface Remark {
  readonly level: 'note' | 'warning';
  readonly text: string;
}

/** Where the changes end and, if the event says, start. */
export interface Range {
  /** Object ids. */
  readonly head: string;
  readonly start: string | undefined;
  /** Their tags. */
  readonly headName?: string;
  readonly startName?: string | undefined;
  /** Whether the tag is still at `head`. */
  readonly isCurrent?: boolean;
  readonly pull?: PullRequest;
  /** Of the tag `headName`. */
  readonly release?: RunFacts['payload']['release'];
  readonly remarks: readonly Remark[];
}

interface RangeOptions {
  readonly github: GitHub;
  readonly repo: Pick<Repository, 'refs' | 'tip'>;
  readonly facts: Pick<RunFacts, 'eventName' | 'payload'>;
}

/**
 * Reads a pull request anew at each call. Throws a `StepError` if GitHub or git fails, and if nothing
 * says what a pull request is compared with.
 */
export async function rangeOf(subject: ChangingSubject, options: RangeOptions): Promise<Range> {
  if (subject.kind === 'tag') return rangeOfTag(subject.tag, subject.head, options);
  if (subject.kind === 'pull') return rangeOfPull(subject.number, options);
  const { branch, head } = subject;
  return { head, start: await startOfBranch(branch, head, options), remarks: [] };
}

/** GitHub gives zeros as the commit before the first push of a branch. */
export const isNoCommit = (id: string) => /^0+$/.test(id);

/** Only a push says where its changes start. A new branch starts where it left the default branch. */
async function startOfBranch(branch: string, head: string, { github, repo, facts }: RangeOptions) {
  const { before, repository: { default_branch: main = branch } = {} } = facts.payload;
  if (before === undefined || !isNoCommit(before)) return before;
  const tip = main === branch ? undefined : await repo.tip(main);
  return tip && github.mergeBase(tip, head);
}

async function rangeOfTag(
  tag: string,
  head: string,
  { github, repo, facts: { eventName, payload } }: RangeOptions,
): Promise<Range> {
  const refs = await repo.refs('refs/tags/*');
  const shaOf = (name: string) => refs.get(`refs/tags/${name}`);
  const listed: readonly VersionTag[] =
    payload.release === undefined
      ? [...refs.keys()].map((ref) => ({ tag: ref.replace('refs/tags/', '') }))
      : (await github.releases()).filter(({ isDraft }) => !isDraft);
  // The tag of a release may have been deleted.
  const others = listed.filter((other) => other.tag !== tag && shaOf(other.tag) !== undefined);
  const { before: startName, compared } = tagBefore(
    { tag, isPrerelease: payload.release?.prerelease },
    others.map((other) => ({ ...other, isHere: shaOf(other.tag) === head })),
  );
  // A person can start a run on the tag of a release.
  const isByHand = eventName === 'workflow_dispatch';
  const { found: release = payload.release, remarks } = await orWarn(
    isByHand ? github.release(tag) : undefined,
    'the prompt has no release notes',
  );
  // A server may not list yet what it has, so this tag is asked for again alone.
  const ref = `refs/tags/${tag}`;
  const isCurrent = shaOf(tag) === head || (await repo.refs(ref)).get(ref) === head;
  const range = { head, headName: tag, isCurrent, release };
  if (startName !== undefined) return { ...range, start: shaOf(startName), startName, remarks };
  const names = compared.length === 0 ? 'none' : quote(compared.join(', '));
  const text = `No tag comes before ${quote(tag)}. Others with the same text before their version: ${names}. To say where the changes start, set \`since\`.`;
  return { ...range, start: undefined, remarks: [{ level: 'note', text }, ...remarks] };
}

/** For what the prompt can do without. A failure is a warning with its consequence. */
export async function orWarn<T>(reading: Promise<T> | undefined, consequence: string) {
  const remarks: Remark[] = [];
  try {
    return { found: await reading, remarks };
  } catch (error) {
    if (!(error instanceof StepError)) throw error;
    remarks.push({ level: 'warning', text: `${error.message}, so ${consequence}.` });
    return { found: undefined, remarks };
  }
}

/** What *Files changed* shows: nothing that "Update branch" or a rebase brought from its base. */
async function rangeOfPull(number: number, { github, repo }: RangeOptions): Promise<Range> {
  const pull = await github.pullRequest(number).catch((cause: unknown) => {
    if (!(cause instanceof GitHubError) || cause.failure.status !== 404) throw cause;
    throw new StepError('pull-request-unknown', cause.message, { cause });
  });
  const { state, head, baseBranch, mergeCommit } = pull;
  // A merge by a push of its own commits has no merge commit.
  const merge = mergeCommit === head ? undefined : mergeCommit;
  const base =
    state === 'merged'
      ? merge && (await github.commit(merge))?.parents[0]
      : await repo.tip(baseBranch);
  if (base !== undefined)
    return { head, start: await github.mergeBase(base, head), pull, remarks: [] };
  throw new StepError(
    'pull-request-start',
    `Cannot determine where the changes in pull request #${number} start: its base branch ${quote(baseBranch)} or its merge commit is missing`,
  );
}

/** Where the changes start by a typed `since`, whose own commit is `typed`. */
export interface Since {
  readonly typed: string;
  readonly start: string;
  readonly remarks: readonly Remark[];
}

/**
 * Finds a branch, a tag, or a commit by its id, whole or abbreviated. The changes start where the head
 * parted from the branch, or at the tag or commit itself. Throws a `StepError` if there is none, if a
 * branch and a tag have the name, or if the branch has no commit in common with the head.
 */
export async function resolveSince(
  since: string,
  head: string,
  { github, repo }: Pick<RangeOptions, 'github' | 'repo'>,
): Promise<Since> {
  const said = `\`since\` is ${quote(since)}`;
  const name = since.replace(/^refs\//, '');
  const [exact, branch, tag] = [`refs/${name}`, `refs/heads/${name}`, `refs/tags/${name}`] as const;
  const refs = await repo.refs(exact, branch, tag);
  if (refs.has(branch) && refs.has(tag)) {
    const detail = `${quote(`heads/${name}`)} or ${quote(`tags/${name}`)}`;
    const message = `${said}, which is both a branch and a tag of this repository`;
    throw new StepError('since-ambiguous', message, { detail });
  }
  const ref = [exact, branch, tag].find((one) => refs.has(one)) ?? '';
  const isId = ref === '' && /^[0-9a-f]{4,64}$/i.test(since);
  const typed = isId ? (await github.commit(since))?.sha : refs.get(ref);
  if (typed === undefined) {
    const message = `${said}, but this repository has no such branch, tag, or commit`;
    throw new StepError('since-unknown', message);
  }
  if (!ref.startsWith('refs/heads/')) {
    const isContained = await github.isBehind(typed, head);
    const text = `This run does not contain ${quote(since)}: what only ${quote(since)} has reads as removed.`;
    return { typed, start: typed, remarks: isContained ? [] : [{ level: 'warning', text }] };
  }
  const start = await github.mergeBase(typed, head);
  if (start === undefined) {
    const message = `${said}, a branch that has no commit in common with this run`;
    throw new StepError('since-unrelated', message);
  }
  const text = `${quote(since)} has commits that this run does not contain, so the changes start where the two parted, at ${shortRef(start)}.`;
  return { typed, start, remarks: start === typed ? [] : [{ level: 'note', text }] };
}
