/** The ledger's ref on the server: reading it, and pushing to it without force. */
import { StepError } from '../errors.ts';
import { quote } from '../text/escape.ts';
import { REMOTE } from './process.ts';
import type { Repository } from './repository.ts';

/** Not the ref's own name, which would make a path too long for Windows. */
const LOCAL_REF = 'refs/ledger';

/**
 * The newest commit of the ref, which anybody may have written. `undefined` only if the server says
 * that there is no such ref. Throws a `StepError`.
 */
export async function readRef(repo: Repository, ref: string) {
  const { stderr, fault } = await repo.fetch(['--depth=1', REMOTE, `+${ref}:${LOCAL_REF}`]);
  if (/^fatal: couldn't find remote ref /m.test(stderr)) return undefined;
  if (fault !== undefined) throw fault.error;
  const { output } = await repo.local(['cat-file', '--batch'], { input: `${LOCAL_REF}\n` });
  // A line that begins with the id, then the object, whose message follows its first empty line.
  const [, tip = '', message = ''] = /^(\w+)[\s\S]*?\n\n([\s\S]*)$/.exec(`${output}`) ?? [];
  return { tip, message: message.trimEnd() };
}

/** GitHub's other 403s have other causes. */
const DENIED = /Permission to .* denied|Write access to repository not granted/i;
/** The server did not take it this time: locks, other writers, its own faults. */
const FOR_NOW = /failed to (lock|update ref)|cannot lock ref|internal/i;

export type Pushed =
  | { readonly kind: 'pushed'; readonly tip: string }
  /** Somebody else wrote, or it failed for now. */
  | { readonly kind: 'rejected'; readonly said: string }
  /** The workflow job lacks `contents: write`. */
  | { readonly kind: 'denied'; readonly said: string };

/**
 * Pushes a commit with the empty tree on top of `tip` (`undefined`: the ref is absent), unless the
 * ref has moved. After a failure the ref is read back: if the commit is there, it counts. Throws a
 * `StepError` if that fails, and for any other refusal.
 */
export async function pushRef(
  repo: Repository,
  ref: string,
  tip: string | undefined,
  message: string,
): Promise<Pushed> {
  const commit = await repo.writeCommit(tip, message);
  // Also turns away a writer whose ref was set back, or deleted, by hand.
  const lease = `--force-with-lease=${ref}:${tip ?? ''}`;
  const { output, fault } = await push(repo, lease, `${commit}:${ref}`);
  if (fault === undefined) return { kind: 'pushed', tip: commit };
  if (DENIED.test(fault.said)) return { kind: 'denied', said: fault.said };
  const there = await readRef(repo, ref);
  if (there?.tip === commit) return { kind: 'pushed', tip: commit };
  const reason = /^!\t.*\t\[remote rejected\] (.*)$/m.exec(`${output}`)?.[1] ?? '';
  const mayPass = fault.error.topic === 'git-network' && (reason === '' || FOR_NOW.test(reason));
  if (there?.tip !== tip || mayPass) return { kind: 'rejected', said: fault.said };
  const said = quote(`${reason} ${fault.said}`.trim());
  const text = `The server refused the push to the ledger ${quote(ref)}: ${said}`;
  throw new StepError('ledger-refused', text);
}

/** Whether the token may push to the ref. Runs no hooks. Throws a `StepError` for other faults. */
export async function mayPush(repo: Repository, ref: string): Promise<boolean> {
  const commit = await repo.writeCommit(undefined, 'Dry run');
  const { fault } = await push(repo, '--dry-run', `+${commit}:${ref}`);
  if (fault === undefined || DENIED.test(fault.said)) return fault === undefined;
  throw fault.error;
}

const push = (repo: Repository, option: string, refspec: string) =>
  repo.runOnce(['push', '--porcelain', option, REMOTE, refspec]);
