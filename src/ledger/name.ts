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

/** What a ledger is about. A branch, a pull request and the tags have one each. */
export type LedgerScope =
  | { readonly kind: 'branch'; readonly branch: string }
  | { readonly kind: 'pull'; readonly number: number }
  | { readonly kind: 'tags' | 'prompts' };

interface StepNames {
  readonly workflowFile: string;
  readonly workflowJob: string;
  readonly step: string;
  /** `toJSON(matrix)`: `null` outside a matrix. */
  readonly matrix: string;
}

/** `refs/docs-agent/<workflow file>/<workflow job>/<step>[/<hash of the matrix>]/<scope>` */
export function ledgerRef(
  { workflowFile, workflowJob, step, matrix }: StepNames,
  scope: LedgerScope,
): string {
  const leg = ['', 'null', '{}'].includes(matrix) ? [] : [hashOf(matrix, 12)];
  const names = [workflowFile, workflowJob, step, ...leg, ...scopeParts(scope)];
  return `refs/docs-agent/${names.map(part).join('/')}`;
}

function scopeParts(scope: LedgerScope): readonly string[] {
  switch (scope.kind) {
    case 'branch':
      return ['heads', scope.branch];
    case 'pull':
      return ['pull', String(scope.number)];
    case 'tags':
    case 'prompts':
      return [scope.kind];
  }
}
