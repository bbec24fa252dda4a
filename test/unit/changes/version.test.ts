import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  compareVersions,
  isAliasOf,
  isPrerelease,
  tagBefore,
  versionOf,
} from '../../../src/changes/version.ts';
import { TAGS } from './real-tags.ts';

describe('the version in a tag', () => {
  test.each([
    ['@acme/h3@1.0.0-rc.1', '@acme/h3@', '1.0.0', '-rc.1'],
    ['cmd/x/v1.2.0', 'cmd/x/v', '1.2.0', ''],
    ['go1.22rc1', 'go', '1.22', 'rc1'],
    ['release-2024-02-01.2', 'release-', '2024-02-01.2', ''],
    ['release-2024-02', 'release-', '2024-02', ''],
    ['v20240101-1', 'v', '20240101', '-1'],
    ['RELEASE.2024-01-16T16-07-38Z', 'RELEASE.', '2024-01-16', 'T16-07-38Z'],
    ['1.9.21-1.0.15', '', '1.9.21', '-1.0.15'],
    ['v2beta', 'v', '2', 'beta'],
    ['v3-x86', 'v', '3', '-x86'],
    ['node3-x86', 'node', '3', '-x86'],
    ['jetty-9.4.51.v20230217', 'jetty-', '9.4.51', '.v20230217'],
    ['v1.28.2+k3s1', 'v', '1.28.2', '+k3s1'],
    ['Release_1_10', 'Release_', '1_10', ''],
    ['V_9_6_P1', 'V_', '9_6', '_P1'],
    ['lib-2-v1.0.0', 'lib-2-v', '1.0.0', ''],
    ['k8s-10', 'k8s-', '10', ''],
    ['log4j-2.0-beta9', 'log4j-', '2.0', '-beta9'],
    ['0.12.x', '', '0.12', '.x'],
    ['h3-10b2', 'h3-', '10', 'b2'],
    ['h3-10+build', 'h3-', '10', '+build'],
    ['h3-10-rc', 'h3-', '10', '-rc'],
    ['h3-x', 'h', '3', '-x'],
    ['nightly', 'nightly', '', ''],
  ])('of %j is, after %j, %s, and %j follows', (tag, prefix, number, suffix) => {
    expect(versionOf(tag)).toEqual({ prefix, number, suffix });
  });

  test('keeps all of the tag, whatever it is', () => {
    const piece = fc.constantFrom(...'v@/._-+12a', '2024-02-05', 'rc');
    const pieces = fc.array(piece).map((all) => all.join(''));
    fc.assert(
      fc.property(fc.string(), pieces, (a, b) => {
        const { prefix, number, suffix } = versionOf(a + b);
        expect(prefix + number + suffix).toBe(a + b);
        expect(number).toMatch(/^(?:\d+(?:[._-]\d+)*)?$/);
      }),
    );
  });
});

test('a pre-release has a word after its number that no final version has', () => {
  const prereleases = ['v1-rc.1', 'v1beta2', 'v1.0-β', 'v1.0-rc+build', 'v1.1.0-0'];
  const others = ['2.0.0-Beta1-1.0.15', '31.1-rc1-jre', '1.0.0-SNAPSHOT'];
  const finals = ['v1', 'v1+build', 'v1.0-1+build', '1.9.21-1.0.15', 'v1.0.1-GA', '6.1.0.Final'];
  const more = ['V_9_6_P1', 'RELEASE.2024-01-16T16-07-38Z'];
  const isOne = (tag: string) => isPrerelease(versionOf(tag));
  expect([...prereleases, ...others].filter((tag) => !isOne(tag))).toEqual([]);
  expect([...finals, ...more].filter(isOne)).toEqual([]);
});

describe('the order of versions', () => {
  const prereleases = ['alpha', 'alpha.1', 'alpha.beta', 'beta', 'beta.2', 'beta.11', 'rc.1'];
  test.each<[source: string, tags: readonly string[]]>([
    ['semver.org/#spec-item-11, part 4', [...prereleases.map((name) => `1.0.0-${name}`), '1.0.0']],
    // https://peps.python.org/pep-0440/#summary-of-permitted-suffixes-and-relative-ordering
    ['PEP 440', ['1.0a1', '1.0b1', '1.0rc1', '1.0']],
    ['semver.org/#spec-item-11, part 3', ['1.1.0-0', '1.1.0-9', '1.1.0-10', '1.1.0']],
    ['dates', ['2023-12-31', '2024-02-01', '2024-02-01.2', '2024-10-01']],
    ['service packs', ['5.0.0.CR1', '5.0.0.Final', '5.0.0.SP1', '5.0.1.Final']],
    ['underscores', ['REL_9_6', 'REL_15_RC1', 'REL_15_9', 'REL_15_10']],
    ['numbers', ['v1', 'v1.0', 'v1.9', 'v1.10', 'v20260101000000000001', 'v20260101000000000002']],
  ])('is that of %s', (_, tags) => {
    const sorted = tags.toReversed().map(versionOf).sort(compareVersions);
    expect(sorted).toEqual(tags.map(versionOf));
  });
});

describe('the tag before', () => {
  const startOf = (name: string, others: readonly string[]) =>
    tagBefore(
      { tag: name },
      others.map((tag) => ({ tag })),
    );

  test.each<[tag: string, others: readonly string[], before: string | undefined]>([
    // The same words before its number, and no more.
    ['v2.0.0', ['v1.0.0', 'vnext-1.5.0'], 'v1.0.0'],
    // The greatest smaller one, in whatever order they are listed.
    ['v2.1.0', ['v2.0.0', 'v10.0.0', 'v1.9.0'], 'v2.0.0'],
    ['v1.0.0', ['v2.0.0', 'w0.1.0'], undefined],
  ])('%s, among %j, is %s', (tag, others, expected) => {
    expect(startOf(tag, others)).toBe(expected);
  });

  test.each<[tag: string, flag: boolean | undefined, others: readonly string[], before: string]>([
    ['v2', true, ['v1', 'v2-rc'], 'v2-rc'],
    ['v2-rc.2', false, ['v1', 'v2-rc.1'], 'v1'],
    ['v2', false, ['v1', 'v1.1-final'], 'v1.1-final'],
  ])("%s by GitHub's flag %s, among %j, is %s", (tag, isPrerelease, others, expected) => {
    const releases = others.map((other) => ({ tag: other, isPrerelease: other.includes('-rc') }));
    expect(tagBefore({ tag, isPrerelease }, releases)).toBe(expected);
  });

  const expand = (text: string) =>
    text.split(' ').flatMap((part) => {
      const [, start = '', first, last] = /^(.*?)(\d+)\.\.(\d+)$/.exec(part) ?? [];
      if (first === undefined) return [part];
      const count = Number(last) - Number(first) + 1;
      return Array.from({ length: count }, (_, n) => `${start}${Number(first) + n}`);
    });
  const isFinal = (tag: string) => !/\d(?:-(?!GA)|rc)/.test(tag);

  test.each(Object.entries(TAGS))('is the one that git finds in %s', (_, packages) => {
    const lines = Object.entries(packages).map(([prefix, text]) =>
      expand(text).map((version) => prefix + version),
    );
    for (const own of lines) {
      const foreign = lines.filter((line) => line !== own).flat();
      // Every fifth, because each is compared with all others.
      for (const tag of own.filter((_tag, index) => index % 5 === 0)) {
        const smaller = own.slice(0, own.indexOf(tag));
        const expected = isFinal(tag) ? smaller.findLast(isFinal) : smaller.at(-1);
        expect([tag, startOf(tag, [...foreign, ...smaller, tag])]).toEqual([tag, expected]);
      }
    }
  });
});

test.each([
  ['3.1', '3.1.4', true],
  ['3', '3.1.4-rc.1', false],
  ['3.1.0', '3.1', true],
  ['3', '30', false],
  ['1.0', '1.0.0.RELEASE', true],
  ['1.0.Final', '1.0.SP1', false],
])('%s can be another name of %s: %s', (alias, version, isAlias) => {
  expect(isAliasOf(versionOf(alias), versionOf(version))).toBe(isAlias);
});
