/** The source repository: numbered commits, and which branches and tags point to them when. */

import { GitHubError } from '../../../src/github/errors.ts';
import type { Comparison, GitHub } from '../../../src/github/github.ts';

export const MAIN = 'main';
export const ZERO = '0'.repeat(40);

export const shaOf = (n: number) => `${n}`.padStart(40, 'a');
export const commitNumber = (sha: string) => Number(sha.replaceAll('a', ''));
/** The commits that a prompt includes. */
export const commitsIn = (prompt: string): ReadonlySet<number> =>
  new Set(Array.from(prompt.matchAll(/change (\d+)$/gm), ([, n]) => Number(n)));

interface SourceCommit {
  readonly number: number;
  readonly parents: readonly number[];
  /** Every commit adds its own file or removes another commit's. A merge does neither. */
  readonly adds?: string | undefined;
  readonly undoes?: number | undefined;
  readonly files: ReadonlySet<string>;
}

interface Place {
  readonly at: number;
  readonly head: number;
}

/** Commit 0 existed before everything else. */
export class Source {
  readonly commits: SourceCommit[] = [{ number: 0, parents: [], files: new Set() }];
  readonly #places = new Map<string, Place[]>([[MAIN, [{ at: 0, head: 0 }]]]);
  readonly #reach: ReadonlySet<number>[] = [new Set([0])];

  #get(number: number): SourceCommit {
    const found = this.commits[number];
    if (found === undefined) throw new GitHubError('not-found', 'HTTP 404');
    return found;
  }

  /** Makes a new commit. */
  commit(
    parents: readonly number[],
    what: { readonly adds?: string; readonly undoes?: number },
  ): number {
    const number = this.commits.length;
    const adds = what.adds === undefined ? undefined : `${what.adds}/${number}`;
    const files = new Set<string>();
    this.commits.push({ number, parents, adds, undoes: what.undoes, files });
    const behind = parents.flatMap((parent) => [...this.reach(parent)]);
    this.#reach.push(new Set([...behind, number]));
    // A merge keeps what either side removed.
    const all = [...this.reach(number)].map((one) => this.#get(one));
    const undone = new Set(all.map(({ undoes }) => undoes));
    for (const one of all)
      if (one.adds !== undefined && !undone.has(one.number)) files.add(one.adds);
    return number;
  }

  /** Moves a branch or makes a tag. */
  push(name: string, head: number, at: number): void {
    this.#places.set(name, [...(this.#places.get(name) ?? []), { at, head }]);
  }

  headOf(name: string, at: number): number | undefined {
    return this.#places.get(name)?.findLast((place) => place.at <= at)?.head;
  }

  /** The tags that start with `beginning`. */
  tags(beginning: string, at: number): readonly string[] {
    const names = [...this.#places.keys()].filter((name) => name.startsWith(beginning));
    return names.filter((name) => /^v\d/.test(name) && this.headOf(name, at) !== undefined);
  }

  /** A commit and all its ancestors. */
  reach(number: number): ReadonlySet<number> {
    return this.#reach[number] ?? new Set();
  }

  /** The commits after `base`, up to `head`. */
  between(base: number, head: number): readonly number[] {
    const before = this.reach(base);
    return [...this.reach(head)].filter((n) => !before.has(n)).sort((a, b) => a - b);
  }

  #resolve(ref: string, at: number): number {
    const head = this.headOf(ref, at);
    if (head !== undefined) return head;
    return this.#get(/^[0-9a]{40}$/.test(ref) ? commitNumber(ref) : -1).number;
  }

  commitAt(ref: string, at: number): Awaited<ReturnType<GitHub['commit']>> {
    const [, kind = '', name = ''] = /^(heads|tags)\/(.*)$/.exec(ref) ?? [];
    const isTag = /^v\d/.test(name);
    const head = isTag === (kind === 'tags') ? this.headOf(name, at) : undefined;
    const number = kind === '' ? commitNumber(ref) : (head ?? -1);
    const found = this.commits[number];
    if (found === undefined) return undefined;
    const tree = [...found.files].sort().join(' ');
    return { sha: shaOf(number), parents: found.parents.map(shaOf), tree };
  }

  compare(baseRef: string, headRef: string, at: number): Comparison {
    const [base, head] = [this.#resolve(baseRef, at), this.#resolve(headRef, at)];
    const common = [...this.reach(base)].filter((n) => this.reach(head).has(n));
    const mergeBase = Math.max(...common);
    const numbers = this.between(base, head);
    const isAhead = this.reach(head).has(base);
    const isBehind = this.reach(base).has(head);
    const [before, after] = [this.#get(mergeBase).files, this.#get(head).files];
    const changed = (status: string, files: Iterable<string>, others: ReadonlySet<string>) =>
      [...files]
        .filter((file) => !others.has(file))
        .map((filename) => ({ filename, status, lines: { additions: 1, deletions: 0 } }));
    return {
      status: base === head ? 'identical' : isAhead ? 'ahead' : isBehind ? 'behind' : 'diverged',
      ...{ url: 'u', mergeBase: shaOf(mergeBase), totalCommits: numbers.length },
      commits: numbers.map((n) => ({ sha: shaOf(n), commit: { message: `change ${n}` } })),
      files: [...changed('added', after, before), ...changed('removed', before, after)],
    };
  }
}
