/** Nothing from GitHub is nested deeper. */
const MAX_DEPTH = 100;

/** Copies data with every string in it changed. Drops what is nested too deeply. */
export function mapStrings<T>(value: T, change: (text: string) => string, depth?: number): T;
export function mapStrings(value: unknown, change: (text: string) => string, depth = 0): unknown {
  if (typeof value === 'string') return change(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth === MAX_DEPTH) return undefined;
  const map = (item: unknown) => mapStrings(item, change, depth + 1);
  if (Array.isArray(value)) return value.map(map);
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, map(item)]));
}

/** Parses a JSON text. Returns `undefined` for invalid JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
