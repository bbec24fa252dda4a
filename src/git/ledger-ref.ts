/** The ledger's ref on the server: reading it, and pushing to it without force. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { StepError } from '../errors.ts';
import { quote } from '../text/escape.ts';
import { REMOTE } from './process.ts';
import type { Repository } from './repository.ts';

/** Git has this tree without being given it. */
const EMPTY_TREE = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';

/**
 * The newest commit of the ref, which anybody may have written, and of the branch. `tip` and `message`
 * are `undefined` only if the server says that there is no such ref; `branchTip`, if it says so twice.
 * The same request brings the trees of the commits that the server has. Throws a `StepError`.
 */
export async function readRef(
  repo: Repository,
  ref: string,
  { branch, commits = [] }: { branch?: string | undefined; commits?: readonly string[] } = {},
) {
  const branchRef = `refs/heads/${branch}`;
  const ids = commits.filter((id) => !repo.fetched.has(id));
  const names = [ref, ...(branch === undefined ? [] : [branchRef]), ...ids];
  const found = await fetchThoseThere(repo, names, '--depth=1');
  for (const id of ids) if (found.has(id)) repo.fetched.add(id);
  const [tip, branchTip] = [found.get(ref), found.get(branchRef)];
  if (tip === undefined) return { tip, message: undefined, branchTip };
  const { output } = await repo.local(['cat-file', '--batch'], `${tip}\n`);
  // The message follows the first empty line of the object.
  const [, message = ''] = /\n\n(.*)/s.exec(`${output}`) ?? [];
  return { tip, message: message.trimEnd(), branchTip };
}

/**
 * The newest commit of the ref, as the server says: two requests, if that commit is here. (`ls-remote`
 * would list all refs, also those of pull requests.) Throws a `StepError`.
 */
export const ledgerTip = async (repo: Repository, ref: string): Promise<string | undefined> =>
  (await fetchThoseThere(repo, [ref])).get(ref);

/** Returns the ids of the refs and commits that the server has, by their names. */
async function fetchThoseThere(
  repo: Repository,
  names: readonly string[],
  ...options: readonly string[]
): Promise<ReadonlyMap<string, string>> {
  const left = new Set(names);
  // Git fetches nothing if something is missing, and names the first.
  while (left.size > 0) {
    const { fault } = await repo.fetch([...options, REMOTE, ...left]);
    if (fault === undefined) break;
    if (!left.delete(fault.missing)) throw fault.error;
  }
  // Lines like `<id>\t\tbranch 'main' of <url>`. Other refs have their full names. A fetch that fails
  // empties the file.
  const text = await readFile(join(repo.directory, 'FETCH_HEAD'), 'utf8');
  const rows = [...text.matchAll(/^(\w+)\t.*\t(branch )?'(.*)' of /gm)];
  return new Map(
    rows.map(([, id = '', isBranch, name = '']) => [isBranch ? `refs/heads/${name}` : name, id]),
  );
}

/** Two texts of GitHub, whose other 403s have other causes, and two of Gitea. */
const DENIED =
  /Permission to .* denied|Write access to repository not granted|permission denied for writing|^Forbidden$/i;
/** The server did not take it this time: locks (since git 2.51 the last words), its own faults. */
const FOR_NOW = /failed to (lock|update ref)|cannot lock ref|internal|reference already exists/i;

/**
 * Pushes a commit with the empty tree on top of `tip` (`undefined`: the ref is absent), unless the
 * ref has moved. After a failure the ref is read back: if the commit is there, it counts. `rejected`:
 * somebody else wrote, or it failed for now. `denied`: the workflow job lacks `contents: write`.
 * Throws a `StepError` if the ref cannot be read back, and for any other refusal.
 */
export async function pushRef(
  repo: Repository,
  ref: string,
  tip: string | undefined,
  message: string,
) {
  const commit = await repo.writeCommit(EMPTY_TREE, tip, message);
  // Also turns away a writer whose ref was set back, or deleted, by hand.
  const lease = `--force-with-lease=${ref}:${tip ?? ''}`;
  const { output, fault } = await push(repo, lease, `${commit}:${ref}`);
  const pushed = { kind: 'pushed', tip: commit } as const;
  if (fault === undefined) return pushed;
  if (DENIED.test(fault.said)) return { kind: 'denied', said: fault.said } as const;
  const there = await readRef(repo, ref);
  if (there.tip === commit) return pushed;
  const reason = /^!\t.*\t\[remote rejected\] (.*)$/m.exec(`${output}`)?.[1] ?? '';
  const mayPass = fault.error.topic === 'git-network' && (reason === '' || FOR_NOW.test(reason));
  if (there.tip !== tip || mayPass) return { kind: 'rejected', said: fault.said } as const;
  const said = quote(`${reason} ${fault.said}`.trim());
  const text = `The server refused the push to the ledger ${quote(ref)}: ${said}`;
  throw new StepError('ledger-refused', text);
}

/** Whether the token may push to the ref. Runs no hooks. Throws a `StepError` for other faults. */
export async function mayPush(repo: Repository, ref: string): Promise<boolean> {
  const commit = await repo.writeCommit(EMPTY_TREE, undefined, 'Dry run');
  const { fault } = await push(repo, '--dry-run', `+${commit}:${ref}`);
  if (fault === undefined || DENIED.test(fault.said)) return fault === undefined;
  throw fault.error;
}

const push = (repo: Repository, option: string, refspec: string) =>
  repo.runOnce(['push', '--porcelain', option, REMOTE, refspec]);
