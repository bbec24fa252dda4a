/** Sharing a limited number of bytes, of UTF-8, among texts. */
export const bytes = (text: string) => Buffer.byteLength(text);

/** Lines that are written, and how many bytes they take with their line breaks. */
export function portionOf(lines: readonly string[], isCut = false) {
  return { lines, bytes: lines.reduce((sum, line) => sum + bytes(line) + 1, 0), isCut };
}

export type Portion = Readonly<ReturnType<typeof portionOf>>;

/** A text that can be cut. */
export interface Sharer {
  /** It is given this much room in any case. */
  readonly minBytes: number;
  readonly whole: Portion;
  /** As much of it as fits in less than the whole takes, and in `minBytes` or more. */
  cutTo(maxBytes: number): Portion;
}

/** The first items that fit together. */
function firstOf<T>(items: readonly T[], bytesOf: (item: T) => number, maxBytes: number) {
  let used = 0;
  const end = items.findIndex((item) => {
    used += bytesOf(item);
    return used > maxBytes;
  });
  return end === -1 ? items : items.slice(0, end);
}

/** The first lines that fit in `maxBytes`. */
export const takeLines = (lines: readonly string[], maxBytes: number) =>
  firstOf(lines, (line) => bytes(line) + 1, maxBytes);

/**
 * Gives each text its fair share of the room (max-min fairness): what one does not use goes to the
 * others. When even the smallest parts do not fit, the first texts get theirs and the rest get
 * nothing. Afterwards no text that is cut has a next piece that would still fit.
 */
export function shareRoom(sharers: readonly Sharer[], room: number): readonly Portion[] {
  const listed = firstOf(sharers, ({ minBytes }) => minBytes, room);
  let left = listed.reduce((rest, { minBytes }) => rest - minBytes, room);
  const portions: Portion[] = [];
  const give = (index: number, { minBytes, whole, cutTo }: Sharer, more: number) => {
    const given = portions[index]?.bytes ?? minBytes;
    const portion = whole.bytes <= given + more ? whole : cutTo(given + more);
    left -= portion.bytes - given;
    portions[index] = portion;
  };
  const extra = ({ minBytes, whole }: Sharer) => whole.bytes - minBytes;
  const bySize = [...listed.entries()].sort(([, a], [, b]) => extra(a) - extra(b));
  for (const [done, [index, sharer]] of bySize.entries()) {
    give(index, sharer, Math.floor(left / (bySize.length - done)));
  }
  // A text is cut between two pieces, so some of its share can be left.
  for (const [index, sharer] of bySize) {
    if (portions[index]?.isCut && left > 0) give(index, sharer, left);
  }
  return portions;
}
