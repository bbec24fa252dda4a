/** Opens the action's client of a fake GitHub. */
import { test as base } from 'vitest';
import { readFacts } from '../../../src/github/event.ts';
import { openGitHub } from '../../../src/github/github.ts';
import { createFetch } from '../../../src/http.ts';
import { TestClock } from '../../support/clock.ts';
import { FakeGitHub } from '../../support/github.ts';
import { RecordingRunner } from '../../support/runner.ts';

const fetch = createFetch({});

export function open(server: FakeGitHub) {
  const { env, payload } = server.dispatch();
  const facts = readFacts(env, payload);
  const clock = new TestClock();
  const runner = new RecordingRunner();
  const { signal } = new AbortController();
  const limits = { clock, signal, deadline: 30 * 60_000 };
  const github = openGitHub({ ...limits, facts, token: 'reader', fetch, runner });
  return { clock, runner, github };
}

/** A test that gets a server whose `main` has one commit, and the action's client of it. */
export const test = base
  // biome-ignore lint/correctness/noEmptyPattern: Vitest reads here what a fixture needs.
  .extend('server', async ({}, { onCleanup }) => {
    const server = await FakeGitHub.start();
    onCleanup(() => server[Symbol.asyncDispose]());
    server.push('main', { files: { 'a.ts': '1\n' } });
    return server;
  })
  .extend('client', ({ server }) => open(server));
