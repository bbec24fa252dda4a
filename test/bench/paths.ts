/** How long `paths` takes. Each row checks a list of names against a list of patterns. */
import { pathFilter } from '../../src/changes/path-filter.ts';

const usualNames = Array.from(
  { length: 3_000 },
  (_, n) => `packages/package-${n % 40}/src/components/${n % 7}/file-${n}.test.tsx`,
);
const usualPatterns = Array.from({ length: 100 }, (_, n) =>
  n % 10 === 9 ? `!packages/*-${n}/**/*.test.ts` : `packages/package-${n}/**/*.[jt]sx?`,
);
/** No name on GitHub is longer. */
const LONGEST_NAME = 4_096;

const CASES = [
  { what: '3,000 usual names, 100 usual patterns', names: usualNames, patterns: usualPatterns },
  {
    what: '300 names of 4,096 hyphens, 100 times `**/*-*-*-*.md`',
    names: Array.from({ length: 300 }, () => '-'.repeat(LONGEST_NAME)),
    patterns: Array.from({ length: 100 }, () => '**/*-*-*-*.md'),
  },
  {
    what: '300 names of 4,096 letters, a pattern of 1,000 characters of stars',
    names: Array.from({ length: 300 }, () => 'a'.repeat(LONGEST_NAME)),
    patterns: [`${'*a'.repeat(499)}b`],
  },
  {
    what: '300 names of 4,096 backslashes, a pattern of 1,000 of them',
    names: Array.from({ length: 300 }, () => '\\'.repeat(LONGEST_NAME)),
    patterns: ['\\\\+'.repeat(333)],
  },
];

/** One run of each case. */
export function timePaths() {
  return CASES.map(({ what, names, patterns }) => {
    const startedAt = performance.now();
    names.filter(pathFilter(patterns));
    return { what, ms: performance.now() - startedAt };
  });
}
