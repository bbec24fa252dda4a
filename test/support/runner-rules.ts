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
  'internal-set-repo-path',
  'set-env',
  'set-output',
  'save-state',
  'add-mask',
  'add-path',
  'add-matcher',
  'remove-matcher',
  'warning',
  'error',
  'notice',
  'debug',
  'group',
  'endgroup',
  'echo',
  'stop-commands',
]);

/** .NET's `char.IsWhiteSpace`, which `TrimStart` uses. */
const DOTNET_SPACE = /^[\t-\r\u0020\u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+/;

const unescapeData = (text: string) =>
  text.replaceAll('%0D', '\r').replaceAll('%0A', '\n').replaceAll('%25', '%');
const unescapeProperty = (text: string) =>
  text
    .replaceAll('%0D', '\r')
    .replaceAll('%0A', '\n')
    .replaceAll('%3A', ':')
    .replaceAll('%2C', ',')
    .replaceAll('%25', '%');

/** The command that the runner takes a line for, if any. */
export function commandIn(line: string): Command | undefined {
  return commandAtStart(line) ?? commandAnywhere(line);
}

/** `TryParseV2`: `::name key=value::data` at the start of the line, after white space. */
function commandAtStart(line: string): Command | undefined {
  const message = line.replace(DOTNET_SPACE, '');
  const end = message.startsWith('::') ? message.indexOf('::', 2) : -1;
  if (end < 0) return undefined;
  const [name = '', ...rest] = message.slice(2, end).split(' ');
  if (!REGISTERED.has(name)) return undefined;
  const properties = Object.fromEntries(
    rest
      .join(' ')
      .trim()
      .split(',')
      .map((pair) => pair.split(/=(.*)/s))
      .filter(([key, value]) => key && value)
      .map(([key = '', value = '']) => [key, unescapeProperty(value)]),
  );
  return { name, properties, data: unescapeData(message.slice(end + 2)) };
}

/** `TryParse`: `##[name key=value]data` anywhere in the line. */
function commandAnywhere(line: string): Command | undefined {
  const start = line.indexOf('##[');
  const end = start < 0 ? -1 : line.indexOf(']', start);
  if (end < 0) return undefined;
  const [name = ''] = line.slice(start + 3, end).split(' ');
  return REGISTERED.has(name) ? { name, properties: {}, data: line.slice(end + 1) } : undefined;
}

/** Lines as the runner's stream reader breaks them. */
export function linesOf(text: string): readonly string[] {
  const lines = text.split(/\r\n|\r|\n/);
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}

/** The outputs that the runner reads from the file behind `GITHUB_OUTPUT`. Throws where it would. */
export function outputsIn(file: string): Record<string, string> {
  const outputs: Record<string, string> = {};
  const lines = file.split(process.platform === 'win32' ? /\r?\n/ : '\n');
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    if (line === '') continue;
    const equals = line.indexOf('=');
    const heredoc = line.indexOf('<<');
    if (equals >= 0 && (heredoc < 0 || equals < heredoc)) {
      outputs[line.slice(0, equals)] = line.slice(equals + 1);
      continue;
    }
    if (heredoc < 0) throw new Error(`Invalid format '${line}'`);
    const delimiter = line.slice(heredoc + 2);
    const end = lines.indexOf(delimiter, at + 1);
    if (end < 0) throw new Error(`Matching delimiter not found '${delimiter}'`);
    outputs[line.slice(0, heredoc)] = lines.slice(at + 1, end).join('\n');
    at = end;
  }
  return outputs;
}
