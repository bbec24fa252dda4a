/** Deeper data than this is not one of GitHub's. */
const MAX_DEPTH = 100;

/** The same data with every string in it changed. What is nested too deeply is left out. */
export function mapStrings<T>(value: T, change: (text: string) => string, depth?: number): T;
export function mapStrings(value: unknown, change: (text: string) => string, depth = 0): unknown {
  if (typeof value === 'string') return change(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth === MAX_DEPTH) return undefined;
  const map = (item: unknown) => mapStrings(item, change, depth + 1);
  if (Array.isArray(value)) return value.map(map);
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, map(item)]));
}

/** The value of a JSON text, or `undefined` when it is not one. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
