/**
 * How these tests understand the runner's rules where a mistake would hide a forged command or
 * output. The cases are those of the runner's own tests:
 * https://github.com/actions/runner/tree/main/src/Test/L0/Worker
 */
import { expect, test } from 'vitest';
import { commandIn, linesOf, outputsIn } from '../support/runner-rules.ts';

test.each([
  { line: '::stop-commands::stopToken', name: 'stop-commands', data: 'stopToken' },
  { line: '##[stop-commands]stopToken', name: 'stop-commands', data: 'stopToken' },
  { line: '  ::ERROR::x', name: 'ERROR', data: 'x' },
  { line: '>>>   ##[set-env name=foo]bar', name: 'set-env', data: 'bar' },
  { line: '::error title=a%3A%2C%250A,::%0A-%250A-:', name: 'error', data: '\n-%0A-:' },
  { line: '##[error title=%3B%5D;]%3B-%5D', name: 'error', data: ';-]' },
])('the runner reads the command $name in $line', ({ line, name, data }) => {
  expect(commandIn(line)).toMatchObject({ name, data });
});

test.each(['::stopToken::', '##[stopToken]', ':: error::x', ':error::x', 'a::error::x'])(
  'the runner reads no command in %s',
  (line) => {
    expect(commandIn(line)).toBeUndefined();
  },
);

// https://learn.microsoft.com/dotnet/api/system.io.streamreader.readline
test('a line of the log ends at a line feed, a carriage return, or both', () => {
  expect(linesOf('a\nb\rc\r\nd\n\re\n')).toEqual(['a', 'b', 'c', 'd', '', 'e']);
});

test.each([
  { isWindows: false, value: '1\r' },
  { isWindows: true, value: '1' },
])('the output file is read line by line, on Windows: $isWindows', ({ isWindows, value }) => {
  const file = 'a=1\r\n\nb==x<<y=\nc<<=EOF\n\none\n EOF\n=EOF\n';
  expect(outputsIn(file, isWindows)).toEqual({ a: value, b: '=x<<y=', c: '\none\n EOF' });
});

test.each([
  { promise: 'without a closing delimiter', file: 'a<<EOF\nx\n', says: 'Matching delimiter' },
  { promise: 'whose last line is not ended', file: 'a<<EOF\nx', says: 'missing new line' },
  { promise: 'without a value', file: 'a\n', says: "Invalid format 'a'" },
])('an output $promise is an error', ({ file, says }) => {
  expect(() => outputsIn(file)).toThrow(says);
});
