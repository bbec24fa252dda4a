/**
 * Checks how these tests understand the runner's rules, with the cases of the runner's own tests.
 */
import { describe, expect, test } from 'vitest';
import {
  commandAnywhere,
  commandAtStart,
  commandIn,
  linesOf,
  outputsIn,
} from '../support/runner-rules.ts';

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
    promise: 'a delimiter may contain the signs of an output',
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

// The cases of https://github.com/actions/runner/blob/main/src/Test/L0/Worker/ActionCommandL0.cs
const REGISTERED = new Set(['do-something']);

describe('a command at the start of a line', () => {
  test.each([
    {
      promise: 'has properties and data',
      line: '::do-something k1=v1,::msg',
      properties: { k1: 'v1' },
      data: 'msg',
    },
    {
      promise: 'needs no properties and no data',
      line: '::do-something::',
      properties: {},
      data: '',
    },
    {
      promise: 'has its line breaks, colons and commas escaped in properties',
      line: '::do-something k1=;=%2C=%0D=%0A=]=%3A,::;-%0D-%0A-]-:-,',
      properties: { k1: ';=,=\r=\n=]=:' },
      data: ';-\r-\n-]-:-,',
    },
    {
      promise: 'keeps an escape that was escaped',
      line: '::do-something k1=;=%252C=%250D=%250A=]=%253A,::;-%250D-%250A-]-:-,',
      properties: { k1: ';=%2C=%0D=%0A=]=%3A' },
      data: ';-%0D-%0A-]-:-,',
    },
    {
      promise: 'leaves out properties without a value',
      line: '::do-something k1=,k2=,::',
      properties: {},
      data: '',
    },
    {
      promise: 'needs no comma at the end',
      line: '::do-something k1=v1::',
      properties: { k1: 'v1' },
      data: '',
    },
    {
      promise: 'may follow white space',
      line: '   ::do-something k1=v1,::msg',
      properties: { k1: 'v1' },
      data: 'msg',
    },
  ])('$promise', ({ line, properties, data }) => {
    expect(commandAtStart(line, REGISTERED)).toEqual({ name: 'do-something', properties, data });
  });

  test('may not follow anything else', () => {
    expect(commandAtStart('   >>>   ::do-something k1=v1,::msg', REGISTERED)).toBeUndefined();
  });
});

describe('a command anywhere in a line', () => {
  test.each([
    {
      promise: 'has properties and data',
      line: '##[do-something k1=v1;]msg',
      properties: { k1: 'v1' },
      data: 'msg',
    },
    {
      promise: 'needs no properties and no data',
      line: '##[do-something]',
      properties: {},
      data: '',
    },
    {
      promise: 'has its semicolons, line breaks and brackets escaped',
      line: '##[do-something k1=%3B=%0D=%0A=%5D;]%3B-%0D-%0A-%5D',
      properties: { k1: ';=\r=\n=]' },
      data: ';-\r-\n-]',
    },
    {
      promise: 'keeps an escape that was escaped',
      line: '##[do-something k1=%253B=%250D=%250A=%255D;]%253B-%250D-%250A-%255D',
      properties: { k1: '%3B=%0D=%0A=%5D' },
      data: '%3B-%0D-%0A-%5D',
    },
    {
      promise: 'leaves out properties without a value',
      line: '##[do-something k1=;k2=;]',
      properties: {},
      data: '',
    },
    {
      promise: 'may follow anything',
      line: '>>>   ##[do-something k1=v1;]msg',
      properties: { k1: 'v1' },
      data: 'msg',
    },
  ])('$promise', ({ line, properties, data }) => {
    expect(commandAnywhere(line, REGISTERED)).toEqual({ name: 'do-something', properties, data });
  });
});

// https://github.com/actions/runner/blob/main/src/Test/L0/Worker/ActionCommandManagerL0.cs
test.each([
  { line: '::stop-commands::stopToken', name: 'stop-commands', data: 'stopToken' },
  { line: '##[stop-commands]stopToken', name: 'stop-commands', data: 'stopToken' },
  { line: '##[set-env name=foo]bar', name: 'set-env', data: 'bar' },
  { line: '::echo::Off   ', name: 'echo', data: 'Off   ' },
  { line: '::ERROR::x', name: 'ERROR', data: 'x' },
])('the command $name is known', ({ line, name, data }) => {
  expect(commandIn(line)).toMatchObject({ name, data });
});

test.each(['::stopToken::', '##[stopToken]', ':: error::x', ':error::x', 'a::error::x'])(
  'a line that only looks like a command is not one: case %#',
  (line) => {
    expect(commandIn(line)).toBeUndefined();
  },
);
