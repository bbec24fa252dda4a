/**
 * The runner's own rules for what a step writes, based on its source, so that tests see what the
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

// The characters that are escaped with `%`, in the runner's order, with `%` itself last.
const IN_DATA = ['\r', '\n', '%'];
const IN_PROPERTIES = ['\r', '\n', ':', ',', '%'];

const unescaped = (text: string, characters: readonly string[]) =>
  characters.reduce((result, one) => result.replaceAll(encodeURIComponent(one), one), text);

/** The command that the runner reads in a line, if any. Its name is case-insensitive. */
export const commandIn = (line: string): Command | undefined =>
  commandAtStart(line) ?? commandAnywhere(line);

/** `TryParseV2`: `::name key=value::data` at the start of the line, after white space. */
function commandAtStart(line: string): Command | undefined {
  const message = line.replace(DOTNET_SPACE, '');
  const end = message.startsWith('::') ? message.indexOf('::', 2) : -1;
  const [name = '', ...rest] = message.slice(2, end).split(' ');
  if (end < 0 || !REGISTERED.has(name.toLowerCase())) return undefined;
  const properties = propertiesIn(rest.join(' ').trim());
  return { name, properties, data: unescaped(message.slice(end + 2), IN_DATA) };
}

/** `TryParse`: `##[name key=value;]data` anywhere in the line. The name is what matters of it. */
function commandAnywhere(line: string): Command | undefined {
  const start = line.indexOf('##[');
  const end = start < 0 ? -1 : line.indexOf(']', start);
  const [name = ''] = line.slice(start + 3, end).split(' ');
  if (end < 0 || !REGISTERED.has(name.toLowerCase())) return undefined;
  return { name, properties: {}, data: line.slice(end + 1) };
}

/** Drops a property without a name or a value. */
function propertiesIn(text: string) {
  const pairs = text.split(',').map((pair) => pair.split(/=(.*)/s));
  const named = pairs.filter(([key, value]) => key && value);
  const values = named.map(([key, value = '']) => [key, unescaped(value, IN_PROPERTIES)]);
  return Object.fromEntries(values);
}

/**
 * Splits the log into lines as the runner does: `StreamReader.ReadLine` breaks at `\n`, `\r` and
 * `\r\n` on every system.
 * https://github.com/actions/runner/blob/main/src/Runner.Sdk/ProcessInvoker.cs
 */
export function linesOf(text: string): readonly string[] {
  const lines = text.split(/\r\n|\r|\n/);
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}

/** The environment variables of inputs. */
export const inputVariables = (inputs: Readonly<Record<string, string>>) =>
  Object.fromEntries(
    Object.entries(inputs).map(([name, text]) => [`INPUT_${name.toUpperCase()}`, text]),
  );

/**
 * The outputs that the runner reads from the file in `GITHUB_OUTPUT`. Throws when the runner would.
 * Lines end at `\n`, and on Windows at `\r\n` too. A value keeps its line breaks.
 */
export function outputsIn(file: string): Record<string, string> {
  const outputs: Record<string, string> = {};
  // Lines, each followed by its line break.
  const parts = file.split(process.platform === 'win32' ? /(\r?\n)/ : /(\n)/);
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
      if (end < 0) throw new Error('Matching delimiter not found');
      outputs[line.slice(0, heredoc)] = parts.slice(at + 2, end - 1).join('');
      at = end;
    } else throw new Error(`Invalid format '${line}'`);
  }
  return outputs;
}
