import { beforeAll, expect, test, vi } from 'vitest';
import { findChanges } from '../../../src/changes/find.ts';
import { clock } from '../../../src/effects/clock.ts';
import type { GitHub } from '../../../src/effects/effects.ts';
import { RecordingRunner } from '../../support/fakes.ts';
import { type GitHubOptions, GitHubService, line } from '../../support/github-service.ts';

const many = 120;
const options: { current: GitHubOptions } = { current: { commits: [] } };
let github: GitHubService;
let open: (deadline?: number, signal?: AbortSignal) => GitHub;

beforeAll(async () => {
  github = await GitHubService.start({
    commits: line(many),
    tags: [
      ...Array.from({ length: 150 }, (_, n) => ({ name: `t${n}`, sha: `x${n}` })),
      { name: 'v1', sha: 'c2' },
    ],
    releases: [
      { tag_name: 'v2', published_at: '2026-02-01T00:00:00Z' },
      { tag_name: 'draft', published_at: null, draft: true },
      { tag_name: 'v1', published_at: null },
    ],
    runs: [{ id: 1, run_number: 1, head_sha: 'c1', conclusion: 'success', head_repository: null }],
    fail: (path) => options.current.fail?.(path),
  });
  // The toolkit reads these once, when it is loaded.
  vi.stubEnv('GITHUB_API_URL', github.url);
  vi.stubEnv('GITHUB_REPOSITORY', 'acme/app');
  vi.stubEnv('GITHUB_EVENT_NAME', 'push');
  vi.stubEnv('GITHUB_SHA', 'c3');
  vi.stubEnv('GITHUB_REF', 'refs/tags/v2');
  vi.stubEnv('GITHUB_RUN_ID', '1');
  const { openGitHub } = await import('../../../src/effects/github.ts');
  open = (deadline = Number.POSITIVE_INFINITY, signal = new AbortController().signal) =>
    openGitHub({ token: 't', clock, runner: new RecordingRunner(), deadline, signal });
  return async () => {
    vi.unstubAllEnvs();
    await github[Symbol.asyncDispose]();
  };
});

test('the event is the one the runner hands over', () => {
  expect(open().event).toMatchObject({
    name: 'push',
    sha: 'c3',
    ref: 'refs/tags/v2',
    runId: 1,
    repository: 'acme/app',
  });
});

test('lists are read to their end', async () => {
  const repository = open();
  expect(await repository.tags()).toHaveLength(151);
  expect(await Array.fromAsync(repository.history(`c${many}`))).toHaveLength(many);
  expect(await repository.releases()).toEqual([
    { tag: 'v2', publishedAt: '2026-02-01T00:00:00Z' },
    { tag: 'v1', publishedAt: '' },
  ]);
});

test('a comparison has subjects, not whole messages', async () => {
  const { commits, files, status } = await open().compare('c1', 'c2');
  expect(status).toBe('ahead');
  expect(commits).toEqual([{ sha: 'c2', subject: 'Subject 2' }]);
  expect(files[0]).toMatchObject({ path: 'src/2.ts', previousPath: undefined, additions: 1 });
});

test('runs', async () => {
  const run = {
    id: 1,
    workflowId: 7,
    runNumber: 1,
    headSha: 'c1',
    headBranch: 'main',
    headRepository: undefined,
  };
  expect(await open().run(1)).toEqual(run);
  expect(await open().successfulRuns(7, 'main')).toEqual([run]);
});

test.each([
  [404, {}, 'missing'],
  [401, {}, 'forbidden'],
  [403, {}, 'forbidden'],
  [403, { 'x-ratelimit-remaining': '0' }, 'rate-limited'],
  [403, { 'retry-after': '60' }, 'rate-limited'],
  [429, {}, 'rate-limited'],
  [422, {}, 'failed'],
])('HTTP %s %j is %s', async (status, headers, kind) => {
  options.current = { commits: [], fail: () => ({ status, headers }) };
  await expect(open().compare('c1', 'c2')).rejects.toMatchObject({
    name: 'GitHubError',
    kind,
  });
  options.current = { commits: [] };
});

test('a cancel ends it with its reason', async () => {
  const reason = new Error('cancelled');
  await expect(open(undefined, AbortSignal.abort(reason)).compare('c1', 'c2')).rejects.toBe(reason);
});

test('a new tag is compared with the nearest tag that leads to it', async () => {
  const changes = await findChanges(open(), { since: 'auto', paths: [] });
  expect(changes).toMatchObject({ kind: 'known', base: 'v1', head: 'c3' });
});
