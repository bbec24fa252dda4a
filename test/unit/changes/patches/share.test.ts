import fc from 'fast-check';
import { expect, test } from 'vitest';
import { shareOf } from '../../../../src/changes/patches/share.ts';

test('texts that are cut to the share fill the room, and with one byte more they would not fit', () => {
  const sizes = fc.array(fc.integer({ min: 0, max: 60 }), { maxLength: 8 });
  fc.assert(
    fc.property(sizes, fc.nat(300), (all, room) => {
      const filled = (length: number) => all.reduce((sum, size) => sum + Math.min(size, length), 0);
      const share = shareOf(all, room);
      expect(filled(share)).toBeLessThanOrEqual(room);
      expect(share === Number.POSITIVE_INFINITY || filled(share + 1) > room).toBe(true);
    }),
  );
});

test('without room nothing fits', () => {
  expect(shareOf([0, 9], -5)).toBeLessThan(0);
  expect(shareOf([], -5)).toBe(Number.POSITIVE_INFINITY);
});
