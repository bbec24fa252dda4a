import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { recordIn } from '../../src/record/record-line.ts';
import { logLine } from '../../src/text/escape.ts';
import { type ActionOptions, type ActionResult, annotations, metadata } from '../support/action.ts';
import { AgentService, reply, type ServiceOptions } from '../support/agent-service.ts';
import { dose } from '../support/dose.ts';
import { GitHubService, line, onPush } from '../support/github-service.ts';
import { anyText, HOSTILE_TEXTS } from '../support/hostile-texts.ts';
import { elementsOf } from '../support/markdown.ts';
import { runWritten } from '../support/written.ts';

const MEANT = new Set(['add-mask', 'notice', 'warning', 'error', 'debug']);
const MIB = 1024 * 1024;

/** What must be true for every run, whatever anybody wrote. */
function expectNoForgedCommands(result: ActionResult): void {
  expect(result.commands.filter(({ name }) => !MEANT.has(name))).toEqual([]);
  expect(annotations(result).length).toBeLessThanOrEqual(5);
  for (const { name, data, properties } of result.commands) {
    if (['notice', 'warning', 'error'].includes(name)) {
      expect(properties['title']).toMatch(/^Docs agent: /);
      expect(data.length).toBeLessThanOrEqual(4_096);
    }
    if (name === 'add-mask') expect(['mint_local_0123456789abcdef', 'ghs_local']).toContain(data);
  }
  expect(Object.keys(result.outputs).sort()).toEqual(Object.keys(metadata.outputs).sort());
  expect(Buffer.byteLength(result.summary)).toBeLessThan(MIB);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  const unseen = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;
  expect(result.stdout).not.toMatch(unseen);
  expect(result.summary).not.toMatch(unseen);
}

/** A text for a title. Titles are printed, and the runner would read commands in them. */
const inTitle = (text: string) => logLine(JSON.stringify(text));

/** The summary, as GitHub renders it, contains only our own elements and our own links. */
function expectOwnMarkup(summary: string): void {
  const { tags, links, headings } = elementsOf(summary);
  const own = /^(a|code|details|h2|li|p|pre|span|strong|summary|table|tbody|td|th|tr|ul|wbr)$/;
  expect(tags.filter((tag) => !own.test(tag))).toEqual([]);
  expect(headings).toHaveLength(1);
  for (const link of links) expect(link).toMatch(/^https?:\/\//);
}

/** Runs a step against a service of its own, and expects what must be true for every run. */
async function runHarmlessly(options: ServiceOptions, step: ActionOptions) {
  await using service = await AgentService.start(options);
  const inputs = { pollInterval: '1s', baseUrl: service.url, ...step.inputs };
  const result = await runWritten({ ...step, inputs });
  expectNoForgedCommands(result);
  expectOwnMarkup(result.summary);
  return { result, outputs: result.outputs, service };
}

/** The service may choose any id without control characters, of at most 1,000 characters. */
const isUsableAsId = (text: string) => text.length <= 1_000 && !/\p{Cc}/u.test(text);

/** A step whose prompt holds a text, with all that it logs. */
const prompting = (text: string): ActionOptions => ({
  inputs: { promptFile: 'prompt.md', timeout: '20s' },
  files: { 'prompt.md': `x${text.replaceAll('\0', '')}` },
  env: { RUNNER_DEBUG: '1' },
});

describe('hostile text', () => {
  const known = Object.entries(HOSTILE_TEXTS).map(([name, whole]) => {
    return { name, text: whole.slice(0, dose(5_000, 50_000)) };
  });
  // The title of a test shows its text, so that a failure can be repeated.
  const random = fc
    .sample(
      anyText.filter(({ length }) => length > 0),
      dose(3, 100),
    )
    .map((text) => {
      return { name: inTitle(text.toWellFormed()), text: text.toWellFormed() };
    });
  const texts = [...known, ...random];

  test.each(texts)(
    '$name is harmless in every field of an agent job, in an error and in the prompt',
    async ({ text }) => {
      const id = isUsableAsId(text) ? text.toWellFormed() : 'job_1';
      const fields = {
        status: text,
        source: { repository: text, ref: text },
        model: text,
        prLink: text,
        createdAt: text,
        archivedAt: text,
        [text]: text,
      };
      const { result, outputs, service } = await runHarmlessly(
        {
          idOf: () => id,
          fields,
          // The first read fails, and the wait ends with the third. What the second said is reported.
          intercept: ({ request, response, earlier }) => {
            if (request.method === 'POST' || earlier === 1) return false;
            return earlier === 0
              ? reply(response, 500, text)
              : reply(response, 401, { error: text });
          },
        },
        prompting(text),
      );
      expect(outputs).toMatchObject({
        outcome: 'error',
        jobId: id,
        status: text.toWellFormed(),
        model: text.toWellFormed(),
        prLink: '',
      });
      expect(decodeURIComponent(service.requests.at(-1)?.path ?? '').split('/job/')[1]).toBe(id);
      const records = result.commands
        .filter(({ name }) => name === 'notice')
        .map(({ properties, data }) =>
          recordIn({ title: properties['title'] ?? '', message: data }),
        );
      expect(records).toContainEqual(expect.objectContaining({ what: { kind: 'job', id } }));
    },
  );

  // One that holds a control character, and one that is too long.
  const notIds = ['a command after every kind of line break', 'a lot of one letter'];
  test.each(texts.filter(({ name }) => notIds.includes(name)))(
    'an id that contains $name cannot be used, and the error says that an agent job may exist',
    async ({ text }) => {
      const { result, outputs, service } = await runHarmlessly(
        { fields: { id: text } },
        { inputs: { prompt: 'x' } },
      );
      expect(service.transcript).toEqual(['POST job']);
      expect(outputs).toMatchObject({ outcome: 'error', jobId: '' });
      expect(annotations(result).at(-1)).toContain('the service may have accepted the request');
    },
  );

  test('is harmless in file names and commit messages', async () => {
    await using github = await GitHubService.start({
      commits: [
        ...line(1),
        ...texts.map(({ text }, index) => ({
          sha: `h${index}`,
          parents: [index === 0 ? 'c1' : `h${index - 1}`],
          message: text,
          files: [{ filename: text, previous_filename: text, status: text, patch: text }],
        })),
      ],
    });
    const { service } = await runHarmlessly(
      {},
      {
        inputs: { prompt: 'x', changes: 'diff', wait: 'false' },
        ...onPush(github.url, 'c1', `h${texts.length - 1}`),
      },
    );
    const prompt: string = JSON.parse(service.requests[0]?.body ?? '{}').prompt;
    expect(prompt).toContain(`commits (${texts.length} of ${texts.length})`);
    const fence = /lines that read (changes-[0-9a-f]{24}) /.exec(prompt)?.[1] ?? '';
    expect(prompt.split(fence)).toHaveLength(4);
    expect(prompt.endsWith(`\n${fence}\n`)).toBe(true);
  });
});

describe('hundreds of kilobytes of one letter', () => {
  const count = dose(300_000, 1_000_000);
  const letters = 'a'.repeat(count);

  test('are harmless in a field of an agent job', async () => {
    const service = { fields: { new: letters } };
    const { outputs } = await runHarmlessly(service, { inputs: { prompt: 'x' } });
    expect(outputs['outcome']).toBe('pull-request');
    expect(outputs['job']).toContain(letters);
  });

  test('are harmless in an error, the prompt, a file name and a commit message', async () => {
    const file = { filename: letters, patch: letters };
    await using github = await GitHubService.start({
      commits: [...line(1), { sha: 'c2', parents: ['c1'], message: letters, files: [file] }],
    });
    const { outputs, service } = await runHarmlessly(
      { intercept: ({ response }) => reply(response, 400, { error: letters }) },
      {
        inputs: { promptFile: 'prompt.md', changes: 'diff' },
        files: { 'prompt.md': letters },
        ...onPush(github.url, 'c1', 'c2'),
      },
    );
    expect(outputs['outcome']).toBe('error');
    expect(service.requests[0]?.body.length).toBeLessThan(count + 300_000);
  });
});
