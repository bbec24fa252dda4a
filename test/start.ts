/**
 * `npm start [-- "Your prompt"]`: runs the built action as the runner would, and shows the log, the
 * outputs and the summary. It calls local services. With a prompt, and with MINTLIFY_ADMIN_API_KEY
 * and MINTLIFY_PROJECT_ID in the environment, it calls Mintlify's agent API.
 * `npm start -- --append`: three pushes of a workflow with `pullRequest: append`, and their ledger.
 */
import { World } from './support/action.ts';
import { type ActionOptions, BuiltAction } from './support/built-action.ts';
import { ACTIVE } from './support/mintlify.ts';
import { plainText } from './support/plain-text.ts';

/** What reaching Mintlify may need. */
const PROXY = ['https_proxy', 'no_proxy', 'NODE_EXTRA_CA_CERTS'];

const given = process.argv.slice(2).join(' ');
if (given.startsWith('-') && given !== '--append') {
  console.error('A prompt does not begin with "-". Usage: npm start -- "Your prompt"');
  process.exit(1);
}
// The action gets it from the terminal too, and ends with a report.
process.on('SIGINT', () => undefined);
await using world = await World.open();
const { github, mintlify } = world;
const link = startDocsPull();
const local = { baseUrl: mintlify.url, pollInterval: '1s', timeout: '1m' };
process.exitCode = given === '--append' ? await showPushes() : await showPrompt();

/** From now on, agent jobs open this pull request after two checks. Returns its link. */
function startDocsPull(): string {
  const prLink = github.openDocsPull();
  mintlify.script = [...ACTIVE, { afterReads: 2, status: 'completed', prLink }];
  return prLink;
}

async function showPrompt(): Promise<number> {
  const { MINTLIFY_ADMIN_API_KEY: adminApiKey, MINTLIFY_PROJECT_ID: projectId } = process.env;
  const isReal = given !== '' && adminApiKey !== undefined && projectId !== undefined;
  console.log(
    isReal
      ? "Running dist/index.js against Mintlify's agent API."
      : `Running dist/index.js against local services. To call Mintlify's agent API, set MINTLIFY_ADMIN_API_KEY and MINTLIFY_PROJECT_ID, and give a prompt: npm start -- "Your prompt"`,
  );
  const names = PROXY.flatMap((name) => [name, name.toUpperCase()]);
  return show({
    start: github.dispatch(),
    inputs: {
      prompt: given || 'Document the new retry option of the client.',
      ...(isReal ? { adminApiKey, projectId } : local),
    },
    env: isReal ? Object.fromEntries(names.map((name) => [name, process.env[name]])) : {},
  });
}

/** The first push gets a pull request, the second adds to it, and then a reviewer merges it. */
async function showPushes(): Promise<number> {
  const inputs = {
    prompt: 'Document the changes.',
    changes: 'diff',
    pullRequest: 'append',
    ...local,
  };
  for (const n of [1, 2, 3]) {
    if (n === 3) {
      github.docsPull(link).state = 'merged';
      startDocsPull();
    }
    heading(`Push ${n}${n === 3 ? ', after the pull request was merged' : ''}`);
    const files = { 'src/client.ts': `export const retries = ${n};\n` };
    const start = github.push('main', { message: `Retry ${n} times`, files });
    const exitCode = await show({ start, inputs });
    if (exitCode !== 0) return exitCode;
  }
  heading('Ledger');
  const { git } = github.origin;
  const ref = git('for-each-ref', '--format=%(refname)', 'refs/docs-agent');
  console.log(
    `$ git log ${ref}\n${git('log', '--format=%h %an: %s', ref)}\n\nThe newest one holds:`,
  );
  console.log(JSON.stringify(JSON.parse(git('log', '-1', '--format=%b', ref)), null, 2));
  return 0;
}

/** Runs the step once, and returns its exit code. */
async function show(options: ActionOptions): Promise<number> {
  const action = new BuiltAction(options);
  heading('Log');
  action.child.stdout?.on('data', (text: string) => process.stdout.write(shownLog(text)));
  // The action writes nothing to stderr. If there is something, it crashed, and that must be visible.
  action.child.stderr?.on('data', (text: string) => process.stderr.write(text));
  const { outputs, summary, exitCode } = await action.end();
  heading('Outputs');
  for (const [name, value] of Object.entries(outputs)) console.log(`${name.padEnd(18)} ${value}`);
  heading('Summary');
  console.log(plainText(summary));
  console.log(`\nThe step ${exitCode === 0 ? 'succeeded' : 'failed'}.`);
  return exitCode ?? 1;
}

function heading(title: string): void {
  console.log(`\n--- ${title} ${'-'.repeat(90 - title.length)}`);
}

/** Commands as GitHub's log shows them. */
function shownLog(text: string): string {
  return text
    .replace(/^::(?:add-mask|debug)::.*\n/gm, '')
    .replace(/^::(notice|warning|error) title=([^:]*)::/gm, '[$1] $2%0A')
    .replaceAll('%3A', ':')
    .replaceAll('%0A', '\n  ');
}
