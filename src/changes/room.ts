/** Sharing a limited number of bytes, of UTF-8, among texts. */
export const bytes = (text: string) => Buffer.byteLength(text);

/** Lines that are written, and how many bytes they take with their line breaks. */
export interface Portion {
  readonly lines: readonly string[];
  readonly bytes: number;
  readonly isCut: boolean;
}

export function portionOf(lines: readonly string[], isCut = false): Portion {
  return { lines, bytes: lines.reduce((sum, line) => sum + bytes(line) + 1, 0), isCut };
}

/** A text that can be cut. */
export interface Sharer {
  /** It is given this much room in any case. */
  readonly minBytes: number;
  readonly whole: Portion;
  /** As much of it as fits in less than the whole takes, and in `minBytes` or more. */
  cutTo(maxBytes: number): Portion;
}

const upTo = ({ whole, cutTo }: Sharer, maxBytes: number) =>
  whole.bytes <= maxBytes ? whole : cutTo(maxBytes);

/** The first lines that fit in `maxBytes`. */
export function takeLines(lines: readonly string[], maxBytes: number): readonly string[] {
  let used = 0;
  const end = lines.findIndex((line) => {
    used += bytes(line) + 1;
    return used > maxBytes;
  });
  return end === -1 ? lines : lines.slice(0, end);
}

/**
 * Gives each text its fair share of the room (max-min fairness): what one does not use goes to the
 * others, so a long text is never cut more than it must be for the sake of the short ones. When even
 * the smallest parts do not fit, the first texts get theirs and the rest get nothing. Afterwards no
 * text that is cut has a next piece that would still fit.
 */
export function shareRoom(sharers: readonly Sharer[], room: number): readonly Portion[] {
  let left = room;
  const end = sharers.findIndex(({ minBytes }) => {
    if (minBytes > left) return true;
    left -= minBytes;
    return false;
  });
  const bySize = sharers
    .slice(0, end === -1 ? sharers.length : end)
    .map((sharer, index) => ({ sharer, index, extra: sharer.whole.bytes - sharer.minBytes }))
    .sort((a, b) => a.extra - b.extra);
  const portions: Portion[] = [];
  for (const [done, { sharer, index }] of bySize.entries()) {
    const portion = upTo(sharer, sharer.minBytes + Math.floor(left / (bySize.length - done)));
    left -= portion.bytes - sharer.minBytes;
    portions[index] = portion;
  }
  // A text is cut between two pieces, so some of its share can be left.
  for (const { sharer, index } of bySize) {
    const portion = portions[index];
    if (portion === undefined || !portion.isCut || left === 0) continue;
    const larger = upTo(sharer, portion.bytes + left);
    left -= larger.bytes - portion.bytes;
    portions[index] = larger;
  }
  return portions;
}
