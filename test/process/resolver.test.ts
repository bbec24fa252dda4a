/** A DNS lookup that hangs in the system's resolver delays neither a cancel nor a timeout. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { Action, CANCEL_LIMIT_MS } from '../support/action.ts';
import { skipWhen } from '../support/system.ts';

const HANG_S = 60;
const SOURCE = `
#define _GNU_SOURCE
#include <dlfcn.h>
#include <netdb.h>
#include <string.h>
#include <unistd.h>
int getaddrinfo(const char *node, const char *service, const struct addrinfo *hints, struct addrinfo **result) {
  int (*real)(const char *, const char *, const struct addrinfo *, struct addrinfo **) = dlsym(RTLD_NEXT, "getaddrinfo");
  if (node != NULL && strstr(node, "hangs.test") != NULL) sleep(${HANG_S});
  return real(node, service, hints, result);
}
`;

const folder = mkdtempSync(join(tmpdir(), 'docs-agent-job-resolver-'));
const library = join(folder, 'hang.so');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

skipWhen(compile());

/** The reason why the library cannot be built here, if there is one. */
function compile(): string | undefined {
  if (process.platform !== 'linux') return 'LD_PRELOAD exists only on Linux';
  const source = join(folder, 'hang.c');
  writeFileSync(source, SOURCE);
  const { status } = spawnSync('cc', ['-shared', '-fPIC', '-o', library, source, '-ldl']);
  return status === 0 ? undefined : 'there is no C compiler';
}

const start = (timeout: string) =>
  new Action({
    inputs: { prompt: 'x', baseUrl: 'https://hangs.test', timeout },
    env: { LD_PRELOAD: library },
  });

test.concurrent('a timeout ends the step while a DNS lookup hangs', async () => {
  const result = await start('3s').end();
  expect(result.tookMs).toBeLessThan((HANG_S * 1_000) / 2);
  expect(result.outputs['outcome']).toBe('error');
  expect(result.stdout).toContain('no connection within 3 s');
  expect(result.stdout).toContain('No agent job was created');
  expect(result.stderr).toBe('');
});

test.concurrent('a signal ends the step while a DNS lookup hangs', async () => {
  const action = start('10m');
  await action.logged(/Creating an agent job/);
  expect(await action.signal('SIGINT')).toBeLessThan(CANCEL_LIMIT_MS);
  const result = await action.end();
  expect(result.exitCode).not.toBe(0);
  expect(result.outputs).toMatchObject({ outcome: 'cancelled', jobId: '' });
  expect(result.summary).toContain('Cancelled; no agent job was created');
});
