import fc from 'fast-check';
import { expect, test } from 'vitest';
import { portionOf, type Sharer, shareRoom, takeLines } from '../../../../src/changes/rank/room.ts';

/** A text that can be cut after each `piece`. */
const divisible = (size: number, minBytes: number, piece = 1): Sharer => ({
  minBytes: Math.min(size, minBytes),
  whole: { lines: [], bytes: size, isCut: false },
  cutTo: (maxBytes) => ({ lines: [], bytes: maxBytes - (maxBytes % piece), isCut: true }),
});

/** The obvious way: one byte after the other to whoever has the least and wants more. */
function byteByByte(sizes: readonly number[], minBytes: number, room: number): readonly number[] {
  const given = sizes.map((size) => Math.min(size, minBytes));
  let left = room - given.reduce((sum, n) => sum + n, 0);
  for (; left > 0; left -= 1) {
    const hungry = sizes.flatMap((size, n) => ((given[n] ?? 0) < size ? [n] : []));
    const [first = -1, ...others] = hungry;
    if (first === -1) return given;
    const extra = (n: number) => (given[n] ?? 0) - Math.min(sizes[n] ?? 0, minBytes);
    const least = others.reduce((a, b) => (extra(b) < extra(a) ? b : a), first);
    given[least] = (given[least] ?? 0) + 1;
  }
  return given;
}

test('each text gets what it would get if bytes were handed out one by one', () => {
  const sizes = fc.array(fc.integer({ min: 0, max: 60 }), { maxLength: 8 });
  fc.assert(
    fc.property(sizes, fc.nat(10), fc.nat(300), (all, minBytes, more) => {
      const least = all.reduce((sum, size) => sum + Math.min(size, minBytes), 0);
      const room = least + more;
      const portions = shareRoom(
        all.map((size) => divisible(size, minBytes)),
        room,
      );
      const expected = byteByByte(all, minBytes, room);
      const sum = (numbers: readonly number[]) => numbers.reduce((a, b) => a + b, 0);
      expect(sum(portions.map((portion) => portion.bytes))).toBe(sum(expected));
      // A remainder of the division may go to any of those that want more.
      for (const [index, portion] of portions.entries()) {
        expect(Math.abs(portion.bytes - (expected[index] ?? 0))).toBeLessThan(all.length);
      }
    }),
  );
});

test('when not even the smallest parts fit, the first texts get theirs', () => {
  const portions = shareRoom([divisible(90, 40), divisible(90, 40), divisible(5, 5)], 84);
  expect(portions.map((portion) => portion.bytes)).toEqual([42, 42]);
});

test('what a text leaves of its share goes to one whose next piece still fits', () => {
  const portions = shareRoom([divisible(50, 0, 10), divisible(60, 0, 25)], 56);
  expect(portions.map((portion) => portion.bytes)).toEqual([30, 25]);
});

test('lines are taken as long as they fit, with their line breaks', () => {
  expect(takeLines(['ab', 'ü', 'c'], 6)).toEqual(['ab', 'ü']);
  expect(takeLines(['ab', 'ü', 'c'], 8)).toEqual(['ab', 'ü', 'c']);
  expect(takeLines(['ab'], 2)).toEqual([]);
  expect(portionOf(['ab', 'ü'])).toEqual({ lines: ['ab', 'ü'], bytes: 6, isCut: false });
});
