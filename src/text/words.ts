/** Durations, refs, and counts, as people write them. */

const UNIT_MS = { s: 1_000, m: 60_000, h: 3_600_000 } as const;

/** Parses `90s`, `30m`, or `2h` to milliseconds. `undefined` for other texts. */
export function parseDuration(text: string): number | undefined {
  const match = /^(\d{1,9})([smh])$/.exec(text);
  if (match === null) return undefined;
  return Number(match[1]) * UNIT_MS[match[2] as keyof typeof UNIT_MS];
}

/** Formats milliseconds for people, in whole seconds: `8 s`, `2 min`, `1 h 5 min`. */
export function formatDuration(ms: number): string {
  const seconds = Math.round(ms / 1_000);
  const parts: readonly (readonly [number, string])[] = [
    [Math.floor(seconds / 3_600), 'h'],
    [Math.floor((seconds % 3_600) / 60), 'min'],
    [seconds % 60, 's'],
  ];
  const shown = parts.filter(([amount]) => amount > 0).map(([amount, unit]) => `${amount} ${unit}`);
  return shown.length === 0 ? '0 s' : shown.join(' ');
}

/** A commit's first seven characters. Any other ref stays as it is. */
export const shortRef = (ref: string) => (/^[0-9a-f]{40,64}$/.test(ref) ? ref.slice(0, 7) : ref);

/** `1 check`, `2 checks`. */
export const pluralize = (n: number, noun: string) => `${n} ${noun}${n === 1 ? '' : 's'}`;
