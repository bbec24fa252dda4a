import { describe, expect, test } from 'vitest';
import { tagBefore } from '../../../src/changes/version.ts';
import { REAL_TAGS } from './real-tags.ts';

const findBefore = (tag: string, others: readonly string[]) =>
  tagBefore(
    { tag },
    others.map((other) => ({ tag: other })),
  ).before;

describe('the tag before', () => {
  test.each(REAL_TAGS)('in %s, %s: %s, as its changelog says', (_, tag = '', ...listed) => {
    const all = [tag, ...listed];
    const found = [all, all.toReversed()].map((tags) => findBefore(tag, tags));
    expect(found).toEqual([listed[0], listed[0]]);
  });

  const stages = ['alpha', 'alpha.1', 'alpha.beta', 'beta', 'beta.2', 'beta.11', 'rc.1'];
  test.each<[source: string, tags: readonly string[]]>([
    ['semver.org/#spec-item-11', [...stages.map((stage) => `1.0.0-${stage}`), '1.0.0']],
    ['semver.org/#spec-item-9', ['v1.1.0-0', 'v1.1.0-9', 'v1.1.0-10', 'v1.1.0']],
    // https://peps.python.org/pep-0440/#summary-of-permitted-suffixes-and-relative-ordering
    ['PEP 440', ['1.0a1', '1.0b1', '1.0rc1', '1.0', '1.0.post1']],
    ['dates', ['2023-12-31', '2024-02-01', '2024-02-01.2', '2024-10-01']],
    ['service packs', ['5.0.0.CR1', '5.0.0.Final', '5.0.0.SP1', '5.0.1.Final']],
    ['underscores', ['REL_9_6', 'REL_15_9', 'REL_15_10']],
    ['numbers', ['v1', 'v1.0', 'v1.9', 'v1.10', 'v20260101000000000001', 'v20260101000000000002']],
  ])('goes by the order of %s', (_, tags) => {
    const found = tags.map((tag) => findBefore(tag, tags.toReversed()));
    expect(found).toEqual([undefined, ...tags.slice(0, -1)]);
  });

  test.each<[tag: string, others: readonly string[], before: string | undefined]>([
    // The same words before its version, and no more.
    ['v2.0.0', ['v1.0.0', 'vnext-1.5.0', 'lib-v1.9.0'], 'v1.0.0'],
    ['v1.0.0', ['v2.0.0', 'w0.1.0', 'nightly', 'v'], undefined],
    [
      '@acme/h3@1.0.0',
      ['@acme/h2@0.9.0', '@acme/h3@1.0.0-rc.1', 'h3@0.8.0'],
      '@acme/h3@1.0.0-rc.1',
    ],
    ['@acme/lib-2@1.0.0', ['@acme/lib-1@3.0.0'], undefined],
    ['cmd/x/v1.2.0', ['cmd/y/v1.1.0', 'v1.1.5', 'cmd/x/v1.0.0'], 'cmd/x/v1.0.0'],
    ['releases/latest', ['releases/1', 'latest'], undefined],
    // What follows the number belongs to the version.
    ['go1.22', ['go1.21', 'go1.22rc1'], 'go1.21'],
    ['h3-10b2', ['h3-10b1', 'h3-9', 'h2-11'], 'h3-10b1'],
    ['log4j-2.0-beta9', ['log4j-1.9', 'log4j-2.0-beta10'], 'log4j-1.9'],
    ['v1.28.2+k3s2', ['v1.28.2+k3s1', 'v1.28.2-rc1+k3s1'], 'v1.28.2+k3s1'],
    ['b4123', ['b4122', '4122.5'], 'b4122'],
    ['REL9.4-1200', ['REL9.3-1300'], 'REL9.3-1300'],
    // The same text goes first.
    ['v3.0.0', ['v1.0.0', '2.0.0', 'V2.1.0', 'v.2.2.0'], 'v1.0.0'],
    ['v3.0.0', ['1.0.0', 'v.2.0.0', 'v3.1.0'], 'v.2.0.0'],
    ['lib-v1.1', ['lib-1.0', 'v1.0.5', 'libv-1.0.6'], 'lib-1.0'],
    // A final version, among final ones and pre-releases.
    ['v1.0.2', ['v1.0.0', 'v1.0.1-GA'], 'v1.0.1-GA'],
    ['v2.0.0', ['v1.0.0+build.5', 'v1.0.1-rc.1', 'v2.0.0-rc.1'], 'v1.0.0+build.5'],
    ['2.0.0-1.0.22', ['1.9.23-1.0.20', '2.0.0-RC3-1.0.20'], '1.9.23-1.0.20'],
    ['nightly', ['v1.0.0', 'nightly-1'], undefined],
    // GitHub refuses refs over 255 bytes.
    ['v2', ['v1', `v1.${'1'.repeat(253)}`], 'v1'],
  ])('%s, among %j, is %s', (tag, others, expected) => {
    expect(findBefore(tag, others)).toBe(expected);
  });

  // Backtracking would take minutes.
  test.each(['1.', 'a1.1', '1-', '-', '@1', '/v', 'rc'])(
    'is found among 2,000 long tags of %j',
    (part) => {
      const [short, long] = [part.repeat(60), part.repeat(5_000)];
      const others = Array.from({ length: 1_000 }, (_, n) => [short + n, long + n]);
      expect(findBefore('v2', [...others.flat(), 'v1'])).toBe('v1');
    },
  );
});
