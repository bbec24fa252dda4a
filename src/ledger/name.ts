/** The name of a step's ledger. */
import { createHash } from 'node:crypto';

/**
 * GitHub refuses refs over 255 bytes (GH005). With 17 bytes before them, six parts of 40 bytes stay
 * below that.
 */
const MAX_PART_BYTES = 40;
const HASH_LENGTH = 16;

const hashOf = (text: string, length: number) =>
  createHash('sha256').update(text).digest('hex').slice(0, length);

/**
 * One part of the name. Everything but ASCII letters, digits, `_` and `-` is percent-encoded, so
 * branches like `a` and `a/b`, which could not both be refs, have one part each.
 */
function part(text: string): string {
  const encoded = encodeURIComponent(text.toWellFormed()).replace(
    /[.!~*'()]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  if (encoded.length <= MAX_PART_BYTES) return encoded;
  const beginning = encoded.slice(0, MAX_PART_BYTES - HASH_LENGTH - 1).replace(/%.?$/, '');
  return `${beginning}+${hashOf(text, HASH_LENGTH)}`;
}

/** What a ledger is about, as its name says. */
export type LedgerScope = 'heads' | 'pull' | 'tags' | 'prompts';

interface StepNames {
  readonly workflowFile: string;
  readonly workflowJob: string;
  readonly step: string;
  /** `toJSON(matrix)`: `null` outside a matrix. */
  readonly matrix: string;
}

/** `refs/docs-agent/<workflow file>/<workflow job>/<step>[/<hash of the matrix>]/<what>` */
export function ledgerRef(
  { workflowFile, workflowJob, step, matrix }: StepNames,
  what: readonly [LedgerScope, ...string[]],
): string {
  const leg = ['', 'null', '{}'].includes(matrix) ? [] : [hashOf(matrix, 12)];
  const names = [workflowFile, workflowJob, step, ...leg, ...what];
  return `refs/docs-agent/${names.map(part).join('/')}`;
}
