/**
 * Returns the largest per-text limit that keeps the total within `room`; `Infinity` if everything
 * fits.
 */
export function shareOf(sizes: readonly number[], room: number): number {
  let left = room;
  for (const [index, size] of sizes.toSorted((a, b) => a - b).entries()) {
    const share = Math.floor(left / (sizes.length - index));
    if (size > share) return share;
    left -= size;
  }
  return Number.POSITIVE_INFINITY;
}
