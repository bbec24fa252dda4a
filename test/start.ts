/**
 * `npm start [-- "Your prompt"]`: runs the built action as the runner would, and shows the log, the
 * outputs and the summary. It calls a local service. With a prompt, and with MINTLIFY_ADMIN_API_KEY
 * and MINTLIFY_PROJECT_ID in the environment, it calls Mintlify's agent API.
 * `npm start -- --append`: three pushes of a workflow with `pullRequest: append`, on a local GitHub.
 */
import { Action, type ActionResult } from './support/action.ts';
import { AgentService, PR_LINK } from './support/agent-service.ts';
import { type FakePullState, GitHubService, line } from './support/github-service.ts';
import { plainText } from './support/plain-text.ts';
import { Workflow } from './support/workflow-run.ts';

const USAGE = 'npm start -- "Your prompt"';
const given = process.argv.slice(2).join(' ');
if (given === '--append') {
  await playPushes();
  process.exit();
}
if (given.startsWith('-')) {
  console.error(`A prompt does not begin with "-". Usage: ${USAGE}`);
  process.exit(1);
}
const prompt = given || 'Document the new retry option of the client.';
const { MINTLIFY_ADMIN_API_KEY: adminApiKey, MINTLIFY_PROJECT_ID: projectId } = process.env;

const isReal = Boolean(given && adminApiKey && projectId);
await using github = await GitHubService.start({
  commits: [],
  pullStates: { 'acme/docs#123': docsPull('open', 'e1') },
});
await using service = await AgentService.start({
  schedule: [
    { afterMs: 0, status: 'active' },
    { afterMs: 3_500, status: 'completed', prLink: PR_LINK },
  ],
});
console.log(
  isReal
    ? "Running dist/index.js against Mintlify's agent API."
    : `Running dist/index.js against a local service at ${service.url}. To call Mintlify's agent API, set MINTLIFY_ADMIN_API_KEY and MINTLIFY_PROJECT_ID and give a prompt: ${USAGE}`,
);

const action = new Action({
  inputs: {
    prompt,
    ...(isReal
      ? { adminApiKey: adminApiKey ?? '', projectId: projectId ?? '', githubToken: '' }
      : { baseUrl: service.url, pollInterval: '1s', timeout: '1m' }),
  },
  env: {
    GITHUB_API_URL: github.url,
    ...proxyEnvironment(),
    ...(process.env['RUNNER_DEBUG'] && { RUNNER_DEBUG: '1' }),
  },
});
process.on('SIGINT', () => action.child.kill('SIGINT'));
heading('Log');
action.child.stdout?.on('data', (text: string) => process.stdout.write(shown(text)));
// The action writes nothing to stderr. If there is something, it crashed, and that must be visible.
action.child.stderr?.on('data', (text: string) => process.stderr.write(text));
const result = await action.end();
showEnd(result);
process.exitCode = result.exitCode ?? 1;

/** The first push gets a pull request, the second adds to it, and then a reviewer merges it. */
async function playPushes(): Promise<void> {
  const pulls: Record<string, FakePullState> = { 'acme/docs#124': docsPull('open', 'f1') };
  const set = (state: string, ...shas: string[]) => {
    pulls['acme/docs#123'] = docsPull(state, ...shas);
  };
  const linkOf = (id: string) => (id === 'job_1' ? PR_LINK : PR_LINK.replace('123', '124'));
  const done = { afterReads: 2, status: 'completed', prLink: linkOf };
  await using agent = await AgentService.start({
    schedule: [{ status: 'active' }, done],
    messageSchedule: [{ status: 'active', prLink: PR_LINK }, done],
    intercept: ({ request }) => {
      if (request.path.endsWith('/message')) set('open', 'e1', 'e2');
      if (request.path.endsWith('/job') && !('acme/docs#123' in pulls)) set('open', 'e1');
      return false;
    },
  });
  const workflow = new Workflow();
  const { runs, jobs, annotations } = workflow;
  const known = { commits: line(4), runs, jobs, annotations, pullStates: pulls };
  await using github = await GitHubService.start(known);
  workflow.apiUrl = github.url;
  for (const n of [2, 3, 4]) {
    if (n === 4) set('closed', 'e1', 'e2');
    heading(`Push ${n - 1}${n === 4 ? ', after the pull request was merged' : ''}`);
    const run = workflow.begin(`c${n}`, 'push');
    const step = run.start({
      inputs: {
        prompt: 'Document the changes.',
        ...{ changes: 'diff', since: 'last-success', pullRequest: 'append' },
        ...{ baseUrl: agent.url, pollInterval: '1s', timeout: '1m' },
      },
      event: { before: `c${n - 1}` },
    });
    step.child.stdout?.on('data', (text: string) => process.stdout.write(shown(text)));
    showEnd(await run.end(step));
    run.complete();
  }
}

/** A docs pull request with these commits. */
function docsPull(state: string, ...commits: string[]): FakePullState {
  return {
    state,
    merged_at: state === 'open' ? null : new Date().toISOString(),
    head: { sha: commits.at(-1) ?? '', ref: 'mintlify/client' },
    commits,
    title: 'Document the client',
    files: [{ filename: 'client.mdx', additions: 12, deletions: 3 }],
  };
}

function showEnd({ outputs, summary, exitCode }: ActionResult): void {
  heading('Outputs');
  for (const [name, value] of Object.entries(outputs)) console.log(`${name.padEnd(18)} ${value}`);
  heading('Summary');
  console.log(plainText(summary));
  console.log(`\nThe step ${exitCode === 0 ? 'succeeded' : 'failed'}.`);
}

function heading(title: string): void {
  console.log(`\n--- ${title} ${'-'.repeat(90 - title.length)}`);
}

/** Commands as GitHub's log shows them. It does not show masks. */
function shown(text: string): string {
  return text
    .split('\n')
    .filter((line) => !line.startsWith('::add-mask::'))
    .map((line) =>
      line
        .replace(/^::(notice|warning|error) title=([^:]*)::/, '[$1] $2%0A')
        .replace(/^::debug::/, '[debug] ')
        .replaceAll('%3A', ':')
        .replaceAll('%0A', '\n  '),
    )
    .join('\n');
}

function proxyEnvironment(): Record<string, string | undefined> {
  const names = ['http_proxy', 'https_proxy', 'no_proxy', 'NODE_EXTRA_CA_CERTS'];
  return Object.fromEntries(
    names.flatMap((name) => [name, name.toUpperCase()]).map((name) => [name, process.env[name]]),
  );
}
