export const capitalize = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** A commit as its first seven characters, and any other ref as it is. */
export const shortRef = (ref: string) => (/^[0-9a-f]{40,64}$/.test(ref) ? ref.slice(0, 7) : ref);

/** A sentence that another one goes on after. */
export const withoutFullStop = (sentence: string) => sentence.replace(/\.$/, '');

/** What a person does so that a run sends the changes from `since` on. Part of a sentence. */
export const newRun = (since: string) =>
  `start a new run with \`dryRun: false\` and \`since\` set to ${since}`;

/** The same, where `change` is the first one to send. */
export const newRunSince = (change: string) => newRun(`the commit before ${change}`);

/** `1 check`, `2 checks`. */
export const pluralize = (n: number, noun: string, plural = `${noun}s`) =>
  `${n} ${n === 1 ? noun : plural}`;

/** `a`, `a and b`, `a, b, and c`. `Intl.ListFormat` says the same, and takes over 10 ms to load. */
export const listInWords = (items: readonly string[]): string =>
  items.length < 3 ? items.join(' and ') : `${items.slice(0, -1).join(', ')}, and ${items.at(-1)}`;
