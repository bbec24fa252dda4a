/** What the run of an event finds, with real git and a fake GitHub, both over HTTP. */
import { test as base, expect } from 'vitest';
import { type Found, findChanges } from '../../../src/changes/find.ts';
import { type Ends, endsOf, resolveSince, subjectOf } from '../../../src/changes/starts.ts';
import type { Repository } from '../../../src/git/repository.ts';
import { readFacts } from '../../../src/github/event.ts';
import type { GitHub } from '../../../src/github/github.ts';
import type { Inputs } from '../../../src/inputs.ts';
import { FakeGitHub, type RunStart } from '../../support/github.ts';
import { createStep, open as openRepo, type Step } from '../git/setup.ts';
import { open as openGitHub } from '../github/open.ts';

export interface Given extends Partial<Pick<Inputs, 'changes' | 'paths' | 'skip'>> {
  /** Where the ledger or a typed `since` says that the changes start. */
  readonly start?: string;
}

export class Finding {
  readonly server: FakeGitHub;
  readonly github: GitHub;
  readonly repo: Repository;
  readonly #step: Step;

  private constructor(server: FakeGitHub, step: Step, repo: Repository) {
    this.server = server;
    this.#step = step;
    this.github = openGitHub(server).github;
    this.repo = repo;
  }

  /** A repository whose `main` has one commit. */
  static async open(files: Readonly<Record<string, string>> = { 'a.ts': '1\n' }): Promise<Finding> {
    const server = await FakeGitHub.start();
    server.push('main', { message: 'start', files });
    const step = createStep();
    const place = { repository: 'acme/app', token: 'reader' };
    return new Finding(server, step, await openRepo(step, server, place));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.repo[Symbol.asyncDispose]();
    this.#step[Symbol.dispose]();
    await this.server[Symbol.asyncDispose]();
  }

  /** A commit that adds a file, without a branch. */
  commit(message: string, ...parents: readonly string[]): string {
    return this.server.origin.commit({ message, parents, files: { [`${message}.ts`]: message } });
  }

  async ends(run: RunStart): Promise<Ends> {
    return (await this.#start(run)).ends;
  }

  since(text: string): Promise<string> {
    return resolveSince(text, this);
  }

  async find(run: RunStart, { start, ...inputs }: Given = {}): Promise<Found> {
    const { ends, ...options } = await this.#start(run);
    return findChanges({
      ...{ ...options, ends, start: start ?? ends.start },
      inputs: { changes: 'files', paths: [], skip: [], ...inputs },
    });
  }

  async changes(run: RunStart, given: Given = {}) {
    const { changes, nothing } = await this.find(run, given);
    expect(nothing).toBeUndefined();
    return changes;
  }

  async #start({ env, payload }: RunStart) {
    const facts = readFacts(env, payload);
    const subject = subjectOf(facts);
    if (subject.kind === 'nothing') throw new Error(subject.reason);
    const options = { github: this.github, repo: this.repo, facts };
    return { ...options, ends: await endsOf(subject, options) };
  }
}

/** A test that gets a room whose `main` has one commit. */
// biome-ignore lint/correctness/noEmptyPattern: Vitest reads here what a fixture needs.
export const test = base.extend('room', async ({}, { onCleanup }) => {
  const room = await Finding.open();
  onCleanup(() => room[Symbol.asyncDispose]());
  return room;
});
