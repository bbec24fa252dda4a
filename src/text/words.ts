/** A commit's first seven characters. Any other ref stays as it is. */
export const shortRef = (ref: string) => (/^[0-9a-f]{40,64}$/.test(ref) ? ref.slice(0, 7) : ref);

/** `1 check`, `2 checks`. */
export const pluralize = (n: number, noun: string) => `${n} ${noun}${n === 1 ? '' : 's'}`;
