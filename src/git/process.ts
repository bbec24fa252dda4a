/** Starts git, with the environment that it gets. */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { StepError } from '../errors.ts';
import { quote } from '../text/escape.ts';

/** Nobody could read more patches than that. */
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;

interface GitCommand {
  readonly args: readonly string[];
  readonly directory: string;
  readonly env: Environment;
  readonly input: string;
  readonly limitMs: number;
  readonly signal: AbortSignal;
}

export interface GitEnd {
  /** The exit status, or which limit ended git: `limitMs`, or 64 MB of output. */
  readonly status: number | 'time-limit' | 'output-limit';
  readonly output: Buffer;
  readonly stderr: string;
}

// Windows has no process groups.
const HAS_GROUPS = process.platform !== 'win32';

/**
 * Runs git. On a cancel or at a limit, ends it with all its children, and does not wait for them.
 * Rejects with the signal's reason on a cancel, and with a `StepError` if git is missing.
 */
export async function runGit(command: GitCommand): Promise<GitEnd> {
  const { args, directory, env, input, limitMs, signal } = command;
  signal.throwIfAborted();
  const options = { cwd: directory, env, detached: HAS_GROUPS, windowsHide: true };
  const child = spawn('git', args, options);
  const pieces: Buffer[] = [];
  let size = 0;
  let stderr = '';

  return new Promise((resolve, reject) => {
    function end(status: GitEnd['status']): void {
      if (typeof status === 'string') kill(child);
      resolve({ status, output: Buffer.concat(pieces), stderr });
    }
    function abort(): void {
      reject(signal.reason);
      kill(child);
    }
    signal.addEventListener('abort', abort);
    const timer = setTimeout(end, limitMs, 'time-limit');

    child.stdout.on('data', (piece: Buffer) => {
      size += piece.length;
      if (size > MAX_OUTPUT_BYTES) end('output-limit');
      else pieces.push(piece);
    });
    child.stderr.on('data', (piece: Buffer) => {
      stderr += `${piece}`;
    });
    // Git has ended before it read everything. Its status says why.
    child.stdin.on('error', () => undefined).end(input);
    child.on('error', (error) => reject(startError(error, directory)));
    child.on('close', (code) => {
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
      end(code ?? -1);
    });
  });
}

/** Ends git and its helpers for HTTP, which on Windows end with the pipes to git. */
function kill(child: ChildProcess): void {
  child.stdout?.destroy();
  try {
    if (HAS_GROUPS && child.pid !== undefined) process.kill(-child.pid, 'SIGTERM');
    else child.kill();
  } catch {
    // It has ended.
  }
}

/** Node says `ENOENT` for the program and for the folder. */
function startError(cause: NodeJS.ErrnoException, directory: string): Error {
  if (cause.code !== 'ENOENT') return cause;
  if (existsSync(directory))
    return new StepError('git-missing', 'Git is not installed where this step runs', { cause });
  const message = `The folder for temporary files ${quote(directory)} was deleted`;
  return new StepError('temporary-folder', message, { cause });
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** Not `origin`: the settings of a remote add up, and a person may have some. */
export const REMOTE = 'docs-agent';

// The inputs, which include the admin key, and each `GIT_*` that is no setting or for the network:
// the others redirect git or turn on traces.
const DROPPED =
  /^(INPUT_|GIT_(?!(SSL|HTTP|PROXY)_|EXEC_PATH$|CONFIG_(GLOBAL|SYSTEM|NOSYSTEM|(KEY|VALUE)_\d+)$))/i;

const commonEnvironment = (env: Environment, directory: string): Environment => ({
  ...Object.fromEntries(Object.entries(env).filter(([name]) => !DROPPED.test(name))),
  GIT_DIR: directory,
  LC_ALL: 'C',
});

/** For commands that work on what is here: nobody's settings, and no token. */
export const localEnvironment = (env: Environment, directory: string): Environment => ({
  ...commonEnvironment(env, directory),
  // Where a person's attributes would be.
  XDG_CONFIG_HOME: directory,
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_ATTR_NOSYSTEM: '1',
});

export const credentialsOf = (token: string) =>
  Buffer.from(`x-access-token:${token}`).toString('base64');

/**
 * For commands that talk to the server. The person's settings of proxies and certificates stay, but
 * none that sends the token elsewhere, changes what is sent, or runs something.
 */
export function remoteEnvironment(env: Environment, directory: string, url: string, token: string) {
  const settings = settingsFor(url, token);
  // After those of the workflow job, as git 2.31 and newer read them:
  // https://git-scm.com/docs/git-config#Documentation/git-config.txt-GITCONFIGCOUNT
  const given = Number(env['GIT_CONFIG_COUNT'] ?? 0);
  const rows = settings.flatMap(([name, value], index) => [
    [`GIT_CONFIG_KEY_${given + index}`, name],
    [`GIT_CONFIG_VALUE_${given + index}`, value],
  ]);
  return {
    ...commonEnvironment(env, directory),
    ...Object.fromEntries(rows),
    GIT_CONFIG_COUNT: `${given + settings.length}`,
    GIT_TERMINAL_PROMPT: '0',
    // A person's settings for traces could write the token into a file.
    GIT_TRACE2: '0',
    GIT_TRACE2_EVENT: '0',
    GIT_TRACE2_PERF: '0',
    GIT_ALLOW_PROTOCOL: 'https:http',
    // A transfer that stalls for 30 s ends.
    GIT_HTTP_LOW_SPEED_LIMIT: '1000',
    GIT_HTTP_LOW_SPEED_TIME: '30',
  };
}

const settingsFor = (url: string, token: string): readonly (readonly [string, string])[] => [
  [`remote.${REMOTE}.url`, url],
  // No contents but those that are named, and they may come later.
  [`remote.${REMOTE}.promisor`, 'true'],
  [`remote.${REMOTE}.partialCloneFilter`, 'blob:none'],
  // The longest match wins, so nothing else rewrites the URL.
  [`url.${url}.insteadOf`, url],
  [`url.${url}.pushInsteadOf`, url],
  // Git would take the token to the host that a redirect names.
  ['http.followRedirects', 'false'],
  // Forgets what actions/checkout has set.
  [`http.${url}.extraHeader`, ''],
  [`http.${url}.extraHeader`, token && `Authorization: Basic ${credentialsOf(token)}`],
  ['credential.helper', ''],
  ['core.askPass', ''],
  ['core.hooksPath', '/dev/null'],
  ['fetch.fsckObjects', 'false'],
  ['maintenance.auto', 'false'],
  ['push.gpgSign', 'false'],
  ['push.pushOption', ''],
  ['push.recurseSubmodules', 'no'],
];
