import type { ChangedFile } from '../github/github.ts';
import { cut, escapeInvisible, escapeInvisibleButTabs, pluralize } from '../lib/text.ts';
import { bytes, type Portion, portionOf, type Sharer, shareRoom, takeLines } from './room.ts';

/** With less room than this a patch says nothing. */
const MIN_PATCH_BYTES = 300;
/** The longest line that says where a patch was cut. */
const MAX_NOTE_BYTES = 100;
const MAX_PATH_LENGTH = 500;

/**
 * The patches, each under a header. They share the room fairly. One that does not fit is cut after
 * a hunk, or at a line when its first hunk alone is too long, and says what is left out. Those of
 * which not even the beginning has room are not listed.
 * A header begins with `===` and a note with `[`. No line of a patch begins with either.
 */
export function sharePatches(files: readonly ChangedFile[], maxBytes: number) {
  const sharers = files.flatMap(({ filename, patch }) =>
    patch === undefined ? [] : patchSharer(filename, patch),
  );
  const portions = shareRoom(sharers, maxBytes);
  const lines = portions.flatMap((portion) => portion.lines);
  const notListed = sharers.length - portions.length;
  return { lines, cut: portions.filter(({ isCut }) => isCut).length, notListed };
}

function patchSharer(filename: string, patch: string): Sharer {
  const header = `=== ${cut(escapeInvisible(filename), MAX_PATH_LENGTH)}`;
  const text = patch.split('\n').map(patchLine).join('\n');
  const hunks = text.split(/\n(?=@@)/).map((hunk) => portionOf(hunk.split('\n')));
  const whole = portionOf([header, ...text.split('\n')]);
  const minBytes = Math.max(MIN_PATCH_BYTES, bytes(header) + 1 + MAX_NOTE_BYTES);
  const cutTo = (maxBytes: number) => cutPatch(header, hunks, maxBytes);
  return { minBytes: Math.min(whole.bytes, minBytes), whole, cutTo };
}

/** The hunks that fit, or the lines of the first one that do. Not all of them fit. */
function cutPatch(header: string, hunks: readonly Portion[], maxBytes: number): Portion {
  const noteAfter = (kept: number) =>
    `[cut here; left out: ${hunks.length - kept} of ${pluralize(hunks.length, 'hunk')}]`;
  let used = bytes(header) + 1;
  const kept = hunks.findIndex((hunk, index) => {
    used += hunk.bytes;
    return used + bytes(noteAfter(index + 1)) + 1 > maxBytes;
  });
  if (kept > 0) {
    const lines = hunks.slice(0, kept).flatMap((hunk) => hunk.lines);
    return portionOf([header, ...lines, noteAfter(kept)], true);
  }
  const more = hunks.length === 1 ? '' : ` and ${pluralize(hunks.length - 1, 'more hunk')}`;
  const note = `[cut here; left out: the rest of this hunk${more}]`;
  const room = maxBytes - portionOf([header, note]).bytes;
  return portionOf([header, ...takeLines(hunks[0]?.lines ?? [], room), note], true);
}

/** Text that does not begin like a line of a patch is not git's. It becomes an unchanged line. */
function patchLine(text: string): string {
  const line = escapeInvisibleButTabs(text.replace(/\r$/, ''));
  return /^(?:[ +\\-]|@@)/.test(text) ? line : ` ${line}`;
}
