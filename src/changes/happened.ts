/** Says what started the run, and what its author wrote about it. */
import type { RunFacts } from '../github/event.ts';
import type { Changes } from './changes.ts';
import { oneLine, quoted } from './lines.ts';

/** The longest name or title, in UTF-16 units. */
const MAX_LENGTH = 300;

export interface Happened {
  /** For example `push to main` or `release v1.2.0 (Spring)`. */
  readonly line: string;
  /** The title of the description, and the description, which is untrusted. Empty if there is none. */
  readonly title: string;
  readonly description: string;
}

/** Describes the event, or the pull request that it is about. */
export function whatHappened(
  { eventName, ref, payload: { release } }: Pick<RunFacts, 'eventName' | 'ref' | 'payload'>,
  pull: Changes['pull'],
): Happened {
  const shown = (text = '') => oneLine(text, MAX_LENGTH);
  if (pull !== undefined) {
    const { number, title, author = 'ghost', headBranch, baseBranch, body } = pull;
    const line = `pull request #${number} ${quoted(title, MAX_LENGTH)} by ${shown(author)}, ${shown(headBranch)} into ${shown(baseBranch)}`;
    return { line, title: 'description of the pull request', description: body };
  }
  if (eventName === 'release' && release !== undefined) {
    const { tag_name: tag = '', name = tag, body = '' } = release;
    const named = name === tag ? '' : ` (${shown(name)})`;
    return { line: `release ${shown(tag)}${named}`, title: 'release notes', description: body };
  }
  const [, kind, name] = /^refs\/(heads|tags)\/(.*)$/s.exec(ref) ?? [];
  const pushed = kind === 'tags' ? `tag ${shown(name)}` : `push to ${shown(name)}`;
  return { line: eventName === 'push' ? pushed : shown(eventName), title: '', description: '' };
}
