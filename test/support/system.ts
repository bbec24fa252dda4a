/** What this operating system can't do. Each value is the reason, or `undefined` if it can. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach } from 'vitest';

const IS_WINDOWS = process.platform === 'win32';

/**
 * Skips the tests of the calling file or `describe` if there is a reason. Each reason is printed
 * after the run.
 */
export function skipWhen(reason: string | undefined): void {
  beforeEach(({ skip }) => skip(reason !== undefined, reason));
}

/** https://nodejs.org/api/process.html#signal-events */
export const noSignals = IS_WINDOWS
  ? 'on Windows Node can only end another process, not signal it'
  : undefined;

export const onlyOnWindows = IS_WINDOWS ? undefined : 'only Windows has drives and backslashes';

/**
 * Linux limits an argument or environment variable to 32 pages of memory. No other system has such
 * a limit.
 */
export const noVariableLimit =
  process.platform === 'linux' ? undefined : 'only Linux limits one environment variable';

export const noGit = missing('git');
export const noBash = missing('bash');
export const noJq = missing('jq');

function missing(command: string): string | undefined {
  const { status } = spawnSync(command, ['--version'], { stdio: 'ignore' });
  return status === 0 ? undefined : `${command} is not installed`;
}

/**
 * Makes a link at `path` to `target`, an absolute path. On Windows, a link to a folder is a
 * junction, which any user may make.
 */
export function link(target: string, path: string, kind: 'file' | 'folder'): void {
  symlinkSync(target, path, kind === 'file' ? 'file' : IS_WINDOWS ? 'junction' : 'dir');
}

export const noFileLinks = linkProblem('file');
export const noFolderLinks = linkProblem('folder');

/**
 * Tries to make a link. On Windows, only administrators and users in developer mode may create a
 * link to a file. Reads the link too, because some file systems create links that lead nowhere.
 */
function linkProblem(kind: 'file' | 'folder'): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'docs-agent-job-link-'));
  const path = join(folder, 'link');
  try {
    writeFileSync(join(folder, 'file'), '');
    link(kind === 'file' ? join(folder, 'file') : folder, path, kind);
    readFileSync(kind === 'file' ? path : join(path, 'file'));
    return undefined;
  } catch (error) {
    return `no links to a ${kind} on this system: ${(error as NodeJS.ErrnoException).code}`;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Paths that can be opened but aren't regular files. Reading one may never end. */
export const DEVICES: readonly { readonly device: string; readonly path: string }[] = IS_WINDOWS
  ? [{ device: 'the null device', path: '\\\\.\\NUL' }]
  : [
      { device: 'the null device', path: '/dev/null' },
      { device: 'a device without an end', path: '/dev/zero' },
    ];

/** Makes a FIFO. Opening it blocks until another process writes. */
export function makeFifo(path: string): void {
  const { status, error } = spawnSync('mkfifo', [path]);
  if (status !== 0) throw new Error(`mkfifo ${path}`, { cause: error });
}

export const noFifos = IS_WINDOWS ? 'Windows has no FIFOs in its file system' : missing('mkfifo');
