export const capitalize = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** A commit's first seven characters. Any other ref stays as is. */
export const shortRef = (ref: string) => (/^[0-9a-f]{40,64}$/.test(ref) ? ref.slice(0, 7) : ref);

/** Drops the trailing period so that text can follow. */
export const withoutFullStop = (sentence: string) => sentence.replace(/\.$/, '');

/** How to run the action on the changes from `since` on, as part of a sentence. */
export const newRun = (since: string) =>
  `start a new run with \`dryRun: false\` and \`since\` set to ${since}`;

/** Like {@link newRun}, from the first change to send on. */
export const newRunSince = (change = 'the first change to send') =>
  newRun(`the commit before ${change}`);

/** `1 check`, `2 checks`. */
export const pluralize = (n: number, noun: string, plural = `${noun}s`) =>
  `${n} ${n === 1 ? noun : plural}`;

/** `a`, `a and b`, `a, b, and c`. `Intl.ListFormat` does the same, but takes over 10 ms to load. */
export const listInWords = (items: readonly string[]): string =>
  items.length < 3 ? items.join(' and ') : `${items.slice(0, -1).join(', ')}, and ${items.at(-1)}`;
