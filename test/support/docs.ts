/** The parts of the documentation that are made from action.yml, the code and the tests' tables. */
import { type JobEnd, NO_JOB } from '../../src/agent/job.ts';
import { badStart, missingVariable, RunError } from '../../src/lib/errors.ts';
import { type Ending, endingOfError, type RunResult } from '../../src/report/ending.ts';
import { wordingOf } from '../../src/report/wording.ts';
import { READ_FAULTS } from '../e2e/read-faults.ts';
import { WRITE_FAULTS } from '../e2e/write-faults.ts';
import { metadata } from './action.ts';
import { page } from './pages.ts';
import { cancelled, jobOf, MESSAGE, resultOf } from './results.ts';

type Row = readonly string[];

const cell = (text: string) => text.replaceAll('|', '\\|');

function table(head: Row, rows: readonly Row[]): string {
  const line = (cells: Row) => `| ${cells.map(cell).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

function inputs(): string {
  const rows = Object.entries(metadata.inputs).map(([name, input]) => {
    const preset = input.default === undefined ? '' : `\`${input.default}\``;
    return [`\`${name}\``, input.required ? 'required' : preset, input.description];
  });
  return table(['Input', 'Default', 'Meaning'], rows);
}

function outputs(): string {
  const rows = Object.entries(metadata.outputs).map(([name, output]) => [
    `\`${name}\``,
    output.description,
  ]);
  return table(['Output', 'Meaning'], rows);
}

/** A run of which only the id of its agent job is known. */
const RESULT = resultOf({ kind: 'dry-run' }, { inputs: undefined, prompt: undefined });

const ended = (end: JobEnd, fields: Readonly<Record<string, unknown>>) => ({
  ending: { kind: 'ended', end } as const,
  job: jobOf(fields),
});
const thrown = (error: Error): Ending => endingOfError(error, (text) => text);
const refused = (heading: string): Ending => thrown(new RunError(heading, ''));
const uncertain = (heading: string): Ending =>
  thrown(new RunError(heading, '', { mayBeAccepted: true }));

const CHANGES = {
  kind: 'known',
  commits: 1,
  files: 1,
  selectedFiles: 0,
  base: 'a',
  head: 'b',
  url: '',
  patterns: [],
  exampleFiles: [],
  leftOut: [],
} as const;
const none = { job: NO_JOB, isAccepted: false };

/** Every ending in the reader's words, with a run that ends that way. */
const DOCUMENTED_ENDINGS: readonly (readonly [
  ending: string,
  result: Partial<RunResult> & { ending: Ending },
])[] = [
  ['completed with a pull request', ended('pull-request', { prLink: 'https://x/1' })],
  ['completed without one', ended('no-changes', {})],
  ['completed with a link that cannot be used', ended('no-changes', { prLink: 'x:y' })],
  ['archived', ended('archived', {})],
  ['failed', ended('failed', {})],
  ['`timeout` ran out', { ending: { kind: 'timed-out' } }],
  ['cancelled while the agent job runs', { ending: cancelled(false) }],
  ['cancelled before it was created', { ...none, ending: cancelled(false) }],
  ['cancelled before the service answered', { ...none, ending: cancelled(true) }],
  [
    'cancelled before the follow-up message was sent',
    { inputs: MESSAGE, isAccepted: false, ending: cancelled(false) },
  ],
  ['cancelled after the agent job had ended', { end: 'pull-request', ending: cancelled(false) }],
  ['accepted, with `wait: false`', { ending: { kind: 'started' } }],
  [
    'no changed file matches `paths`',
    { ...none, changes: CHANGES, ending: { kind: 'skipped', reason: 'no-matching-file' } },
  ],
  ['`dryRun: true`', { ...none, prompt: 'x', ending: { kind: 'dry-run' } }],
  ['an input is wrong', { ...none, ending: { kind: 'bad-inputs', problems: ['x'] } }],
  ['`since` names nothing that GitHub can compare', { ...none, ending: thrown(badStart('')) }],
  [
    'the agent job cannot be created',
    { ...none, ending: refused('The agent job could not be created') },
  ],
  [
    'the answer to the create call was lost',
    { ...none, ending: uncertain('An agent job may have been created') },
  ],
  [
    'the follow-up message cannot be sent',
    { ending: refused('The follow-up message could not be sent') },
  ],
  [
    'the answer to the follow-up message was lost',
    { ending: uncertain('The follow-up message may have been accepted') },
  ],
  ['the agent job cannot be read', { ending: { kind: 'unreadable', error: '' } }],
  ['the agent job is not known to the service', { ending: { kind: 'not-found', error: '' } }],
  [
    "the runner's output files cannot be written",
    { ...none, ending: thrown(new RunError('The outputs cannot be written', '')) },
  ],
  [
    'a variable that the runner sets is missing',
    { ...none, ending: thrown(missingVariable('GITHUB_SHA')) },
  ],
  ['a bug in the action', { ...none, ending: thrown(new Error('x')) }],
];

function endings(): string {
  const rows = DOCUMENTED_ENDINGS.map(([ending, result]) => {
    const { outcome, isFailure, level, heading } = wordingOf({ ...RESULT, ...result });
    return [ending, `\`${outcome}\``, isFailure ? 'fails' : 'succeeds', `${level}: ${heading}`];
  });
  return table(['Ending', '`outcome`', 'Step', 'Annotation'], rows);
}

function faults(): string {
  const rows = (list: readonly { readonly fault: string; readonly behaviour: string }[]) =>
    list.map(({ fault, behaviour }) => [fault, behaviour]);
  return `# Faults

The faults that the end-to-end tests simulate, and how the built action reacts. \`npm run docs\` writes this page from the tests' own tables ([write-faults.ts](../test/e2e/write-faults.ts), [read-faults.ts](../test/e2e/read-faults.ts)).

## While an agent job is created, or a follow-up message is sent

A POST that is sent twice makes two agent jobs. So each fault is tried with both calls, and the requests that reach the service are counted.

${table(['Fault', 'The call'], rows(WRITE_FAULTS))}

## While an agent job is read

${table(['Fault', 'The agent job'], rows(READ_FAULTS))}
`;
}

/** A page with the table between its two markers replaced. Throws when the markers are not there. */
function withTable(text: string, name: string, content: string): string {
  const pattern = new RegExp(`(<!-- ${name}: [^>]*-->\n)[\\s\\S]*?(<!-- /${name} -->)`);
  if (!pattern.test(text)) throw new Error(`no markers for ${name}`);
  return text.replace(pattern, (_all, start: string, end: string) => `${start}${content}\n${end}`);
}

/** The right content of each page that is generated, as a whole or in part. */
export function writtenPages(): Readonly<Record<string, string>> {
  const tables = { inputs: inputs(), outputs: outputs(), endings: endings() };
  const readme = Object.entries(tables).reduce(
    (text, [name, content]) => withTable(text, name, content),
    page('README.md'),
  );
  return { 'README.md': readme, '.github/FAULTS.md': faults() };
}
