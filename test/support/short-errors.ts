/** The length limit of errors that people read. */
import type { Annotation } from '../../src/model/annotation.ts';

const MAX_SENTENCES = 3;

/**
 * The sentences of a text, each of which ends in a period or at the end of a line. A text in
 * backticks counts as one word, and so does a URL.
 */
export function sentencesIn(text: string): readonly string[] {
  const plain = text.replace(/`[^`]*`/g, 'Quote').replace(/https?:\/\/[^\s)]*[^\s).,]/g, 'Address');
  return plain
    .split('\n')
    .flatMap((line) => line.split(/(?<=[.!?])\s+/))
    .filter((sentence) => sentence.trim() !== '');
}

/** The errors that say more than what failed, what the other side said, and what to do next. */
export function longErrorsIn(annotations: readonly Annotation[]): readonly string[] {
  return annotations
    .filter(({ level }) => level === 'error')
    .flatMap(({ title, message }) => {
      const text = message.replace(/\n?Troubleshooting: \S+$/, '');
      // Each problem with the inputs is an error of its own.
      return title.includes('The inputs cannot be used') ? text.split('\n') : [text];
    })
    .filter((text) => sentencesIn(text).length > MAX_SENTENCES);
}
