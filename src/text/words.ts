/** Durations, refs, counts, and pull requests, as people write them. */

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

export const pluralize = (n: number, noun: string) => `${n} ${noun}${n === 1 ? '' : 's'}`;

// https://docs.github.com/rest/pulls/pulls#get-a-pull-request
const PULL_REQUEST = /^\/([\w.-]+\/[\w.-]+)\/pull\/([1-9]\d*)(?:\/|$)/;
// https://docs.gitlab.com/api/merge_requests/#get-single-mr
const MERGE_REQUEST = /^\/([\w.-]+(?:\/[\w.-]+)+)\/-\/merge_requests\/([1-9]\d*)(?:\/|$)/;

/** The repository and the number of the pull request that a link points to, on any host. */
export function pullRequestOf(link: string) {
  const path = URL.canParse(link) ? new URL(link).pathname : '';
  const [, repository, number] = PULL_REQUEST.exec(path) ?? MERGE_REQUEST.exec(path) ?? [];
  return repository && number ? { repository, number } : undefined;
}

/** A pull request's name as people write it. Other links stay as they are. */
export function pullName(link: string): string {
  const pull = pullRequestOf(link);
  return pull === undefined ? link : `${pull.repository}#${pull.number}`;
}
