/** What the event that started the workflow says: what happened, and where its changes start. */
import * as z from 'zod/mini';
import type { WorkflowEvent } from '../github/github.ts';
import { missingVariable } from '../model/errors.ts';
import { type Clean, oneLine } from './room.ts';

/** A field that is `undefined` when it is missing, null or of another type. */
const optional = <T extends z.ZodMiniType>(schema: T) => z.catch(z.optional(schema), undefined);
const part = <T extends z.core.$ZodLooseShape>(fields: T) => optional(z.object(fields));
const text = optional(z.string());
const flag = optional(z.boolean());
const branch = part({ ref: text, sha: text });

/** Any part may be missing. https://docs.github.com/webhooks/webhook-events-and-payloads */
const payloadSchema = z.catch(
  z.object({
    action: text,
    before: text,
    // The oldest first.
    commits: optional(z.array(z.object({ id: z.string() }))),
    deleted: flag,
    schedule: text,
    repository: part({ default_branch: text }),
    release: part({ tag_name: text, name: text, body: text, prerelease: flag }),
    pull_request: part({
      number: optional(z.int().check(z.positive())),
      title: text,
      body: text,
      merged: flag,
      commits: optional(z.int().check(z.nonnegative())),
      user: part({ login: text }),
      head: branch,
      base: branch,
    }),
    merge_group: part({ head_ref: text, head_sha: text, base_ref: text, base_sha: text }),
  }),
  {},
);

type Payload = z.infer<typeof payloadSchema>;

/** A tag, and whether it is a pre-release by GitHub's own flag. Without that, the tag tells. */
export type Tag = Readonly<{ tag_name: string; prerelease?: boolean | undefined }>;

/** The changes that an event is about, as it says itself, without a request to GitHub. */
export type EventRange = EventStart & { readonly head: string };

type EventStart =
  /** `ifRemoved` says what GitHub's comparison lacks if `base` does not lead to the head. */
  | {
      readonly kind: 'between';
      readonly base: string;
      readonly ifRemoved?: string;
      /** Where the changes start for later runs, when `base` is a branch that moves. */
      readonly begin?: string | undefined;
    }
  /** A pull request's own commits and files. GitHub lists fewer commits than its event counts. */
  | Readonly<{ kind: 'pull-request'; number: number; base: string; totalCommits: number }>
  /** From the tag or release before this one. */
  | ({ readonly kind: 'tag-before' | 'release-before' } & Tag)
  /** `no-start`: the event's changes have no known start. `none`: it is not about changes. */
  | {
      readonly kind: 'no-start' | 'none';
      readonly reason: string;
      /** Nothing was pushed to the default branch before. */
      readonly isFirstPush?: boolean;
    };

const FORCE_PUSHED =
  'commits were removed by a force push; the list starts at the last common commit and does not show them';
const TAG_MOVED =
  'the tag was moved to a commit that does not follow its old one; the list starts at the last common commit of the two';
const GROUP_REBUILT =
  'the merge group does not follow its base; the list starts at the last common commit of the two';

/**
 * Which changes an event is about. Throws a `RunError` when the runner does not say where they end.
 * https://docs.github.com/actions/reference/workflows-and-actions/events-that-trigger-workflows
 */
export function rangeOf(event: WorkflowEvent): EventRange {
  const payload = payloadSchema.parse(event.payload);
  // GITHUB_SHA of a pull request is a merge commit, which contains other people's changes as well.
  // For a push `after` can be an annotated tag's own object, so GITHUB_SHA is used.
  const head = payload.pull_request?.head?.sha ?? payload.merge_group?.head_sha ?? event.sha;
  if (head === '') throw missingVariable('GITHUB_SHA');
  return { ...startOf(event, payload), head };
}

/**
 * The commit that the event itself names as the start of its changes, `undefined` when it names none;
 * `<commit>^` is the parent of one. Throws nothing, whatever the event holds.
 */
export function beginOf(readEvent: () => WorkflowEvent): string | undefined {
  try {
    const range = rangeOf(readEvent());
    if (!('base' in range)) return undefined;
    return 'begin' in range ? range.begin : range.base;
  } catch {
    // The run says later what is wrong with its event.
    return undefined;
  }
}

/** Whether the changes are those of the event's pull request, from its first commit on. */
export function isOwnRange({ event, base }: { event: WorkflowEvent; base: string }): boolean {
  const { pull_request: pull } = payloadSchema.parse(event.payload);
  return event.name !== 'push' && pull?.base?.sha === base;
}

function startOf(event: WorkflowEvent, payload: Payload): EventStart {
  const { pull_request: pull, merge_group: group, release } = payload;
  if (event.name === 'push') return startOfPush(event.ref, event.sha, payload);
  if (pull?.base?.sha !== undefined) {
    const { number, commits: totalCommits = 0 } = pull;
    const { sha: base } = pull.base;
    if (number === undefined) return { kind: 'between', base };
    return { kind: 'pull-request', number, base, totalCommits };
  }
  if (group?.base_sha !== undefined) {
    return { kind: 'between', base: group.base_sha, ifRemoved: GROUP_REBUILT };
  }
  if (event.name === 'release' && release?.tag_name !== undefined) {
    const { tag_name, prerelease } = release;
    return { kind: 'release-before', tag_name, prerelease };
  }
  return { kind: 'none', reason: 'the event names no changes' };
}

function startOfPush(ref: string, sha: string, payload: Payload): EventStart {
  const { before, deleted, repository, commits = [] } = payload;
  const noStart = (reason: string) => ({ kind: 'no-start', reason }) as const;
  if (deleted === true) return noStart('this push deleted its branch or tag');
  if (before !== undefined && !/^0*$/.test(before)) {
    return { kind: 'between', base: before, ifRemoved: isTag(ref) ? TAG_MOVED : FORCE_PUSHED };
  }
  if (isTag(ref)) return { kind: 'tag-before', tag_name: nameOfRef(ref) };
  if (before === undefined) return noStart('the event does not name the commit before this push');
  const main = repository?.default_branch;
  return main === undefined || ref === `refs/heads/${main}`
    ? { ...noStart('this is the first push to its branch'), isFirstPush: main !== undefined }
    : { kind: 'between', base: main, begin: commits[0] ? `${commits[0].id}^` : sha };
}

export interface Happened {
  /** For example `push to main` or `release v1.2.0 (Spring)`. */
  readonly line: string;
  /** The tag that the event is about: the name that people use for its commit. */
  readonly tag?: string | undefined;
  /** The text that its author wrote about it. It is not made safe to show yet. */
  readonly description?: { readonly title: string; readonly text: string } | undefined;
}

/** What GitHub calls the first publication of a release. */
const NEW_RELEASE = ['published', 'released', 'prereleased', 'created'];

/** Tells what started the workflow. The event's payload is not trusted. */
export function whatHappened({ name, ref, payload }: WorkflowEvent, clean: Clean): Happened {
  const { action, merge_group, pull_request, release, schedule } = payloadSchema.parse(payload);
  const { shown, after, inside } = wordsFor(clean);
  const refName = nameOfRef(ref);
  if (name === 'push' && isTag(ref)) return { line: `tag ${shown(refName)}`, tag: refName };
  if (name === 'push') return { line: words('push', after('to ', refName)) };
  if (name === 'release' && release !== undefined) {
    const { tag_name: tag, name: title, body, prerelease } = release;
    const named = title === tag ? '' : inside('()', title);
    const kind = prerelease ? 'as a pre-release' : '';
    // Edited, deleted or unpublished, for example.
    const isNew = action === undefined || NEW_RELEASE.includes(action);
    const line = words('release', shown(tag), named, kind, isNew ? '' : inside('()', action));
    return { line, tag, description: described('release notes', body) };
  }
  if (pull_request !== undefined) {
    const { number, title, body, merged, user, head, base } = pull_request;
    const id = number === undefined ? '' : `#${number}`;
    const what = words('pull request', id, inside('""', title), after('by ', user?.login));
    const branches = words(shown(head?.ref), after('into ', base?.ref));
    const state = merged ? 'merged' : action === 'closed' ? 'closed without a merge' : '';
    const line = [what, branches, state].filter((text) => text !== '').join(', ');
    return { line, description: described('description of the pull request', body) };
  }
  if (merge_group !== undefined) {
    const { head_ref = '', base_ref = '' } = merge_group;
    const base = after('into ', nameOfRef(base_ref));
    return { line: words('merge group', shown(nameOfRef(head_ref)), base) };
  }
  return { line: words(shown(name), shown(action), inside('()', schedule), after('on ', refName)) };
}

/** Parts of a line. One whose text is missing is empty. */
function wordsFor(clean: Clean) {
  const shown = (text = '') => oneLine(text.trim(), MAX_NAME_LENGTH, clean);
  return {
    shown,
    after: (word: string, text?: string) => (shown(text) === '' ? '' : `${word}${shown(text)}`),
    /** Between two marks, which the text cannot imitate. */
    inside(marks: '()' | '""', text?: string) {
      const escaped = shown(text).replace(/[\\"()]/g, (found) =>
        found === '\\' || marks.includes(found) ? `\\${found}` : found,
      );
      return escaped === '' ? '' : `${marks.charAt(0)}${escaped}${marks.charAt(1)}`;
    },
  };
}

const described = (title: string, text = '') => (text.trim() === '' ? undefined : { title, text });

const isTag = (ref: string) => ref.startsWith('refs/tags/');
const nameOfRef = (ref: string) => ref.replace(/^refs\/(?:heads|tags)\//, '');

const MAX_NAME_LENGTH = 300;
const words = (...parts: readonly string[]) => parts.filter((text) => text !== '').join(' ');
