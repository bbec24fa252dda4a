import { findChanges } from '../changes/find/find-changes.ts';
import type { Changes } from '../changes/find/found.ts';
import type { LookedAtBy } from '../model/record.ts';
import type { Start } from '../model/start.ts';
import { permissionsOf, type SendingContext } from './run-context.ts';

/** Finds this run's changes as its inputs say. Throws a `RunError` when that is impossible. */
export function findRunChanges(
  context: SendingContext,
  start: Start | undefined,
  lookedAtBy: LookedAtBy,
): Promise<Changes> {
  const { since, changes, paths, skip } = context.inputs;
  const { github } = context;
  const permissions = permissionsOf(context);
  return findChanges({ github, start, lookedAtBy, permissions, since, changes, paths, skip });
}
