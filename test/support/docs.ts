/** Makes the parts of the README that come from action.yml. */
import { type ActionMetadata, metadata } from './action.ts';
import { page } from './pages.ts';

type Row = readonly string[];

const cell = (text: string) => text.replaceAll('|', '\\|');

function table(head: Row, rows: readonly Row[]): string {
  const line = (cells: Row) => `|${cells.map(cell).join('|')}|`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

/** The first sentence of a description in action.yml, which is its meaning. */
function firstSentence(description: string): string {
  return /^.*?\.(?=\s+[A-Z`]|$)/s.exec(description)?.[0] ?? description;
}

type Input = ActionMetadata['inputs'][string];

/** Shows an expression as its name. */
function shownDefault({ default: preset }: Input): string {
  const name = preset?.replace(/^\$\{\{ ([\w.]+) \}\}$/, '$1') ?? '';
  return name === '' ? '' : `\`${name}\``;
}

/** An input that nobody sets. */
const NOT_FOR_PEOPLE = 'workflowJob';

function inputs(): string {
  const shown = Object.entries(metadata.inputs).filter(([name]) => name !== NOT_FOR_PEOPLE);
  const rows = shown.map(([name, input]) => [
    `\`${name}\``,
    firstSentence(input.description),
    input.required ? 'yes' : '',
    shownDefault(input),
  ]);
  return table(['Input', 'Meaning', 'Required', 'Default'], rows);
}

/** The agent job's own fields share a row, because nobody chooses between them. */
const FIELDS = 'jobId status model sourceRepository sourceRef createdAt archivedAt'.split(' ');
const OF_FIELDS =
  "The agent job's own fields at the last check. `jobId` is set as soon as the agent job exists.";

function outputs(): string {
  const isField = (name: string) => FIELDS.includes(name);
  const rows = Object.entries(metadata.outputs)
    .filter(([name]) => !isField(name) || name === FIELDS[0])
    .map(([name, { description }]) =>
      isField(name)
        ? [FIELDS.map((field) => `\`${field}\``).join(' '), OF_FIELDS]
        : [`\`${name}\``, firstSentence(description)],
    );
  return table(['Output', 'Meaning'], rows);
}

/** Replaces the table between its two markers on a page. Throws when the markers are missing. */
function withTable(text: string, name: string, content: string): string {
  const pattern = new RegExp(`(<!-- ${name}: [^>]*-->\n)[\\s\\S]*?(<!-- /${name} -->)`);
  if (!pattern.test(text)) throw new Error(`no markers for ${name}`);
  return text.replace(pattern, (_all, start: string, end: string) => `${start}${content}\n${end}`);
}

/** The README with the tables that `npm run docs` writes. */
export function writtenReadme(): string {
  const tables = Object.entries({ inputs, outputs });
  return tables.reduce((text, [name, make]) => withTable(text, name, make()), page('README.md'));
}
