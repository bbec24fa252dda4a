import { describe, expect, test } from 'vitest';
import {
  compareVersions,
  isPrerelease,
  isSameVersion,
  versionOf,
} from '../../../src/changes/version.ts';

describe('the version in a tag', () => {
  // The rule of the design: it begins after the last `@`, `/` or `-` that a digit, or a `v` and a
  // digit, follows directly, if it is all numbers and dots from there to a pre-release part; else at
  // the first digit.
  test.each([
    { tag: 'v1.2.0', text: 'v', number: '1.2.0', rest: '' },
    { tag: '10.0', text: '', number: '10.0', rest: '' },
    { tag: '@acme/h3@1.0.0-rc.1', text: '@acme/h3@', number: '1.0.0', rest: '-rc.1' },
    { tag: '@acme/h3@v10.20', text: '@acme/h3@v', number: '10.20', rest: '' },
    { tag: 'cli/v2', text: 'cli/v', number: '2', rest: '' },
    { tag: 'go1.22', text: 'go', number: '1.22', rest: '' },
    { tag: 'go1.22rc1', text: 'go', number: '1.22', rest: 'rc1' },
    { tag: 'release-3', text: 'release-', number: '3', rest: '' },
    { tag: 'h3-10', text: 'h3-', number: '10', rest: '' },
    { tag: 'h3-10b2', text: 'h3-', number: '10', rest: 'b2' },
    { tag: 'h3-10+build', text: 'h3-', number: '10', rest: '+build' },
    { tag: 'h3-10-rc', text: 'h3-', number: '10', rest: '-rc' },
    { tag: 'h3-10!', text: 'h', number: '3', rest: '-10!' },
    { tag: 'h3-10-!rc', text: 'h', number: '3', rest: '-10-!rc' },
    { tag: 'h3-10.', text: 'h', number: '3', rest: '-10.' },
    { tag: 'h3@1-x/y', text: 'h', number: '3', rest: '@1-x/y' },
    { tag: 'h3-x', text: 'h', number: '3', rest: '-x' },
    { tag: 'nightly', text: 'nightly', number: '', rest: '' },
    { tag: 'v3-\n4', text: 'v', number: '3', rest: '-\n4' },
  ])('of $tag is $number after "$text", with "$rest" after it', ({ tag, ...version }) => {
    expect(versionOf(tag)).toEqual(version);
  });
});

test.each([
  { rest: '', isOne: false },
  { rest: '-rc.1', isOne: true },
  { rest: 'beta2', isOne: true },
  { rest: '-β', isOne: true },
  { rest: '-1', isOne: false },
  { rest: '+build', isOne: false },
  { rest: '-1+build', isOne: false },
  { rest: '-rc+build', isOne: true },
])('a version with "$rest" after its number is a pre-release: $isOne', ({ rest, isOne }) => {
  expect(isPrerelease({ text: 'v', number: '1', rest })).toBe(isOne);
});

describe('the order of versions', () => {
  test.each([
    {
      source: 'https://semver.org/#spec-item-11, part 2',
      tags: ['1.0.0', '2.0.0', '2.1.0', '2.1.1'],
    },
    {
      source: 'https://semver.org/#spec-item-11, part 4',
      tags: [
        '1.0.0-alpha',
        '1.0.0-alpha.1',
        '1.0.0-alpha.beta',
        '1.0.0-beta',
        '1.0.0-beta.2',
        '1.0.0-beta.11',
        '1.0.0-rc.1',
        '1.0.0',
      ],
    },
    // https://peps.python.org/pep-0440/#summary-of-permitted-suffixes-and-relative-ordering
    { source: 'PEP 440', tags: ['1.0a1', '1.0b1', '1.0rc1', '1.0'] },
    {
      source: 'natural order, with numbers of any length',
      tags: ['v1', 'v1.0', 'v1.9', 'v1.10', 'v9007199254740993', 'v9007199254740994'],
    },
  ])('is that of $source', ({ tags }) => {
    const sorted = tags.toReversed().map(versionOf).sort(compareVersions);
    expect(sorted).toEqual(tags.map(versionOf));
  });

  test('counts no zeros before a number', () => {
    const [padded, plain] = ['v2024.0010', 'v2024.10'].map(versionOf);
    expect(padded && plain && compareVersions(padded, plain)).toBe(0);
  });
});

test.each([
  { a: '3', b: '3.0', isSame: true },
  { a: '3', b: '3.0.00', isSame: true },
  { a: '3.1.0', b: '3.1', isSame: true },
  { a: '3', b: '30', isSame: false },
  { a: '1.0.2', b: '1.2', isSame: false },
  { a: '1.0', b: '1.0-rc', isSame: false },
])('$a and $b are the same version: $isSame', ({ a, b, isSame }) => {
  expect(isSameVersion(versionOf(a), versionOf(b))).toBe(isSame);
});
