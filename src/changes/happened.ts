import type { WorkflowEvent } from '../github/github.ts';
import { cut, escapeInvisible } from '../lib/text.ts';
import { type Payload, payloadSchema } from './payload.ts';

const MAX_NAME_LENGTH = 300;

export interface Happened {
  /** What happened, on one line: `push to main`, `release v1.2.0 (Spring)`. */
  readonly line: string;
  /** The tag that the event is about: the name that people use for its commit. */
  readonly tag: string | undefined;
  /** The text that its author wrote about it. It is not made safe to show yet. */
  readonly description: { readonly title: string; readonly text: string } | undefined;
}

/** Tells what started the workflow, from an event whose payload is not trusted. */
export function whatHappened({ name, ref, payload }: WorkflowEvent): Happened {
  const { action, merge_group, pull_request, release, schedule } = payloadSchema.parse(payload);
  if (name === 'push') return push(ref);
  if (name === 'release' && release !== undefined) return releaseOf(release);
  if (pull_request !== undefined) return pullRequest(pull_request, action);
  if (merge_group !== undefined) return mergeGroup(merge_group);
  const cron = shown(schedule) === '' ? '' : `(${shown(schedule)})`;
  return happened(words(shown(name), shown(action), cron, prefixed('on ', nameOfRef(ref))));
}

function push(ref: string): Happened {
  const name = nameOfRef(ref);
  return ref.startsWith('refs/tags/')
    ? { ...happened(`tag ${shown(name)}`), tag: name }
    : happened(words('push', prefixed('to ', name)));
}

function releaseOf(release: NonNullable<Payload['release']>): Happened {
  const { tag_name: tag, name, body, prerelease } = release;
  const title = name === tag || shown(name) === '' ? '' : `(${shown(name)})`;
  const line = words('release', shown(tag), title, prerelease === true ? 'as a pre-release' : '');
  return { line, tag, description: described('release notes', body) };
}

function pullRequest(
  { number, title, body, merged, user, head, base }: NonNullable<Payload['pull_request']>,
  action: string | undefined,
): Happened {
  const what = words(
    'pull request',
    number === undefined ? '' : `#${number}`,
    shown(title) === '' ? '' : `"${shown(title)}"`,
    prefixed('by ', user?.login),
  );
  const branches = words(shown(head?.ref), prefixed('into ', base?.ref));
  const state = merged === true ? 'merged' : action === 'closed' ? 'closed without a merge' : '';
  const line = [what, branches, state].filter((part) => part !== '').join(', ');
  return { ...happened(line), description: described('description of the pull request', body) };
}

function mergeGroup({ head_ref, base_ref }: NonNullable<Payload['merge_group']>): Happened {
  const [head, base] = [head_ref, base_ref].map((ref) => nameOfRef(ref ?? ''));
  return happened(words('merge group', shown(head), prefixed('into ', base)));
}

const happened = (line: string): Happened => ({ line, tag: undefined, description: undefined });

/** What people wrote, or `undefined` when they wrote nothing. */
const described = (title: string, text = '') => (text.trim() === '' ? undefined : { title, text });

/** A branch's or tag's own name. */
const nameOfRef = (ref: string) => ref.replace(/^refs\/(?:heads|tags)\//, '');

const shown = (text = '') => cut(escapeInvisible(text.trim()), MAX_NAME_LENGTH);

const prefixed = (prefix: string, text: string | undefined) =>
  shown(text) === '' ? '' : `${prefix}${shown(text)}`;

const words = (...parts: readonly string[]) => parts.filter((part) => part !== '').join(' ');
