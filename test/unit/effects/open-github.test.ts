import { afterEach, expect, test, vi } from 'vitest';
import { openGitHub } from '../../../src/effects/open-github.ts';
import { FakeClock, RecordingRunner } from '../../support/fakes.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

const open = () =>
  openGitHub({
    token: 't',
    clock: new FakeClock(),
    runner: new RecordingRunner(),
    deadline: 1_000,
    signal: new AbortController().signal,
  });

test.each([
  {
    what: 'an address that is not a URL',
    env: { GITHUB_API_URL: '::' },
    message: '`GITHUB_API_URL` is not a URL',
  },
  {
    what: 'an address that is not a web address',
    env: { GITHUB_API_URL: 'ftp://github.test' },
    message: '`GITHUB_API_URL` is not a URL',
  },
  {
    what: 'a proxy that makes no tunnels',
    env: { GITHUB_API_URL: 'https://github.test', https_proxy: 'socks5://127.0.0.1:1' },
    message:
      "GitHub's API cannot be reached: the proxy of the runner is a socks5 proxy. Set `https_proxy` to an `http://` or `https://` proxy, or add the host to `no_proxy`",
  },
])('GitHub is not opened for $what', async ({ env, message }) => {
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
  await expect(open()).rejects.toMatchObject({ name: 'GitHubError', kind: 'failed', message });
});

test('GitHub is opened for the repository of the workflow run', async () => {
  vi.stubEnv('GITHUB_REPOSITORY', 'acme/app');
  expect((await open()).event.repository).toBe('acme/app');
});
