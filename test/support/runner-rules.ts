/**
 * The runner's own rules for what a step writes, taken from its source, so that tests see what the
 * runner would see:
 * https://github.com/actions/runner/blob/main/src/Runner.Common/ActionCommand.cs
 * https://github.com/actions/runner/blob/main/src/Runner.Worker/ActionCommandManager.cs
 * https://github.com/actions/runner/blob/main/src/Runner.Worker/FileCommandManager.cs
 */

export interface Command {
  readonly name: string;
  readonly properties: Readonly<Record<string, string>>;
  readonly data: string;
}

/** The commands that the runner registers. */
const REGISTERED = new Set([
  ...['internal-set-repo-path', 'set-env', 'set-output', 'save-state', 'add-mask', 'add-path'],
  ...['add-matcher', 'remove-matcher', 'warning', 'error', 'notice', 'debug', 'group', 'endgroup'],
  ...['echo', 'stop-commands'],
]);

/** .NET's `char.IsWhiteSpace`, which `TrimStart` uses. */
const DOTNET_SPACE = /^[\t-\r\u0020\u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+/;

type Escapes = readonly (readonly [escape: string, character: string])[];

// In the runner's order, with the escape of `%` last.
const DATA_ESCAPES: Escapes = [
  ['%0D', '\r'],
  ['%0A', '\n'],
  ['%25', '%'],
];
const PROPERTY_ESCAPES: Escapes = [
  ['%0D', '\r'],
  ['%0A', '\n'],
  ['%3A', ':'],
  ['%2C', ','],
  ['%25', '%'],
];
const OLD_ESCAPES: Escapes = [
  ['%3B', ';'],
  ['%0D', '\r'],
  ['%0A', '\n'],
  ['%5D', ']'],
  ['%25', '%'],
];

const unescaped = (text: string, escapes: Escapes) =>
  escapes.reduce((result, [from, to]) => result.replaceAll(from, to), text);

/**
 * The command that the runner reads in a line, if any. Names of commands are compared without
 * regard to case, as `ActionCommandManager` does.
 */
export function commandIn(line: string): Command | undefined {
  return commandAtStart(line, REGISTERED) ?? commandAnywhere(line, REGISTERED);
}

/** `TryParseV2`: `::name key=value::data` at the start of the line, after white space. */
export function commandAtStart(line: string, registered: ReadonlySet<string>): Command | undefined {
  const message = line.replace(DOTNET_SPACE, '');
  const end = message.startsWith('::') ? message.indexOf('::', 2) : -1;
  if (end < 0) return undefined;
  const [name = '', ...rest] = message.slice(2, end).split(' ');
  if (!registered.has(name.toLowerCase())) return undefined;
  const properties = propertiesIn(rest.join(' ').trim(), ',', PROPERTY_ESCAPES);
  return { name, properties, data: unescaped(message.slice(end + 2), DATA_ESCAPES) };
}

/** `TryParse`: `##[name key=value;]data` anywhere in the line. */
export function commandAnywhere(
  line: string,
  registered: ReadonlySet<string>,
): Command | undefined {
  const start = line.indexOf('##[');
  const end = start < 0 ? -1 : line.indexOf(']', start);
  if (end < 0) return undefined;
  const [name = '', ...rest] = line.slice(start + 3, end).split(' ');
  if (!registered.has(name.toLowerCase())) return undefined;
  const properties = propertiesIn(rest.join(' '), ';', OLD_ESCAPES);
  return { name, properties, data: unescaped(line.slice(end + 1), OLD_ESCAPES) };
}

/** A property without a name or a value is left out. */
function propertiesIn(text: string, separator: string, escapes: Escapes): Record<string, string> {
  return Object.fromEntries(
    text
      .split(separator)
      .map((pair) => pair.split(/=(.*)/s))
      .filter(([key, value]) => key && value)
      .map(([key = '', value = '']) => [key, unescaped(value, escapes)]),
  );
}

/**
 * Lines of the log as the runner reads them from the process: `StreamReader.ReadLine` breaks at
 * `\n`, `\r` and `\r\n`, on every system.
 * https://github.com/actions/runner/blob/main/src/Runner.Sdk/ProcessInvoker.cs
 */
export function linesOf(text: string): readonly string[] {
  const lines = text.split(/\r\n|\r|\n/);
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}

const IS_WINDOWS = process.platform === 'win32';

/**
 * The outputs that the runner reads from the file behind `GITHUB_OUTPUT`; throws when the runner
 * would. Lines end at `\n`, and on Windows (`isWindows`) at `\r\n` too. A value keeps its line
 * breaks as they were written.
 */
export function outputsIn(file: string, isWindows = IS_WINDOWS): Record<string, string> {
  const outputs: Record<string, string> = {};
  // Lines and the line breaks behind them, in turn.
  const parts = file.split(isWindows ? /(\r?\n)/ : /(\n)/);
  for (let at = 0; at < parts.length; at += 2) {
    const line = parts[at] ?? '';
    if (line === '') continue;
    const equals = line.indexOf('=');
    const heredoc = line.indexOf('<<');
    if (equals >= 0 && (heredoc < 0 || equals < heredoc)) {
      outputs[line.slice(0, equals)] = line.slice(equals + 1);
    } else if (heredoc > 0 && heredoc + 2 < line.length) {
      const delimiter = line.slice(heredoc + 2);
      const end = parts.findIndex((part, n) => n > at && n % 2 === 0 && part === delimiter);
      if (end < 0) {
        const isEnded = at === parts.length - 1 || parts.at(-1) === '';
        throw new Error(
          isEnded ? `Matching delimiter not found '${delimiter}'` : 'EOF marker missing new line',
        );
      }
      outputs[line.slice(0, heredoc)] = parts.slice(at + 2, end - 1).join('');
      at = end;
    } else {
      throw new Error(`Invalid format '${line}'`);
    }
  }
  return outputs;
}
