/** Prompts without changes, and `since: event`: what goes out without a ledger. */
import { expect, test } from 'vitest';
import { type Inputs, World } from '../support/action.ts';
import { ACTIVE, FAILING, PR_LINK, QUICK } from '../support/mintlify.ts';

const PROMPT = { prompt: 'Check all links.' };
const CLOSED = 'http://127.0.0.1:1';

test.concurrent.for<[string, Inputs, Inputs]>([
  ['with a token that may write', {}, {}],
  ['with a token that may only read', { githubToken: 'reader' }, {}],
  ['without a token', { githubToken: '' }, {}],
  ['without git', {}, { PATH: '' }],
  ["where GitHub's hosts are closed", {}, { GITHUB_API_URL: CLOSED, GITHUB_SERVER_URL: CLOSED }],
])('a prompt alone needs only Mintlify: %s', async ([, inputs, more]) => {
  await using world = await World.open();
  const { github, mintlify } = world;
  world.inputs = PROMPT;
  const link = github.openDocsPull();
  mintlify.script = [...ACTIVE, { afterReads: 1, status: 'completed', prLink: link }];
  let requestsBefore = -1;
  mintlify.fault = ({ method }) => {
    if (method === 'POST') requestsBefore = github.requests.length;
    return undefined;
  };
  const ended = await world.run(github.schedule(), inputs, { more });
  expect([ended.outcome, ended.warnings, ended.errors]).toEqual(['pull-request', [], '']);
  expect(mintlify.prompts).toEqual(['Check all links.']);
  // After it, only the docs pull request is read, for the summary.
  expect([requestsBefore, github.git.requests]).toEqual([0, []]);
  const isReadable = inputs['githubToken'] !== '' && more['GITHUB_API_URL'] === undefined;
  expect(ended.summary.includes('guide.mdx')).toBe(isReadable);
  expect([...ended.log, ended.summary, ended.notices].join(' ')).not.toMatch(
    /ledger|docs-agent\//i,
  );
  expect(world.ledgers().size).toBe(0);
});

test.concurrent.for<[string, Inputs]>([
  ['since: event', { ...PROMPT, changes: 'files', since: 'event' }],
  ['a message', { ...PROMPT, jobId: 'job_1' }],
])(
  'a re-run of %s warns before it sends again, and says how to follow instead',
  async ([, inputs]) => {
    await using world = await World.open({ script: ACTIVE });
    const { github, mintlify } = world;
    world.inputs = { ...inputs, timeout: '2m' };
    mintlify.addJob();
    const start = world.push('one');
    const first = await world.run(start);
    expect([first.outcome, first.warnings]).toEqual(['timed-out', []]);
    expect(first.errors).toMatch(
      /: Do not re-run: that .*`jobId` set to `job_\d` and without a prompt/,
    );
    mintlify.script = QUICK;
    const before = mintlify.posts.length;
    const again = await world.run(github.rerun(start));
    expect(again.warnings).toEqual([expect.stringMatching(/may be sent twice: .*`jobId`/)]);
    expect(mintlify.posts.length).toBe(before + 1);
    const [, jobId = ''] = /`jobId` set to `(job_\d)`/.exec(first.errors) ?? [];
    const followed = await world.run(github.dispatch(), {
      prompt: '',
      jobId,
      changes: 'none',
      since: '',
    });
    expect([followed.outputs['jobId'], mintlify.posts.length]).toEqual([jobId, before + 1]);
  },
);

test.concurrent('with since: event, each push sends its own changes, with a token that may only read', async () => {
  await using world = await World.open({ script: FAILING });
  world.inputs = { ...world.inputs, since: 'event', githubToken: 'reader' };
  // Without a ledger, git is not needed after the call.
  world.github.git.fault = () => (world.mintlify.posts.length > 0 ? { status: 503 } : undefined);
  const failed = await world.run(world.push('one'));
  expect([failed.outcome, failed.warnings]).toEqual(['failed', []]);
  world.github.git.fault = undefined;
  world.mintlify.script = QUICK;
  await world.run(world.push('two'));
  // README says so: the failed run lost its changes.
  expect(world.sent).toEqual(['one', 'two']);
  const schedule = await world.run(world.github.schedule());
  expect([schedule.outcome, world.mintlify.posts.length]).toEqual(['skipped', 2]);
  world.github.fault = ({ line }) => (line.includes('/compare/') ? { status: 422 } : undefined);
  const unlisted = await world.run(world.push('three'));
  expect(unlisted.warnings).toEqual([expect.stringContaining('lists no commits')]);
  expect(world.ledgers().size).toBe(0);
});

test.concurrent('a link that is known is shown also after a timeout', async () => {
  await using world = await World.open({ script: [{ status: 'active', prLink: PR_LINK }] });
  const ended = await world.run(world.github.dispatch(), {
    ...PROMPT,
    changes: 'none',
    timeout: '2m',
  });
  expect([ended.outcome, ended.outputs['prLink']]).toEqual(['timed-out', PR_LINK]);
  expect([ended.errors, ended.summary].every((text) => text.includes(PR_LINK))).toBe(true);
});
