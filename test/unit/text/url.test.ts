import { expect, test } from 'vitest';
import { safeLink, withoutCredentials } from '../../../src/text/url.ts';

test.each([
  ['https://github.com/a/b/pull/1', 'https://github.com/a/b/pull/1'],
  ['http://ghe.local/a', 'http://ghe.local/a'],
  ['https://x/a b"<>', 'https://x/a%20b%22%3C%3E'],
  ['javascript:alert(1)', undefined],
  ['https://u:p@x/', undefined],
  ['https://u@x/', undefined],
  ['https://:p@x/', undefined],
  ['ftp://x/', undefined],
  ['data:text/html,x', undefined],
  ['//x/y', undefined],
  ['not a link', undefined],
  ['', undefined],
])('safeLink %j is %j', (value, expected) => {
  expect(safeLink(value)).toBe(expected);
});

// The first five are read as credentials by https://url.spec.whatwg.org/#concept-url-parser too.
test.each([
  ['https://user:pw@github.com/a', 'https://***@github.com/a'],
  ['https:/user:pw@github.com/a', 'https:/***@github.com/a'],
  ['https:user:pw@github.com/a', 'https:***@github.com/a'],
  ['https:\\\\user:pw@github.com/a', 'https:\\\\***@github.com/a'],
  [' HTTPS://user:p@w@github.com/a', ' HTTPS://***@github.com/a'],
  ['https://us er:pw@github.com/a', 'https://***@github.com/a'],
  ['//user:pw@github.com/a', '//***@github.com/a'],
  ['ssh://git@github.com/a', 'ssh://***@github.com/a'],
  ['https://github.com/@acme/a@b', 'https://github.com/@acme/a@b'],
  ['https://github.com/?x=a@b', 'https://github.com/?x=a@b'],
  ['git@github.com:acme/docs.git', 'git@github.com:acme/docs.git'],
  ['x'.repeat(5_000), 'x'.repeat(4_000)],
])('%j is shown without credentials as %j', (url, shown) => {
  expect(withoutCredentials(url)).toBe(shown);
  expect(shown).not.toContain('pw');
});
