const UNIT_MS = { s: 1_000, m: 60_000, h: 3_600_000 } as const;

/** Milliseconds of a duration written `90s`, `30m` or `2h`, or `undefined` when it is not one. */
export function parseDuration(text: string): number | undefined {
  const match = /^(\d{1,9})([smh])$/.exec(text);
  if (match === null) return undefined;
  return Number(match[1]) * UNIT_MS[match[2] as keyof typeof UNIT_MS];
}

/** Milliseconds for people: `8 s`, `2 min`, `1 h 5 min`, rounded to seconds below an hour. */
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

/** Milliseconds since 1970 of an ISO 8601 time, or `undefined` when it is not one. */
export function timeIn(text: string): number | undefined {
  const ms = Date.parse(text);
  return Number.isNaN(ms) ? undefined : ms;
}

/** `2026-11-22 19:34 UTC`, of milliseconds since 1970. Throws a `RangeError` when they are no time. */
export const utcMinute = (date: number): string =>
  new Date(date).toISOString().replace(/T(\d\d:\d\d).*/, ' $1 UTC');

/** When a wait from `date` on is over, as {@link utcMinute} says it, if that is a time. */
export function endOfWait(date: number, waitMs: number): string | undefined {
  // A minute is added, because the time is shown without its seconds.
  const end = date + waitMs + 60_000;
  return Number.isNaN(new Date(end).getTime()) ? undefined : utcMinute(end);
}
