/** Composes the prompt from the instruction and the changes. */
import type { Runner } from '../../effects/effects.ts';
import type { ReadChanges } from '../find/found.ts';
import { type Block, changesBlock, eventBlock } from './block.ts';
import {
  type AddTo,
  ALL_CHANGES,
  bareMessageSentences,
  messageSentences,
  type Standing,
} from './sentences.ts';

export interface ComposedPrompt {
  readonly prompt: string;
  /** The same prompt as a message to the agent job whose pull request is open. */
  readonly message: string;
  /** The changes in the prompt. Missing if it has none. */
  readonly block: Block | undefined;
}

export interface ComposeOptions {
  readonly changes: 'none' | 'files' | 'diff';
  readonly clean: Runner['clean'];
  /** The open pull request to add to. */
  readonly addTo: AddTo | undefined;
}

/** Appends what was found to the instruction, if `changes` asks for it. */
export function composePrompt(
  instruction: string,
  found: ReadChanges,
  { changes: level, clean, addTo }: ComposeOptions,
): ComposedPrompt {
  if (level === 'none') {
    const message = addTo === undefined ? instruction : bareMessage(instruction, addTo, clean);
    return { prompt: instruction, message, block: undefined };
  }
  const withBlock = (text: string, standing: Standing, isLater: boolean) => ({
    prompt: promptOf(instruction, [...(isLater ? [ALL_CHANGES] : []), text]),
    message: promptOf(instruction, [
      ...(addTo === undefined ? [] : messageSentences(addTo, standing, clean)),
      text,
    ]),
  });
  if (found.kind !== 'known') {
    const text = eventBlock(found.event, found.reason, clean);
    return { ...withBlock(text, { kind: 'again' }, false), block: undefined };
  }
  const block = changesBlock(found, level, clean);
  const isLater = found.ownPull !== undefined && found.isSentBefore;
  return { ...withBlock(block.text, block.standing, isLater), block };
}

/** Composes a prompt without changes, as a message to the agent job whose pull request is open. */
export const bareMessage = (instruction: string, addTo: AddTo, clean: Runner['clean']) =>
  promptOf(instruction, bareMessageSentences(addTo, clean));

/** Joins the instruction and the text about the changes. */
const promptOf = (instruction: string, told: readonly string[]) =>
  [instruction, '', ...told, ''].join('\n');
