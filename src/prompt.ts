/** What a run says of the changes that it found: to the agent in the prompt, and to people. */
import type {
  Block,
  Changes,
  ChangesQuery,
  KnownChanges,
  UnknownChanges,
} from './changes/changes.ts';
import type { Effects, Runner } from './effects/effects.ts';
import type { Inputs } from './inputs/inputs.ts';
import type { Annotation } from './model/annotation.ts';
import type { ChangesOverview, SkipReason } from './model/changes.ts';
import { CHANGES_NOT_FOUND, RunError } from './model/errors.ts';
import type { Covered } from './model/start.ts';
import { quote } from './text/escape.ts';
import { mapStrings } from './text/json.ts';
import { pluralize, shortRef } from './text/words.ts';

/** Lines for the log, and warnings. */
export interface News {
  readonly log: readonly string[];
  readonly warnings: readonly Pick<Annotation, 'title' | 'message'>[];
}

/** The changes in short, for people, and what they should know of them. */
export interface ToldChanges {
  readonly overview: ChangesOverview;
  readonly news: News;
}

export interface TellOptions extends Pick<Inputs, 'paths' | 'dryRun'> {
  /** Nothing is sent. */
  readonly skip: SkipReason | undefined;
  readonly covered: Covered | undefined;
  readonly clean: Runner['clean'];
}

/** Tells people what was found. */
export async function tellChanges(found: Changes, options: TellOptions): Promise<ToldChanges> {
  const { clean, covered } = options;
  if (found.kind !== 'known') {
    const overview = { kind: 'unknown', reason: clean(found.reason) } as const;
    if (found.kind === 'newer-run') {
      const log = [`The prompt is sent without changes: ${found.reason}.`];
      return { overview, news: { log, warnings: [] } };
    }
    return { overview, news: { log: [], warnings: noStart(found, options) } };
  }
  const { describeChanges, foldersIn, overviewOf } = await import('./changes/changes.ts');
  const overview = mapStrings(overviewOf(found, options.paths, found.gaps), clean);
  const sentences = [`Changes: ${describeChanges(overview)}`, ...found.notes];
  const warnings = [
    ...found.warnings.map((text) => ({ title: 'Docs agent: changes', message: `${text}.` })),
    ...newStep(covered),
    ...foldersWithoutFiles(foldersIn(options.paths, found.files)),
  ];
  return { overview, news: { log: sentences.map((line) => `${line}.`), warnings } };
}

/** What a prompt is made of. */
export interface PromptParts {
  readonly instruction: string;
  /** Missing when the prompt tells of no changes. */
  readonly block?: Pick<Block, 'text' | 'follows'>;
}

export interface ComposedPrompt extends PromptParts, ToldChanges {}

export interface ComposeOptions extends Pick<Inputs, 'changes'> {
  readonly clock: Effects['clock'];
  readonly clean: Runner['clean'];
  readonly github: ChangesQuery['github'];
  /** Called often. It may wait, or throw to stop. */
  readonly pause: () => Promise<void>;
}

/**
 * Appends what was found to the instruction, if `changes` asks for it. Throws a `RunError` when GitHub
 * fails, and what `pause` throws.
 */
export async function composePrompt(
  instruction: string,
  found: Changes,
  { overview }: Pick<ToldChanges, 'overview'>,
  { changes: level, clock, clean, github, pause }: ComposeOptions,
): Promise<ComposedPrompt> {
  const news: News = { log: [], warnings: [] };
  // A typed prompt whose changes a newer run has goes out as it was typed.
  if (found.kind === 'newer-run') return { instruction, overview, news };
  if (level === 'none') {
    return { instruction, overview, news: { ...news, log: leftOutOf('list', overview) } };
  }
  const { changesBlock, eventBlock, withAllPatches } = await import('./changes/changes.ts');
  if (found.kind !== 'known') {
    const text = await eventBlock(found.event, found.reason, { clean, pause });
    return { instruction, block: { text, follows: undefined }, overview, news };
  }
  const isDiff = level === 'diff';
  const known = isDiff ? await withAllPatches({ github }, found, { clock, pause }) : found;
  const block = await changesBlock(known, { level, clean, pause });
  const told = { ...overview, leftOut: block.leftOut.map(clean) };
  const warnings = isDiff ? noPatches(known, block) : [];
  return { instruction, block, overview: told, news: { log: leftOutOf('prompt', told), warnings } };
}

function leftOutOf(place: string, overview: ChangesOverview): readonly string[] {
  const phrases = overview.kind === 'known' ? overview.leftOut : [];
  return phrases.map((phrase) => `Left out of the ${place}: ${phrase}.`);
}

/** The instruction, then what is told of the changes. `sentences` stand before that. */
export function promptOf(
  { instruction, block }: PromptParts,
  sentences: readonly string[] = [],
): string {
  if (block === undefined) return instruction;
  return [instruction, '', ...sentences, block.text, ''].join('\n');
}

/** The same prompt as a message to the agent job whose pull request is open at `link`. */
export async function messageOf(
  parts: PromptParts,
  addTo: { readonly link: string },
  clean: Runner['clean'],
): Promise<string> {
  if (parts.block === undefined) return parts.instruction;
  const { messageSentences } = await import('./changes/sentences.ts');
  return promptOf(parts, messageSentences(addTo, parts.block.follows, clean));
}

type Warnings = News['warnings'];

function noPatches(changes: KnownChanges, block: Block): Warnings {
  if (block.patches > 0 || !block.isPatchWanted) return [];
  const files = pluralize(changes.selected.length, 'file');
  const message = `\`changes\` is \`diff\`, but the prompt has no patch of the ${files}: ${block.leftOut.join('; ')}.`;
  return [{ title: 'Docs agent: no patches', message }];
}

/** A skipped first run only begins to count, so it needs no warning: its ending says why. */
function noStart(
  { reason, isFirstRun, range }: UnknownChanges,
  { skip, dryRun }: TellOptions,
): Warnings {
  const isSkipped = skip !== undefined;
  if (isSkipped && isFirstRun) return [];
  const what = isSkipped
    ? 'Nothing is sent'
    : 'The prompt has no changes, and `paths` is not applied';
  const isRecorded = range !== undefined && !dryRun;
  const next = isRecorded ? ` The next run starts at ${quote(shortRef(range.to))}.` : '';
  const catchUp = ' To send earlier changes, set `since` to the commit before them.';
  const message = `There is nothing to start from: ${reason}. ${what}.${next}${catchUp}`;
  return [{ title: 'Docs agent: nothing to start from', message }];
}

/**
 * Earlier runs of this workflow may have changes that they did not send: under another name of the
 * step, or because it never ran.
 */
function newStep(covered: Covered | undefined): Warnings {
  if (covered?.kind !== 'nothing' || covered.runs === covered.recorded) return [];
  const { runs, recorded, unrecorded } = covered;
  const some =
    unrecorded > 0
      ? `and this workflow job left no record in ${unrecorded} of them`
      : `${runs - recorded} of them without this workflow job`;
  const message = `No run of this step has changes on record. This workflow has ${pluralize(runs, 'earlier run')} on this branch, ${some}. What they did not send is not sent. To send earlier changes, set \`since\` to the commit before them.`;
  return [{ title: 'Docs agent: this step is new', message }];
}

function foldersWithoutFiles(folders: readonly string[]): Warnings {
  if (folders.length === 0) return [];
  const advice = folders.map((folder) => `${quote(folder)}: write ${quote(`${folder}/**`)}`);
  const message = `\`paths\` names folders without \`**\`, which select no file. ${advice.join('; ')}.`;
  return [{ title: 'Docs agent: a pattern selects no file', message }];
}

/** Longest time that the process works without checking for a cancel, in ms. */
const MAX_BUSY_MS = 100;

const NO_TIME =
  'The `timeout` was over before the prompt was composed. No prompt was sent. Set a longer `timeout`, or fewer `paths`.';

/**
 * Returns a function to call often during long work: it pauses now and then so that Node can handle
 * signals, and throws the signal's reason after a cancel, or a `RunError` when the time is up.
 */
export function pauseForSignals(
  { clock, signal }: Pick<Effects, 'clock' | 'signal'>,
  deadline: number,
): () => Promise<void> {
  let last = clock.now();
  return async () => {
    if (clock.now() - last < MAX_BUSY_MS) return;
    await clock.handleSignals();
    signal.throwIfAborted();
    if (clock.now() >= deadline) throw new RunError(CHANGES_NOT_FOUND, NO_TIME);
    last = clock.now();
  };
}
