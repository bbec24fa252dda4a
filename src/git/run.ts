/** The one place that starts git. */
import { spawn } from 'node:child_process';
import { StepError } from '../errors.ts';
import type { Environment } from './environment.ts';

/** Nobody could read more patches than that. */
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;
/** Its end matters: git's own last words come after those of a hook. */
const MAX_STDERR = 8_192;

interface GitCommand {
  readonly args: readonly string[];
  readonly directory: string;
  readonly env: Environment;
  readonly input: string;
  readonly onOutput: (piece: Buffer) => void;
  readonly limitMs: number;
  readonly signal: AbortSignal;
}

export interface GitEnd {
  /** The exit status, or which limit ended git: `limitMs`, or 64 MB of output. */
  readonly status: number | 'time-limit' | 'output-limit';
  /** The last 8 kB of its standard error. */
  readonly stderr: string;
}

/**
 * Runs git. Ends git with all its children on a cancel or at a limit, and does not wait for them
 * then. Rejects with the signal's reason on a cancel, and with a `StepError` if git is missing.
 */
export async function runGit(command: GitCommand): Promise<GitEnd> {
  const { args, directory, env, input, onOutput, limitMs, signal } = command;
  signal.throwIfAborted();
  // A process group: git starts helpers for HTTP, which would go on. Windows has none, but there
  // the helpers end with the pipes to git.
  const isGroup = process.platform !== 'win32';
  const options = { cwd: directory, env, detached: isGroup, windowsHide: true } as const;
  const child = spawn('git', args, options);
  let stderr = '';
  let size = 0;

  return new Promise((resolve, reject) => {
    const finish = (status: GitEnd['status']) => resolve({ status, stderr });
    function stop(): void {
      child.stdout.destroy();
      try {
        if (isGroup && child.pid !== undefined) process.kill(-child.pid, 'SIGTERM');
        else child.kill();
      } catch {
        // It has ended.
      }
    }
    function abort(): void {
      stop();
      reject(signal.reason);
    }
    signal.addEventListener('abort', abort);
    const timer = setTimeout(() => {
      stop();
      finish('time-limit');
    }, limitMs);

    child.stdout.on('data', (piece: Buffer) => {
      size += piece.length;
      if (size <= MAX_OUTPUT_BYTES) return onOutput(piece);
      stop();
      finish('output-limit');
    });
    child.stderr.on('data', (piece: Buffer) => {
      stderr = `${stderr}${piece}`.slice(-MAX_STDERR);
    });
    // Git has ended before it read everything. Its status says why.
    child.stdin.on('error', () => undefined).end(input);
    child.on('error', (error: NodeJS.ErrnoException) => reject(cannotStart(error)));
    child.on('close', (code) => {
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
      finish(code ?? -1);
    });
  });
}

function cannotStart(error: NodeJS.ErrnoException): Error {
  if (error.code !== 'ENOENT') return error;
  const message =
    'Git is not installed where this step runs. Install git 2.31 or newer in the container of the workflow job, in a step before this one.';
  return new StepError('git', message, { cause: error });
}
