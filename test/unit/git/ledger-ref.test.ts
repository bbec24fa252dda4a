/** The ledger's ref, on a real server. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { changedFiles } from '../../../src/git/diff.ts';
import { ledgerTip, mayPush, pushRef, readRef } from '../../../src/git/ledger-ref.ts';
import type { GitFault } from '../../support/git-handler.ts';
import { FakeGitHub } from '../../support/github.ts';
import { createStep, failureOf, GIT, open, withRepository } from './setup.ts';

const EMPTY_TREE = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';

const server = await FakeGitHub.start('o/r');
const { origin } = server;
const step = createStep();
const repo = await open(step, server);
/** A new one for each test. */
let ref: string;
let count = 0;

beforeEach(() => {
  count += 1;
  ref = `refs/docs-agent/docs/docs/step/heads/branch-${count}`;
  server.git.fault = undefined;
});

afterAll(async () => {
  step[Symbol.dispose]();
  await server[Symbol.asyncDispose]();
});

const tipOf = () => origin.git('for-each-ref', '--format=%(objectname)', ref);

/** Responds with the fault to requests that push, `times` at most. */
function failPushes(fault: GitFault, times = 100): void {
  let left = times;
  server.git.fault = ({ service, isAdvertisement }) =>
    service === 'git-receive-pack' && !isAdvertisement && left-- > 0 ? fault : undefined;
}

const ABSENT = { tip: undefined, message: undefined, branchTip: undefined };
const REJECTED = { kind: 'rejected', said: expect.stringMatching(/\w/) };

/** The error for the person when the server refuses a push for good. */
const refusalOf = () => failureOf(() => pushRef(repo, ref, undefined, 'First\n'));

test('is absent, then holds what was pushed, each commit on top of the one before', async () => {
  expect(await readRef(repo, ref)).toEqual(ABSENT);
  const first = await pushRef(repo, ref, undefined, 'First\n\n{"v":1}\n');
  const tip = tipOf();
  expect(first).toEqual({ kind: 'pushed', tip });
  expect(await readRef(repo, ref)).toEqual({ ...ABSENT, tip, message: 'First\n\n{"v":1}' });
  const second = await pushRef(repo, ref, tip, 'Second\n\n{"v":"ü"}\n');
  expect(second).toEqual({ kind: 'pushed', tip: tipOf() });
  expect(await readRef(repo, ref)).toMatchObject({ message: 'Second\n\n{"v":"ü"}' });
  expect(origin.git('fsck', '--strict', '--no-dangling', ref)).toBe('');
  const rows = origin.git('log', '--format=%T|%an <%ae>|%cn|%s', ref).split('\n');
  const bot = 'github-actions[bot]';
  const email = `41898282+${bot}@users.noreply.github.com`;
  expect(rows).toEqual(
    ['Second', 'First'].map((subject) => `${EMPTY_TREE}|${bot} <${email}>|${bot}|${subject}`),
  );
});

test('that cannot be read is never taken for an absent one', async () => {
  const commit = origin.commit({ files: { a: '{"v":1}' } });
  for (const id of [origin.annotate('v1', commit), origin.git('rev-parse', `${commit}:a`)]) {
    origin.setRef(ref, id);
    expect((await readRef(repo, ref)).message).not.toContain('{');
  }
  server.git.fault = () => ({ status: 404, body: `fatal: couldn't find remote ref ${ref}` });
  expect((await failureOf(() => readRef(repo, ref))).topic).toBe('repository-denied');
});

describe('one fetch', () => {
  const from = origin.commit({ files: { a: 'a\n' } });
  const to = origin.commit({ files: { a: 'A\n' }, parents: [from] });
  const along = { branch: 'main', commits: [from, to] };

  beforeEach(() => {
    origin.setRef('refs/heads/main', to);
    origin.setRef(ref, origin.commit({ message: 'First' }));
  });

  /** How many requests it takes. */
  async function countRequests(use: () => Promise<unknown>): Promise<number> {
    const before = server.git.requests.length;
    await use();
    return server.git.requests.length - before;
  }

  test('brings the ledger, the tip of the branch, and the commits, these only once', async () => {
    await withRepository(server, async (fresh) => {
      const gone = origin.commit({ files: { b: 'b\n' } });
      const read = () => readRef(fresh, ref, { ...along, commits: [from, to, gone] });
      expect(await countRequests(read)).toBe(3);
      expect(await countRequests(() => changedFiles(fresh, from, to))).toBe(0);
      const branchTip = origin.commit({ parents: [to] });
      origin.setRef('refs/heads/main', branchTip);
      origin.forget(gone);
      expect(await countRequests(read)).toBe(3);
      expect(await read()).toEqual({ tip: tipOf(), message: 'First', branchTip });
    });
  });

  test('leaves out what the server does not have', async () => {
    const gone = '1234567890'.repeat(4);
    await withRepository(server, async (fresh) => {
      const commits = [from, gone, to];
      const found = { tip: tipOf(), message: 'First', branchTip: to };
      expect(await readRef(fresh, ref, { ...along, commits })).toEqual(found);
      const rest = { ...found, branchTip: undefined };
      expect(await readRef(fresh, ref, { ...along, branch: 'gone' })).toEqual(rest);
      origin.setRef(ref, null);
      expect(await readRef(fresh, ref, along)).toEqual({ ...ABSENT, branchTip: to });
      expect(await countRequests(() => changedFiles(fresh, from, to))).toBe(0);
      const error = await failureOf(() => changedFiles(fresh, from, gone));
      expect(error.topic).toBe('commit-gone');
    });
  });

  // Git takes these for a repository without refs.
  test.for(['', 'no line break'])('that gets the page "%s" loses no branch', async (body) => {
    await withRepository(server, async (fresh) => {
      const reads: readonly (readonly [number, () => Promise<string | undefined>])[] = [
        // The first one says that the ledger is missing.
        [2, async () => (await readRef(fresh, ref, along)).branchTip],
        [1, () => fresh.tip('main')],
      ];
      for (const [pages, read] of reads) {
        let left = pages;
        server.git.fault = () => (left-- > 0 ? { status: 200, body } : undefined);
        expect(await read()).toBe(to);
      }
    });
  });

  test('sees in two requests whether the ledger has moved', async () => {
    await withRepository(server, async (fresh) => {
      await readRef(fresh, ref);
      const first = tipOf();
      expect(await countRequests(() => ledgerTip(fresh, ref))).toBe(2);
      expect(await ledgerTip(fresh, ref)).toBe(first);
      origin.setRef(ref, origin.commit({ message: 'Second', parents: [first] }));
      expect(await ledgerTip(fresh, ref)).toBe(tipOf());
      expect(await readRef(fresh, ref)).toMatchObject({ tip: tipOf(), message: 'Second' });
      origin.setRef(ref, null);
      expect(await countRequests(() => ledgerTip(fresh, ref))).toBe(2);
      expect(await ledgerTip(fresh, ref)).toBeUndefined();
    });
  });
});

describe('a push is rejected, and can be decided again,', () => {
  /** Two commits, both of which the step has read. */
  async function readTwice(): Promise<readonly [string, string]> {
    const first = origin.commit({ message: 'First' });
    const second = origin.commit({ message: 'Second', parents: [first] });
    for (const tip of [first, second]) {
      origin.setRef(ref, tip);
      expect(await readRef(repo, ref)).toMatchObject({ tip });
    }
    return [first, second];
  }

  test('if somebody else has pushed, set the ref back, or deleted it', async () => {
    const [first, second] = await readTwice();
    expect(await pushRef(repo, ref, first, 'Late\n')).toEqual(REJECTED);
    expect(await pushRef(repo, ref, undefined, 'New\n')).toEqual(REJECTED);
    expect(tipOf()).toBe(second);
    origin.setRef(ref, first);
    expect(await pushRef(repo, ref, second, 'Third\n')).toEqual(REJECTED);
    origin.setRef(ref, null);
    expect(await pushRef(repo, ref, second, 'Third\n')).toEqual(REJECTED);
    expect(tipOf()).toBe('');
  });

  test('if somebody else pushes in the same moment', async () => {
    const [, second] = await readTwice();
    const other = origin.commit({ parents: [second] });
    server.git.fault = ({ service, isAdvertisement }) => {
      if (service === 'git-receive-pack' && !isAdvertisement) origin.setRef(ref, other);
      return undefined;
    };
    expect(await pushRef(repo, ref, second, 'Third\n')).toEqual(REJECTED);
    expect(tipOf()).toBe(other);
  });

  test('while another process holds the lock of the ref', async () => {
    const [, second] = await readTwice();
    const lock = join(origin.path, `${ref}.lock`);
    writeFileSync(lock, '');
    expect(await pushRef(repo, ref, second, 'Third\n')).toEqual(REJECTED);
    rmSync(lock);
    expect(await pushRef(repo, ref, second, 'Third\n')).toEqual({ kind: 'pushed', tip: tipOf() });
  });

  test.for<GitFault>([{ status: 503 }, 'cut'])('while the server fails (%o)', async (fault) => {
    failPushes(fault);
    expect(await pushRef(repo, ref, undefined, 'First\n')).toEqual(REJECTED);
  });

  test.for([
    ['GitHub has an incident', 'Internal Server Error'],
    ['another process holds the lock, as git 2.55 says it', 'reference already exists'],
    ['another process holds the lock, as JGit 7 says it', 'failed to lock'],
  ])('while %s', async ([, reason]) => {
    using other = createStep();
    const row = `!\\tx:y\\t[remote rejected] (${reason})\\n`;
    other.replaceGit(`[ "$1" = push ] || exec ${GIT} "$@"\nprintf '${row}'\nexit 1`);
    expect(await pushRef(await open(other, server), ref, undefined, 'x')).toEqual(REJECTED);
  });
});

test.for([1, 2])('a push counts if only the response is lost (%i times)', async (times) => {
  failPushes('cut-after', times);
  expect(await pushRef(repo, ref, undefined, 'First\n')).toEqual({ kind: 'pushed', tip: tipOf() });
  expect(await readRef(repo, ref)).toMatchObject({ tip: tipOf(), message: 'First' });
});

test('of four writers at once none fails, while another process holds the lock at first', async () => {
  const lock = join(origin.path, `${ref}.lock`);
  mkdirSync(dirname(lock), { recursive: true });
  writeFileSync(lock, '');
  const names = ['a', 'b', 'c', 'd'];
  let refused = 0;
  const write = (name: string) =>
    withRepository(server, async (writer) => {
      // As often as a run tries.
      for (let tries = 1; tries <= 20; tries += 1) {
        const { tip } = await readRef(writer, ref);
        const { kind } = await pushRef(writer, ref, tip, `${name}\n`);
        if (kind === 'pushed') return;
        refused += 1;
        if (refused === names.length) rmSync(lock);
      }
    });
  await Promise.all(names.map(write));
  expect(refused).toBeGreaterThanOrEqual(names.length);
  expect(origin.git('log', '--format=%s', ref).split('\n').sort()).toEqual(names);
});

describe('a token that may only read', () => {
  const failAdvertisements = (body: string) => {
    server.git.fault = ({ service }) =>
      service === 'git-receive-pack' ? { status: 403, body } : undefined;
  };

  test.for([
    ['GitHub', 'Write access to repository not granted.'],
    // Of a token without the scope.
    ['Gitea', 'Forbidden\n'],
  ] as const)('is recognized by the words of %s', async ([, body]) => {
    failAdvertisements(body);
    expect(await pushRef(repo, ref, undefined, 'x')).toMatchObject({ kind: 'denied' });
  });

  test('is recognized by the words of the hook of Gitea', async () => {
    const said = 'Gitea: User permission denied for writing.';
    origin.setHook('pre-receive', `echo "${said}" >&2\nexit 1`);
    const pushed = await pushRef(repo, ref, undefined, 'x');
    origin.setHook('pre-receive', null);
    expect(pushed).toEqual({ kind: 'denied', said });
  });

  test('is not taken for another 403', async () => {
    const said = 'This repository was archived so it is read-only.';
    failAdvertisements(said);
    expect((await refusalOf()).message).toContain(`\`${said}\``);
    expect((await failureOf(() => mayPush(repo, ref))).message).toContain(said);
  });
});
