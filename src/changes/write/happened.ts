/** Describes in words what started the workflow. */

import { isTag, nameOfRef } from '../../github/event.ts';
import type { WorkflowEvent } from '../../github/github.ts';
import { type Clean, oneLine } from '../patches/lines.ts';

export interface Happened {
  /** For example `push to main` or `release v1.2.0 (Spring)`. */
  readonly line: string;
  /** The tag that the event is about, which people use as the name of its commit. */
  readonly tag?: string | undefined;
  /** The text that its author wrote about it, not yet safe to show. */
  readonly description?: { readonly title: string; readonly text: string } | undefined;
}

/** GitHub's names for the first publication of a release. */
const NEW_RELEASE = ['published', 'released', 'prereleased', 'created'];

/** Describes what started the workflow. The event's payload is untrusted. */
export function whatHappened({ name, ref, payload }: WorkflowEvent, clean: Clean): Happened {
  const { action, merge_group, pull_request, release, schedule } = payload;
  const { shown, after, inside } = wordsFor(clean);
  const refName = nameOfRef(ref);
  if (name === 'push' && isTag(ref)) return { line: `tag ${shown(refName)}`, tag: refName };
  if (name === 'push') return { line: words('push', after('to ', refName)) };
  if (name === 'release' && release !== undefined) {
    const { tag_name: tag, name: title, body, prerelease } = release;
    const named = title === tag ? '' : inside('()', title);
    const kind = prerelease ? 'as a pre-release' : '';
    // For example, the release was edited, deleted or unpublished.
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

/** Returns functions that format parts of a line. A part with no text is empty. */
function wordsFor(clean: Clean) {
  const shown = (text = '') => oneLine(text.trim(), MAX_NAME_LENGTH, clean);
  return {
    shown,
    after: (word: string, text?: string) => (shown(text) === '' ? '' : `${word}${shown(text)}`),
    /** Puts a text between two marks that it can't imitate. */
    inside(marks: '()' | '""', text?: string) {
      const escaped = shown(text).replace(/[\\"()]/g, (found) =>
        found === '\\' || marks.includes(found) ? `\\${found}` : found,
      );
      return escaped === '' ? '' : `${marks.charAt(0)}${escaped}${marks.charAt(1)}`;
    },
  };
}

const described = (title: string, text = '') => (text.trim() === '' ? undefined : { title, text });

const MAX_NAME_LENGTH = 300;
const words = (...parts: readonly string[]) => parts.filter((text) => text !== '').join(' ');
