/** The action's readers of a fake GitHub. */
import { test as base } from 'vitest';
import { readFacts } from '../../../src/github/event.ts';
import { openGitHub } from '../../../src/github/github.ts';
import { createFetch } from '../../../src/http.ts';
import { TestClock } from '../../support/clock.ts';
import { effectsOf } from '../../support/effects.ts';
import { FakeGitHub } from '../../support/github.ts';
import { RecordingRunner } from '../../support/runner.ts';

const fetch = createFetch();

/** A test that gets a server whose `main` has one commit, and the action's readers of it. */
export const test = base
  // biome-ignore lint/correctness/noEmptyPattern: Vitest reads here what a fixture needs.
  .extend('server', async ({}, { onCleanup }) => {
    const server = await FakeGitHub.start();
    onCleanup(() => server[Symbol.asyncDispose]());
    server.push('main', { files: { 'a.ts': '1\n' } });
    return server;
  })
  .extend('clock', () => new TestClock())
  .extend('runner', () => new RecordingRunner())
  .extend('github', ({ server, clock, runner }) => {
    const { env, payload } = server.dispatch();
    const effects = effectsOf({ clock, runner, fetch, deadline: 30 * 60_000 });
    return openGitHub({ ...effects, facts: readFacts(env, payload), token: 'reader' });
  });
