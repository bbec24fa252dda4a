const MAX_ID_LENGTH = 1_000;

/** Whether an ID can be an output and a path segment. `.` and `..` would change the path. */
export function isUsableId(text: string): boolean {
  return !['', '.', '..'].includes(text) && text.length <= MAX_ID_LENGTH && !/\p{Cc}/u.test(text);
}

/**
 * Matches one of git's object IDs, for use in an expression. Engines other than GitHub use other
 * lengths.
 */
export const OBJECT_ID = '[0-9a-f]{1,64}';

export const isObjectId = (text: string) => new RegExp(`^${OBJECT_ID}$`).test(text);
