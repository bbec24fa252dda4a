const UNIT_MS = { s: 1_000, m: 60_000, h: 3_600_000 } as const;

/**
 * Parses a duration such as `90s`, `30m` or `2h` to milliseconds. Returns `undefined` for anything
 * else.
 */
export function parseDuration(text: string): number | undefined {
  const match = /^(\d{1,9})([smh])$/.exec(text);
  if (match === null) return undefined;
  return Number(match[1]) * UNIT_MS[match[2] as keyof typeof UNIT_MS];
}

/**
 * Formats milliseconds for people: `8 s`, `2 min`, `1 h 5 min`. Rounds to whole seconds below an
 * hour.
 */
export function formatDuration(ms: number): string {
  const seconds = Math.round(ms / 1_000);
  const parts: readonly (readonly [number, string])[] = [
    [Math.floor(seconds / 3_600), 'h'],
    [Math.floor((seconds % 3_600) / 60), 'min'],
    [seconds >= 3_600 ? 0 : seconds % 60, 's'],
  ];
  const shown = parts.filter(([amount]) => amount > 0).map(([amount, unit]) => `${amount} ${unit}`);
  return shown.length === 0 ? '0 s' : shown.join(' ');
}

/** Parses an ISO 8601 time to milliseconds since 1970. Returns `undefined` for anything else. */
export function timeIn(text: string): number | undefined {
  const ms = Date.parse(text);
  return Number.isNaN(ms) ? undefined : ms;
}

/**
 * Formats milliseconds since 1970 as `2026-11-22 19:34 UTC`. Throws a `RangeError` for an invalid
 * time.
 */
export const utcMinute = (date: number): string =>
  new Date(date).toISOString().replace(/T(\d\d:\d\d).*/, ' $1 UTC');

/**
 * The end of a wait that starts at `date`, in the format of {@link utcMinute}. `undefined` if the
 * time is out of range.
 */
export function endOfWait(date: number, waitMs: number): string | undefined {
  // Add a minute, because the format leaves out the seconds.
  const end = date + waitMs + 60_000;
  return Number.isNaN(new Date(end).getTime()) ? undefined : utcMinute(end);
}
