const MAX_ID_LENGTH = 1_000;

/** Whether an id can be an output and part of a path, which `.` and `..` would change. */
export function isUsableId(text: string): boolean {
  return !['', '.', '..'].includes(text) && text.length <= MAX_ID_LENGTH && !/\p{Cc}/u.test(text);
}
