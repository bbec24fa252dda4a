import { expect, test } from 'vitest';
import { once } from '../../../src/text/once.ts';

test('makes the result when it is first needed, and only then', async () => {
  let made = 0;
  const get = once(async () => {
    made += 1;
    return made;
  });
  expect(made).toBe(0);
  expect(await Promise.all([get(), get()])).toEqual([1, 1]);
  expect(await get()).toBe(1);
});
