/** The tests' reading of the runner's rules, against the cases of the runner's own tests. */
import { describe, expect, test } from 'vitest';
import { linesOf, outputsIn } from '../support/runner-rules.ts';

const SYSTEMS = [
  { system: 'Windows', isWindows: true, eol: '\r\n' },
  { system: 'Linux and macOS', isWindows: false, eol: '\n' },
];

// https://github.com/actions/runner/blob/main/src/Test/L0/Worker/SetOutputFileCommandL0.cs
const FILES: readonly {
  readonly promise: string;
  readonly lines: readonly string[];
  readonly outputs: Readonly<Record<string, readonly string[]>>;
}[] = [
  { promise: 'an empty file has no outputs', lines: [''], outputs: {} },
  {
    promise: 'empty lines between outputs are skipped',
    lines: ['', 'a=my value', '', 'b=my second value', ''],
    outputs: { a: ['my value'], b: ['my second value'] },
  },
  {
    promise: 'an output is split at its first equals sign',
    lines: ['a==abc', 'b=def=ghi', 'c=jkl=', 'd=', ''],
    outputs: { a: ['=abc'], b: ['def=ghi'], c: ['jkl='], d: [''] },
  },
  {
    promise: 'a value between delimiters keeps its lines',
    lines: ['a<<EOF', 'line one', 'line two', 'line three', 'EOF', ''],
    outputs: { a: ['line one', 'line two', 'line three'] },
  },
  {
    promise: 'a value between delimiters may be empty',
    lines: ['a<<EOF', 'EOF', ''],
    outputs: { a: [''] },
  },
  {
    promise: 'a value keeps the empty lines at its start and end',
    lines: ['a<<EOF', '', 'three', '', 'EOF', ''],
    outputs: { a: ['', 'three', ''] },
  },
  {
    promise: 'a delimiter may hold the signs of an output',
    lines: ['a<<=EOF', 'one', '=EOF', 'b<<<EOF', 'two', '<EOF', 'c<<EOF', 'd=4', 'EOF', ''],
    outputs: { a: ['one'], b: ['two'], c: ['d=4'] },
  },
  {
    promise: 'a line that only resembles the delimiter belongs to the value',
    lines: ['a<<EOF', ' EOF', 'EOF', ''],
    outputs: { a: [' EOF'] },
  },
];

describe.each(SYSTEMS)('the output file on $system', ({ isWindows, eol }) => {
  test.each(FILES)('$promise', ({ lines, outputs }) => {
    const expected = Object.fromEntries(
      Object.entries(outputs).map(([name, value]) => [name, value.join(eol)]),
    );
    expect(outputsIn(lines.join(eol), isWindows)).toEqual(expected);
  });

  test('a line feed ends a line, and stays a line feed in a value', () => {
    expect(outputsIn('a<<EOF\nhello\nworld\nEOF\n', isWindows)).toEqual({ a: 'hello\nworld' });
  });

  test.each([
    { promise: 'without a closing delimiter', file: 'a<<EOF\nx\n', says: 'Matching delimiter' },
    { promise: 'whose last line is not ended', file: 'a<<EOF\nx', says: 'missing new line' },
    { promise: 'without a value', file: 'a\n', says: "Invalid format 'a'" },
    { promise: 'without a name', file: '<<EOF\nEOF\n', says: "Invalid format '<<EOF'" },
  ])('an output $promise is an error', ({ file, says }) => {
    expect(() => outputsIn(file, isWindows)).toThrow(says);
  });
});

test('a carriage return before a line feed ends the line on Windows only', () => {
  expect(outputsIn('a=1\r\nb<<EOF\r\nx\ny\r\nEOF\r\n', true)).toEqual({ a: '1', b: 'x\ny' });
  expect(outputsIn('a=1\r\n', false)).toEqual({ a: '1\r' });
});

// https://learn.microsoft.com/dotnet/api/system.io.streamreader.readline
test('a line of the log ends at a line feed, a carriage return, or both', () => {
  expect(linesOf('a\nb\rc\r\nd\n\re')).toEqual(['a', 'b', 'c', 'd', '', 'e']);
  expect(linesOf('a\r\n')).toEqual(['a']);
});
