import { cut } from './escape.ts';

export const capitalize = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** A commit as its first seven characters, and any other ref as it is. */
export function shortRef(ref: string): string {
  return /^[0-9a-f]{40,64}$/.test(ref) ? ref.slice(0, 7) : cut(ref, 100);
}

/** A sentence that another one goes on after. */
export const withoutFullStop = (sentence: string) => sentence.replace(/\.$/, '');

/** `1 check`, `2 checks`. */
export const pluralize = (n: number, noun: string, plural = `${noun}s`) =>
  `${n} ${n === 1 ? noun : plural}`;
