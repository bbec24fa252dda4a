import { describe, expect } from 'vitest';
import { subjectOf } from '../../../src/changes/starts.ts';
import { readFacts } from '../../../src/github/event.ts';
import type { FakeGitHub } from '../../support/github.ts';
import { test } from './finding.ts';

describe.concurrent('the changes of a branch', () => {
  test('start at the merge base with the default branch if the branch is new', async ({ room }) => {
    const topic = room.commit('topic', room.server.tip());
    room.server.push('main', { message: 'Two' });
    const head = room.commit('merge', topic, room.server.tip());
    room.server.push('main', { message: 'Three' });
    const { start } = await room.range(room.server.pushTo('topic', head));
    expect(start).toBe(room.server.origin.git('merge-base', 'main', head));
  });

  test('have no start for a schedule, a new default branch, and an orphan branch', async ({
    room,
  }) => {
    const orphan = room.server.push('orphan', { message: 'Orphan' });
    const created = room.server.event('push', { payload: { before: '0'.repeat(40) } });
    for (const run of [room.server.schedule(), created, orphan])
      expect((await room.range(run)).start).toBeUndefined();
  });
});

describe.concurrent('the changes of a tag', () => {
  test('start at the tag before it, which need not be an ancestor', async ({ room }) => {
    room.server.tag('v1.0.0');
    const patch = room.commit('patch', room.server.tip());
    room.server.tag('v1.0.1', patch, { isAnnotated: true });
    for (const name of ['v2.0.0', 'lib-v1.0.9']) room.server.tag(name);
    room.server.push('main', { message: 'Two' });
    const head = room.server.tip();
    expect(await room.range(room.server.tag('v1.1.0'))).toEqual({
      ...{ head, headName: 'v1.1.0', isCurrent: true, start: patch, startName: 'v1.0.1' },
      ...{ release: undefined, remarks: [] },
    });
  });

  test.for<[tag: string, here: readonly string[], before: string]>([
    // Tags of the same commit are other names for it.
    ['v3.1.0', ['v3', 'v3.1'], 'v3.0.4'],
    ['v3', ['v3.1.0'], 'v2.9.0'],
    ['v0.1.0', ['v0.1.0-rc.2'], 'v0.1.0-rc.1'],
    // One of another version is not.
    ['v0.1.0-rc.3', ['v0.1.0-rc.2'], 'v0.1.0-rc.2'],
    ['v3.1.1-alpha.0', ['v3.1.0'], 'v3.1.0'],
    ['v310', ['v31'], 'v31'],
  ])('%s, on the commit of %j, start at %s', async ([name, here, before], { room }) => {
    for (const tag of ['v0.1.0-rc.1', 'v2.9.0', 'v3.0.4']) room.server.tag(tag);
    room.server.push('main', { message: 'Two' });
    for (const tag of here) room.server.tag(tag);
    expect((await room.range(room.server.tag(name))).startName).toBe(before);
  });

  test('end at a tag that the server does not list at first', async ({ room }) => {
    room.server.tag('v1.0.0');
    const run = room.server.tag('v1.1.0');
    const { git, origin } = room.server;
    origin.setRef('refs/tags/v1.1.0', null);
    const listed = git.requests.length + 2;
    git.fault = () => {
      if (git.requests.length > listed) origin.setRef('refs/tags/v1.1.0', room.server.tip());
      return undefined;
    };
    expect(await room.range(run)).toMatchObject({ isCurrent: true });
  });

  test('have no start without a tag before it, and the log says why', async ({ room }) => {
    for (const tag of ['v2.0.0', 'v3.0.0']) room.server.tag(tag);
    const compared = { 'v1.0.0': '`v2.0.0, v3.0.0`', 'lib@1.0.0': 'none' };
    for (const [tag, others] of Object.entries(compared)) {
      const text = `No tag comes before \`${tag}\`. Others with the same text before their version: ${others}. To say where the changes start, set \`since\`.`;
      const { start, remarks } = await room.range(room.server.tag(tag));
      expect([start, remarks]).toEqual([undefined, [{ level: 'note', text }]]);
    }
  });

  test('start at the release before it, for a release', async ({ room }) => {
    room.server.release({ tag: 'v1' });
    room.server.release({ tag: 'v1.5', draft: true });
    room.server.release({ tag: 'v1.6', prerelease: true });
    room.server.tag('v1.7');
    room.server.push('main', { message: 'Two' });
    // Its tag was deleted.
    room.server.releases.unshift({ tag: 'v1.8' });
    const next = await room.range(room.server.release({ tag: 'v1.9', prerelease: true }));
    expect(next.startName).toBe('v1.6');
    expect((await room.range(room.server.release({ tag: 'v2' }))).startName).toBe('v1');
    room.server.release({ tag: 'v2.1-beta' });
    expect((await room.range(room.server.release({ tag: 'v3' }))).startName).toBe('v2.1-beta');
  });

  test('come with the notes of its release, also for a run by hand', async ({ room }) => {
    const { server } = room;
    const byHand = (tag: string) => server.event('workflow_dispatch', { ref: `refs/tags/${tag}` });
    server.release({ tag: 'v0' });
    const published = server.release({ tag: 'v1', body: 'Notes', prerelease: true });
    const release = { name: 'v1', body: 'Notes' };
    for (const run of [published, byHand('v1')])
      expect(await room.range(run)).toMatchObject({ release, remarks: [] });
    for (const run of [server.tag('v1'), byHand('v2')])
      expect(await room.range(run)).toMatchObject({ release: undefined, remarks: [] });
    server.fault = () => ({ status: 403, body: { message: 'Blocked' } });
    const text = expect.stringMatching(/^Reading a release .* `Blocked`, so the prompt has no /);
    expect((await room.range(byHand('v1'))).remarks).toContainEqual({ level: 'warning', text });
  });
});

describe.concurrent('the changes of a pull request', () => {
  /** Of two commits. Its base has moved since. */
  function opened(server: FakeGitHub) {
    const base = server.tip();
    const files = (name: string) => ({ message: name, files: { [name]: name } });
    const run = server.open({ branch: 'topic' }, files('one'), files('two'));
    server.push('main', { message: 'Moved' });
    return { base, run };
  }

  test.for(['merge', 'squash', 'rebase'] as const)(
    'stay the same after a %s, also once its base has moved on',
    async (how, { room }) => {
      const { base, run } = opened(room.server);
      room.server.merge(1, how);
      room.server.push('main', { message: 'Later' });
      expect(await room.range(run)).toMatchObject({ head: room.server.tip('topic'), start: base });
    },
  );

  test('stop the step if nothing says what they are compared with', async ({ room }) => {
    const { run } = opened(room.server);
    const pull = room.server.pull(1);
    // Somebody pushed its own commits to its base.
    Object.assign(pull, { state: 'merged', mergeCommit: pull.head });
    await expect(room.range(run)).rejects.toMatchObject({ topic: 'pull-request-start' });
    Object.assign(pull, { state: 'open', base: 'gone' });
    await expect(room.range(run)).rejects.toThrow('its base branch `gone`');
  });
});

describe.concurrent('a typed `since`', () => {
  test('is a branch, a tag, or a commit, and stops the step if it is none', async ({ room }) => {
    const { server } = room;
    const one = server.tip();
    server.push('main', { message: 'Two' });
    const two = server.tip();
    server.pushTo('topic', two);
    server.pushTo('both', two);
    server.tag('both', one, { isAnnotated: true });
    // Branches that look like something else.
    server.pushTo('heads/topic', one);
    server.pushTo('beef', one);
    const found = {
      ...{ topic: two, 'heads/both': two, beef: one, 'heads/topic': two },
      ...{ 'tags/both': one, 'refs/tags/both': one },
      ...{ [one]: one, [two.slice(0, 9).toUpperCase()]: two },
    };
    for (const [name, typed] of Object.entries(found))
      expect(await room.since(name)).toMatchObject({ typed });
    for (const name of ['nothing', 'heads/nothing', 'f'.repeat(40), 'topic~1'])
      await expect(room.since(name)).rejects.toMatchObject({ topic: 'since-unknown' });
    const detail = '`heads/both` or `tags/both`';
    await expect(room.since('both')).rejects.toMatchObject({ topic: 'since-ambiguous', detail });
  });

  test('starts where the head parted from a branch, or at a tag or commit', async ({ room }) => {
    const { server } = room;
    const [start, topic] = [server.tip(), room.commit('topic', server.tip())];
    server.push('main', { message: 'Two' });
    const main = server.tip();
    server.tag('v1');
    const note = `\`main\` has commits that this run does not contain, so the changes start where the two parted, at ${start.slice(0, 7)}.`;
    const found = { typed: main, start: main, remarks: [] };
    const remarks = [{ level: 'note', text: note }];
    expect(await room.since('main', topic)).toEqual({ ...found, start, remarks });
    for (const name of ['v1', main]) {
      const text = `This run does not contain \`${name}\`: what only \`${name}\` has reads as removed.`;
      expect(await room.since(name, topic)).toEqual({
        ...found,
        remarks: [{ level: 'warning', text }],
      });
    }
    for (const name of ['main', 'v1', main]) expect(await room.since(name, main)).toEqual(found);
    server.push('orphan', { message: 'Orphan' });
    await expect(room.since('orphan', main)).rejects.toMatchObject({ topic: 'since-unrelated' });
  });
});

const head = 'c'.repeat(40);

/** What a run of this event is about. */
const subjectFor = (event: string, ref: string, payload: object = {}) =>
  subjectOf(readFacts({ GITHUB_EVENT_NAME: event, GITHUB_REF: ref, GITHUB_SHA: head }, payload));

const MAIN = 'refs/heads/main';
const main = { kind: 'branch', branch: 'main', head };
const pull = { kind: 'pull', number: 7 };
const v1 = { kind: 'tag', tag: 'a/v1', head };
const nothing = (reason: string) => ({ kind: 'nothing', reason });

test.each<[what: string, event: string, ref: string, payload: object, subject: object]>([
  ['the default branch, on an issue', 'issue_comment', MAIN, { issue: { number: 3 } }, main],
  ['a tag that was pushed', 'push', 'refs/tags/a/v1', {}, v1],
  ['one by a comment', 'issue_comment', MAIN, { issue: { number: 7, pull_request: {} } }, pull],
  ['no merge group', 'merge_group', MAIN, { merge_group: {} }, nothing('merge-group')],
  ['no deleted branch', 'push', MAIN, { deleted: true }, nothing('branch-deleted')],
])('a run is about %s', (_, event, ref, payload, subject) => {
  expect(subjectFor(event, ref, payload)).toEqual(subject);
});

test('a run on no branch, tag, or pull request stops with an error that names its event', () => {
  expect(() => subjectFor('deployment', '')).toThrow('its event is `deployment`');
});
