/** What the run's changes are, read once for each start and head. */
import { type Found, findChanges, fingerprintOf } from '../changes/find.ts';
import { type Ends, endsOf } from '../changes/starts.ts';
import type { Repository } from '../git/repository.ts';
import type { Target } from '../ledger/outside.ts';
import type { Context } from './context.ts';
import type { ChangingSubject } from './plan.ts';

export interface FoundChanges {
  /** Where the changes end and start now. A pull request is read again at each call. */
  ends(): Promise<Ends>;
  /** What the ledger records of them. */
  target(): Promise<Target>;
  /** What changed from a start to the head that `ends` returned last. */
  from(start: string | undefined): Promise<Found>;
}

export function createFoundChanges(
  { inputs, facts, github }: Context,
  subject: ChangingSubject,
  repo: Repository,
  since: string | undefined,
): FoundChanges {
  const found = new Map<string, Promise<Found>>();
  let known: Ends | undefined;
  async function ends(): Promise<Ends> {
    if (known === undefined || subject.kind === 'pull')
      known = await endsOf(subject, { github: github(), repo, facts });
    return known;
  }
  return {
    ends,
    async target() {
      const { head, start } = await ends();
      return { to: await recordOf(head, start), head, start };
    },
    async from(start) {
      const now = known ?? (await ends());
      const key = `${start}..${now.head}`;
      const options = { subject, ends: now, start, inputs, github: github(), repo, facts };
      const reading = found.get(key) ?? findChanges(options);
      found.set(key, reading);
      return reading;
    },
  };

  /** On a branch the head, of a tag its start and its commit, of a pull request its fingerprint. */
  async function recordOf(head: string, start: string | undefined): Promise<string> {
    switch (subject.kind) {
      case 'branch':
        return head;
      case 'tag':
        return `${since ?? start ?? ''}..${head}`;
      case 'pull':
        return start === undefined ? head : fingerprintOf(repo, inputs.paths, start, head);
    }
  }
}
