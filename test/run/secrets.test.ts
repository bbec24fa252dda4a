/** A secret that is echoed at the place where a text is cut leaves no part of itself. */
import { describe, expect, test } from 'vitest';
import { type ActionOptions, type ActionResult, annotations } from '../support/action.ts';
import { AgentService, PR_LINK, reply, type ServiceOptions } from '../support/agent-service.ts';
import { GitHubService, line, onPush } from '../support/github-service.ts';
import { runWritten } from '../support/written.ts';

const KEY = 'mint_k3yAbCdEfGhIjKlMnOpQrStUvWxYz0123456789';
const TOKEN = 'ghs_t0kenZyXwVuTsRqPoNmLkJiHgFeDcBa9876543210';

/** Nothing that was written contains eight consecutive characters of a secret or of its base64. */
function expectNoPiece(result: ActionResult): void {
  const written = [
    result.stdout.replace(/^::add-mask::.*$/gm, ''),
    result.stderr,
    result.summary,
    JSON.stringify(result.outputs),
  ].join('\n');
  const forms = [KEY, TOKEN].flatMap((secret) => [
    secret.slice(4),
    base64(secret).slice(0, -4),
    base64(`Bearer ${secret}`).slice(12, -4),
    base64(`x:${secret}`).slice(4, -4),
  ]);
  const pieces = forms.flatMap((form) =>
    Array.from({ length: form.length - 7 }, (_, start) => form.slice(start, start + 8)),
  );
  expect(pieces.filter((piece) => written.includes(piece))).toEqual([]);
}

const base64 = (text: string) => Buffer.from(text).toString('base64');

/** Quoted texts and cells are cut at 500 characters: before and across that place. */
const PADDINGS = [441, 470];
const echoes = (secret: string, padding: number) => [
  `${'.'.repeat(padding)}${secret}`,
  `${'.'.repeat(padding)}${base64(`Bearer ${secret}`)}`,
  `${'.'.repeat(padding)}${base64(`x:${secret}`)}`,
];

/** Runs a step with the key, against a service of its own, and expects no piece of a secret. */
async function runSafely(service: ServiceOptions, { inputs, ...more }: ActionOptions = {}) {
  await using agent = await AgentService.start({ adminApiKey: KEY, ...service });
  const given = { prompt: 'x', adminApiKey: KEY, pollInterval: '1s', baseUrl: agent.url };
  const result = await runWritten({ ...more, inputs: { ...given, ...inputs } });
  expectNoPiece(result);
  return { outputs: result.outputs, said: annotations(result), result, agent };
}

const refusing = (error: string): ServiceOptions => ({
  intercept: ({ response }) => reply(response, 400, { error }),
});

test.each([
  { before: 'a line break', note: `key:\n${base64(KEY)}` },
  { before: 'an escaped tag', note: `<b>${base64(KEY)}` },
  { before: 'a backslash', note: `C:\\${KEY}` },
])('an agent job with a secret after $before is read', async ({ note }) => {
  const { outputs, said } = await runSafely({
    intercept: ({ request, response }) => {
      const job = { id: 'job_1', status: 'completed', prLink: PR_LINK, note };
      const json = JSON.stringify(job).replaceAll('<', '\\u003c').replaceAll('>', '\\u003e');
      return reply(response, request.method === 'POST' ? 201 : 200, json);
    },
  });
  expect(outputs).toMatchObject({ outcome: 'pull-request', prLink: PR_LINK, job: '' });
  expect(said).toContain(
    'warning: These outputs are empty, because their values hold a secret: job.',
  );
});

test('an id that holds a secret is used as it is, and neither put out nor shown', async () => {
  const id = `job_${KEY}`;
  const { outputs, said, agent } = await runSafely({ idOf: () => id });
  expect(agent.transcript.slice(0, 2)).toEqual(['POST job', `GET job/${id}`]);
  expect(outputs).toMatchObject({ outcome: 'pull-request', jobId: '', job: '' });
  expect(said).toContain(
    'warning: These outputs are empty, because their values hold a secret: jobId, job.',
  );
});

test('a key with white space around it is masked without it', async () => {
  const inputs = { adminApiKey: ` ${KEY}\n`, pollInterval: KEY };
  const { outputs, result } = await runSafely({}, { inputs });
  expect(result.stdout.split('\n')).toContain(`::add-mask::${KEY}`);
  expect(outputs['outcome']).toBe('error');
});

test('a secret in JSON in the text of an error leaves no part of itself', async () => {
  const inner = JSON.stringify({ k: `${'z'.repeat(480)}${KEY}` });
  await runSafely(refusing(inner));
});

describe.each(PADDINGS)('a secret after %i characters', (padding) => {
  const [plain = '', bearer = '', basic = ''] = echoes(KEY, padding);
  const env = { RUNNER_DEBUG: '1' };

  test('is written nowhere in part when an agent job contains it', async () => {
    const job = { id: 'job_1', status: 'completed', prLink: `${PR_LINK}?${plain}` };
    const source = { repository: `https://x.test/${plain}`, ref: basic };
    const { outputs } = await runSafely(
      {
        intercept: ({ request, response }) =>
          request.method === 'GET' &&
          reply(response, 200, { ...job, model: bearer, source, createdAt: plain }),
      },
      { env },
    );
    expect(outputs['outcome']).toBe('pull-request');
  });

  test('is written nowhere in part when an error of the service contains it', async () => {
    const { outputs } = await runSafely(refusing(padding % 2 ? bearer : basic), { env });
    expect(outputs['outcome']).toBe('error');
  });

  test("is written nowhere in part when an error of GitHub's API or its headers contain it", async () => {
    const [message = '', documentation_url = ''] = echoes(TOKEN, padding);
    await using github = await GitHubService.start({
      commits: line(2),
      fail: () => ({
        status: 422,
        body: { message, documentation_url },
        headers: {
          deprecation: '::error::forged',
          sunset: `##[error]${TOKEN}`,
          link: `<https://x.test/${TOKEN}>; rel="deprecation"`,
        },
      }),
    });
    const push = onPush(github.url, 'c1', 'c2');
    const inputs = { changes: 'files', githubToken: TOKEN, wait: 'false', timeout: '9s' };
    const step = { ...push, inputs, env: { ...push.env, ...env } };
    const { outputs } = await runSafely({}, step);
    expect(outputs['outcome']).toBe('error');
  });
});

test.each([
  {
    promise: 'the key, typed',
    inputs: { prompt: `Use the key ${KEY} for it.` },
    holds: '`prompt` contains the key',
  },
  {
    promise: 'the key, typed in base64',
    inputs: { prompt: `Use ${base64(KEY)}.` },
    holds: '`prompt` contains the key',
  },
  {
    promise: 'the key, from a file',
    inputs: { prompt: '', promptFile: 'p.md' },
    holds: '`promptFile` contains the key',
  },
  {
    promise: 'the token, typed',
    inputs: { prompt: `Clone with ${TOKEN}.`, githubToken: TOKEN },
    holds: '`prompt` contains `githubToken`',
  },
])('a prompt that holds $promise, is refused by name, and the secret is not shown', async (row) => {
  const files = { 'p.md': `Use the key ${KEY} for it.` };
  const { agent, outputs, said } = await runSafely({}, { inputs: row.inputs, files });
  expect(agent.requests).toEqual([]);
  expect(outputs['outcome']).toBe('error');
  expect(said.at(-1)).toContain(row.holds);
});

test('a key in another input is refused, and no part of it is shown', async () => {
  const [timeout, baseUrl] = [`${'.'.repeat(480)}${KEY}`, `https://x.test/${KEY}`];
  const { outputs } = await runSafely({}, { inputs: { timeout, since: KEY, jobId: KEY, baseUrl } });
  expect(outputs['outcome']).toBe('error');
});
