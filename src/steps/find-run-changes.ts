import { findChanges } from '../changes/find/find-changes.ts';
import type { Changes } from '../changes/find/found.ts';
import type { LookedAtBy } from '../model/record.ts';
import type { Start } from '../model/start.ts';
import type { SendingContext } from './run-context.ts';

/** Finds this run's changes as its inputs say. Throws a `RunError` when that is impossible. */
export function findRunChanges(
  { inputs, github }: SendingContext,
  start: Start | undefined,
  lookedAtBy: LookedAtBy,
): Promise<Changes> {
  const { since, changes, paths, skip } = inputs;
  return findChanges({ github, start, lookedAtBy, since, changes, paths, skip });
}
