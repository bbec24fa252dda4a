/** What the run of an event finds, with real git and a fake GitHub, both over HTTP. */
import { expect } from 'vitest';
import { findChanges } from '../../../src/changes/run-changes.ts';
import { rangeOf, resolveSince, subjectOf } from '../../../src/changes/starts.ts';
import { readFacts } from '../../../src/github/event.ts';
import type { Inputs } from '../../../src/inputs.ts';
import type { RunStart } from '../../support/github.ts';
import { createStep, open as openRepo } from '../git/setup.ts';
import { test as base } from '../github/open.ts';

interface Given extends Partial<Pick<Inputs, 'changes' | 'paths' | 'skip'>> {
  /** Where the ledger or a typed `since` says that the changes start. */
  readonly start?: string;
}

/** A test that gets the repository of a server, whose `main` has one commit. */
export const test = base.extend('room', async ({ server, github }, { onCleanup }) => {
  const step = createStep();
  onCleanup(step[Symbol.dispose]);
  const repo = await openRepo(step, server, { repository: 'acme/app', token: 'reader' });

  async function read({ env, payload }: RunStart) {
    const facts = readFacts(env, payload);
    const subject = subjectOf(facts);
    if (subject.kind === 'nothing') throw new Error(subject.reason);
    return { facts, range: await rangeOf(subject, { github, repo, facts }) };
  }

  async function find(run: RunStart, { start, ...more }: Given = {}) {
    const { facts, range } = await read(run);
    const inputs = { changes: 'files', paths: [], skip: [], ...more } as const;
    return findChanges({ github, repo, facts, inputs }, range, start ?? range.start);
  }

  return {
    ...{ server, github, repo, find },

    /** A commit that adds a file, without a branch. */
    commit: (message: string, ...parents: readonly string[]) =>
      server.origin.commit({ message, parents, files: { [`${message}.ts`]: message } }),

    range: async (run: RunStart) => (await read(run)).range,
    since: (text: string, head = server.tip()) => resolveSince(text, head, { github, repo }),

    async changes(run: RunStart, given: Given = {}) {
      const changes = await find(run, given);
      expect(changes.nothing).toBeUndefined();
      return changes;
    },
  };
});
