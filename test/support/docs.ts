/** The parts of the documentation that are made from action.yml, the code and the tests' tables. */
import { type JobEnd, NO_JOB } from '../../src/agent/job.ts';
import { badStart } from '../../src/changes/start.ts';
import { missingVariable, RunError } from '../../src/lib/errors.ts';
import { type Ending, endingOfError, type RunResult } from '../../src/report/ending.ts';
import { wordingOf } from '../../src/report/wording.ts';
import { READ_FAULTS } from '../e2e/read-faults.ts';
import { WRITE_FAULTS } from '../e2e/write-faults.ts';
import { type ActionMetadata, metadata } from './action.ts';
import { page } from './pages.ts';
import { cancelled, FOLLOW, jobOf, MESSAGE, resultOf, unread } from './results.ts';

type Row = readonly string[];

const cell = (text: string) => text.replaceAll('|', '\\|');

function table(head: Row, rows: readonly Row[]): string {
  const line = (cells: Row) => `| ${cells.map(cell).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

/** The first sentence of a description in action.yml, which is its meaning. */
export function firstSentence(description: string): string {
  return /^.*?\.(?=\s+[A-Z`]|$)/s.exec(description)?.[0] ?? description;
}

/** The meaning of an input and its default, short enough for a telephone. */
function inputMeaning({ description, required, default: preset }: Input): string {
  const meaning = firstSentence(description);
  if (required) return `**Required.** ${meaning}`;
  // The default of a token is an expression, which says nothing to a reader.
  const isShown = preset !== undefined && !preset.startsWith('${{');
  return isShown ? `${meaning} Default: \`${preset}\`.` : meaning;
}

type Input = ActionMetadata['inputs'][string];

function inputs(): string {
  const rows = Object.entries(metadata.inputs).map(([name, input]) => [
    `\`${name}\``,
    inputMeaning(input),
  ]);
  return table(['Input', 'Meaning'], rows);
}

function outputs(): string {
  const rows = Object.entries(metadata.outputs).map(([name, { description }]) => [
    `\`${name}\``,
    firstSentence(description),
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
/** An agent job with a status that this action does not know, or that was never read. */
const ODD = { job: jobOf({ status: 'paused' }) };
const NOT_READ = { job: unread('job_1') };
const NOTHING_KNOWN = { kind: 'unknown', reason: '' } as const;

/** Every ending in the reader's words, with a run that ends that way. */
export const DOCUMENTED_ENDINGS: readonly (readonly [
  ending: string,
  result: Partial<RunResult> & { ending: Ending },
])[] = [
  ['completed with a pull request', ended('pull-request', { prLink: 'https://x/1' })],
  ['completed without one', ended('no-changes', {})],
  ['completed with a link that cannot be used', ended('no-changes', { prLink: 'x:y' })],
  ['archived', ended('archived', {})],
  ['failed', ended('failed', {})],
  ['the step reached its `timeout`', { ending: { kind: 'timed-out' } }],
  [
    'the step reached its `timeout`, and the status of the agent job is unknown',
    { ...ODD, ending: { kind: 'timed-out' } },
  ],
  [
    'the step reached its `timeout`, and the agent job was never read',
    { ...NOT_READ, ending: { kind: 'timed-out' } },
  ],
  ['cancelled while the agent job runs', { ending: cancelled(false) }],
  ['cancelled while the status of the agent job is unknown', { ...ODD, ending: cancelled(false) }],
  ['cancelled before the agent job was read', { ...NOT_READ, ending: cancelled(false) }],
  ['cancelled before it was created', { ...none, ending: cancelled(false) }],
  ['cancelled before the service responded', { ...none, ending: cancelled(true) }],
  [
    'cancelled before the follow-up message was sent',
    { inputs: MESSAGE, isAccepted: false, ending: cancelled(false) },
  ],
  ['cancelled after the agent job had ended', { end: 'pull-request', ending: cancelled(false) }],
  ['accepted, with `wait: false`', { ending: { kind: 'started' } }],
  [
    'follow-up message accepted, with `wait: false`',
    { inputs: MESSAGE, ending: { kind: 'started' } },
  ],
  [
    'an agent job that is followed is still running, with `wait: false`',
    { inputs: FOLLOW, isAccepted: false, ending: { kind: 'started' } },
  ],
  [
    'the status of an agent job that is followed is unknown, with `wait: false`',
    { ...ODD, inputs: FOLLOW, isAccepted: false, ending: { kind: 'started' } },
  ],
  [
    'nothing relevant changed',
    { ...none, changes: CHANGES, ending: { kind: 'skipped', reason: 'nothing-changed' } },
  ],
  [
    'a scheduled run has nothing to start from',
    {
      ...none,
      changes: NOTHING_KNOWN,
      ending: { kind: 'skipped', reason: 'nothing-to-start-from' },
    },
  ],
  [
    'a re-run whose changes a newer run has',
    { ...none, changes: NOTHING_KNOWN, ending: { kind: 'skipped', reason: 'newer-run' } },
  ],
  ['`dryRun: true`', { ...none, prompt: 'x', ending: { kind: 'dry-run' } }],
  ['an input is wrong', { ...none, ending: { kind: 'bad-inputs', problems: ['x'] } }],
  ['`since` names nothing that GitHub can compare', { ...none, ending: thrown(badStart('')) }],
  [
    'GitHub cannot say what changed, or the token is not allowed to read it',
    { ...none, ending: refused('The changes could not be found') },
  ],
  [
    'what earlier runs covered is not known (`last-success`)',
    { ...none, ending: refused('What earlier runs covered is not known') },
  ],
  [
    'a re-run does not know the agent job of an earlier attempt',
    { ...none, ending: refused('A re-run stopped: an agent job may exist') },
  ],
  [
    'a re-run does not know whether an earlier attempt sent its message',
    { ...none, ending: refused('A re-run stopped: the message may have been sent') },
  ],
  [
    'a re-run cannot look up the earlier attempts',
    { ...none, ending: refused('A re-run stopped: earlier attempts could not be looked up') },
  ],
  [
    'it is not known which workflow job runs the step',
    { ...none, ending: refused('The workflow job is not known') },
  ],
  [
    '`NODE_TLS_REJECT_UNAUTHORIZED` is `0`',
    { ...none, ending: refused('Certificates are not checked') },
  ],
  [
    'the agent job cannot be created',
    { ...none, ending: refused('The agent job could not be created') },
  ],
  [
    'the response to the create call was lost',
    { ...none, ending: uncertain('An agent job may have been created') },
  ],
  [
    'the follow-up message cannot be sent',
    { ending: refused('The follow-up message could not be sent') },
  ],
  [
    'the response to the follow-up message was lost',
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

/** The headings of the errors that a run can end with. Each has a section of its own. */
export const ERROR_HEADINGS: readonly string[] = DOCUMENTED_ENDINGS.map(([, result]) =>
  wordingOf({ ...RESULT, ...result }),
)
  .filter(({ isFailure }) => isFailure)
  .map(({ heading }) => heading);

function faults(
  head: string,
  list: readonly { readonly fault: string; readonly behaviour: string }[],
): string {
  const rows = list.map(({ fault, behaviour }) => [fault, behaviour]);
  return table(['Fault', head], rows);
}

/** A page with the table between its two markers replaced. Throws when the markers are not there. */
function withTable(text: string, name: string, content: string): string {
  const pattern = new RegExp(`(<!-- ${name}: [^>]*-->\n)[\\s\\S]*?(<!-- /${name} -->)`);
  if (!pattern.test(text)) throw new Error(`no markers for ${name}`);
  return text.replace(pattern, (_all, start: string, end: string) => `${start}${content}\n${end}`);
}

/** The tables that each page holds between its markers. */
const TABLES: Readonly<Record<string, Readonly<Record<string, () => string>>>> = {
  'README.md': { inputs, outputs },
  '.github/FAULTS.md': {
    endings,
    'write faults': () => faults('The call', WRITE_FAULTS),
    'read faults': () => faults('The agent job', READ_FAULTS),
  },
};

/** The right content of each page that holds generated tables. */
export function writtenPages(): Readonly<Record<string, string>> {
  const pages = Object.entries(TABLES).map(([name, tables]) => {
    const contents = Object.entries(tables).map(([key, content]) => [key, content()] as const);
    return [
      name,
      contents.reduce((text, [key, content]) => withTable(text, key, content), page(name)),
    ];
  });
  return Object.fromEntries(pages);
}
