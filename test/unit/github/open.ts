/** Opens the action's client of a fake GitHub. */
import { readFacts } from '../../../src/github/event.ts';
import { openGitHub } from '../../../src/github/github.ts';
import { createFetch, type Fetch } from '../../../src/http.ts';
import { TestClock } from '../../support/clock.ts';
import { FakeGitHub } from '../../support/github.ts';
import { RecordingRunner } from '../../support/runner.ts';

const fetch = createFetch({});

/** Ends the first request soon, which hangs. */
function hastyFetch(): Fetch {
  let timeoutMs = 200;
  return async (url, init) => {
    const limits = { timeoutMs };
    timeoutMs = 30_000;
    return fetch(url, { ...init, ...limits });
  };
}

export function open(
  server: FakeGitHub,
  {
    token = 'reader',
    deadline = 30 * 60_000,
    signal = new AbortController().signal,
    isHasty = false,
  } = {},
) {
  const { env, payload } = server.dispatch();
  const facts = readFacts(env, payload);
  const clock = new TestClock();
  const runner = new RecordingRunner();
  const access = { facts, token, clock, signal, deadline, runner };
  return {
    clock,
    runner,
    github: openGitHub({ ...access, fetch: isHasty ? hastyFetch() : fetch }),
  };
}

/** A server whose `main` has one commit. */
export async function startGitHub(): Promise<FakeGitHub> {
  const server = await FakeGitHub.start();
  server.push('main', { files: { 'a.ts': '1\n' } });
  return server;
}
