const MAX_ID_LENGTH = 1_000;

/** Whether an id can be an output and part of a path, which `.` and `..` would change. */
export function isUsableId(text: string): boolean {
  return !['', '.', '..'].includes(text) && text.length <= MAX_ID_LENGTH && !/\p{Cc}/u.test(text);
}

/** An object id of git, for an expression. Those of other engines than GitHub differ in length. */
export const OBJECT_ID = '[0-9a-f]{1,64}';

export const isObjectId = (text: string) => new RegExp(`^${OBJECT_ID}$`).test(text);
