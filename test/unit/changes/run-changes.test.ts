/** What a run asks about its changes, in the order in which the ledger asks. */
import { expect } from 'vitest';
import { openRunChanges } from '../../../src/changes/run-changes.ts';
import { subjectOf } from '../../../src/changes/starts.ts';
import type { Repository } from '../../../src/git/repository.ts';
import { readFacts } from '../../../src/github/event.ts';
import type { GitHub } from '../../../src/github/github.ts';
import type { Inputs } from '../../../src/inputs.ts';
import type { RunStart } from '../../support/github.ts';
import { RecordingRunner } from '../../support/runner.ts';
import { test } from './finding.ts';

const INPUTS = { changes: 'files', paths: [], skip: [], since: '' } as unknown as Inputs;

interface Room {
  readonly github: GitHub;
  readonly repo: Repository;
}

function open({ github, repo }: Room, { env, payload }: RunStart, inputs: Partial<Inputs> = {}) {
  const facts = readFacts(env, payload);
  const subject = subjectOf(facts);
  if (subject.kind === 'nothing') throw new Error(subject.reason);
  const runner = new RecordingRunner();
  const given = { github, repo, facts, subject, runner, instruction: 'Update.' };
  return { runner, changes: openRunChanges({ ...given, inputs: { ...INPUTS, ...inputs } }) };
}

const add = (message: string) => ({ message, files: { [`${message}.ts`]: '1\n' } });

test('says once what changed, and what GitHub could not compare', async ({ room }) => {
  room.server.fault = ({ line }) => (line.includes('/compare/') ? { status: 422 } : undefined);
  const { changes, runner } = open(room, room.server.push('main', add('one')));
  const { start } = await changes.target();
  for (const _ of [1, 2]) {
    expect(await changes.nothingFrom(start)).toBeUndefined();
    const composed = await changes.compose(start, undefined);
    expect(composed.changes).toMatchObject({ files: 1 });
  }
  expect(runner.log).toEqual([expect.stringContaining('Changes from')]);
  const warning = expect.stringContaining('Comparing two commits');
  expect(runner.annotations.map(({ message }) => message)).toEqual([warning]);
});

test('with `changes: none`, the prompt is the instruction alone', async ({ room }) => {
  const inputs = { changes: 'none', paths: ['*.ts'] } as const;
  const { changes } = open(room, room.server.push('main', add('one')), inputs);
  const { start } = await changes.target();
  expect(await changes.nothingFrom(start)).toBeUndefined();
  const alone = { prompt: 'Update.', codePullRequests: [] };
  expect(await changes.compose(start, undefined)).toMatchObject(alone);
});

test('the summary also has changes that are skipped', async ({ room }) => {
  const { changes } = open(room, room.server.push('main', add('one')), { paths: ['x/**'] });
  const { start } = await changes.target();
  expect(await changes.overview(start)).toBeUndefined();
  expect(await changes.nothingFrom(start)).toBe('no-matching-files');
  expect(await changes.overview(start)).toMatchObject({ files: 1, selectedFiles: 0 });
});

test('a tag is recorded with its name and commit', async ({ room }) => {
  const { server } = room;
  const first = server.tag('v1');
  const [sha, { changes }] = [server.tip(), open(room, first)];
  expect(await changes.target()).toMatchObject({ to: `v1@${sha}`, isCurrent: true });
  server.push('main', add('one'));
  server.tag('v1');
  expect(await open(room, first).changes.target()).toMatchObject({ isCurrent: false });
});
