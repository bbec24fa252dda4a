import { describe, expect, test } from 'vitest';
import { type AfterOptions, startAfter } from '../../../src/history/start-after.ts';
import type { Judged } from '../../../src/model/agent-job.ts';
import type { PendingJob, Recorded, StepRecord } from '../../../src/model/record.ts';
import { commit, judgeOf, recordOf, TODO, UNKNOWN } from '../../support/records.ts';

const NOW_MS = Date.UTC(2026, 0, 1);
/** A Unix time so many seconds ago. */
const ago = (seconds: number) => NOW_MS / 1_000 - seconds;
/** What run #8 left that has the changes from commit `a` to `b`. */
const RANGE = { from: commit('a'), to: commit('b') };
const NO_START = { range: { ...RANGE, from: undefined } };
const ADDED = { number: 12, head: commit('9'), at: ago(3_600) };

interface World {
  readonly states?: Readonly<Record<string, string | Judged>>;
  readonly query?: Partial<AfterOptions>;
}

/** All commits are in one line, in the order of their names. `0` is not known. */
const commonCommit = async (a: string, b: string) =>
  [a, b].includes(commit('0')) ? undefined : a < b ? a : b;

/** Where the changes start after a run whose record says this. */
async function startOf(
  what: Recorded | string,
  part: Partial<StepRecord> = {},
  { states = {}, query }: World = {},
) {
  const { asked, judge } = judgeOf(states);
  const record = { ...recordOf(what, part), range: part.range ?? RANGE };
  const rest = { isMessage: false, attemptsRecord: undefined, commonCommit };
  const found = await startAfter({ runNumber: 8, record }, { judge, ...rest, ...query });
  return { asked, found };
}

interface Start {
  readonly earlier?: readonly { readonly overlaps: boolean }[];
  readonly pending?: readonly PendingJob[];
  readonly warnings?: readonly string[];
}

const from = (digit: string, { earlier = [], pending = [], warnings = [] }: Start = {}) => {
  // What is in doubt is warned of.
  const isSentBefore = warnings.length > 0 || earlier.some(({ overlaps }) => overlaps);
  return { start: { kind: 'from', sha: commit(digit), earlier, isSentBefore, pending }, warnings };
};

const work = (jobId: string, state: string, overlaps: boolean) => {
  return { jobId, state, overlaps, prLink: 'https://github.com/o/r/pull/1' };
};
const pendingJob = (id: string, digit: string, added?: PendingJob['added']): PendingJob => {
  return { id, from: commit(digit), added };
};

describe('the changes start', () => {
  const running = { earlier: [work('j1', 'running', false)], pending: [pendingJob('j1', 'a')] };
  test.each<{ state: string | undefined; expected: object }>([
    { state: undefined, expected: from('b') },
    { state: 'a status of tomorrow', expected: from('b', running) },
    { state: 'uncertain', expected: from('b', { pending: [pendingJob('j1', 'a')] }) },
  ])('by an agent job that is $state', async ({ state, expected }) => {
    const states: World['states'] = state === undefined ? {} : { j1: state };
    expect((await startOf('j1', {}, { states })).found).toEqual(expected);
  });

  test('again at the first agent job that failed, and those before it are carried over', async () => {
    const pending = [
      pendingJob('j1', '1'),
      pendingJob('j2', '2', ADDED),
      pendingJob('j3', '3'),
      pendingJob('j4', '4'),
      pendingJob('j5', '5'),
      pendingJob('j6', '5', ADDED),
    ];
    const running = { j1: 'active', j2: 'uncertain', j3: 'completed', j5: 'active' };
    const states = { ...running, j4: 'missed', j6: 'uncertain', j7: 'failed' };
    const { found } = await startOf(
      'j7',
      { range: { ...RANGE, from: commit('6') }, pending },
      { states },
    );
    expect(found).toEqual(
      from('4', {
        earlier: [
          work('j1', 'running', false),
          work('j4', 'missed', true),
          work('j5', 'running', true),
          work('j6', 'covered', true),
          work('j7', 'failed', true),
        ],
        pending: pending.slice(0, 2),
      }),
    );
  });

  test('also with an agent job that is at work on the same changes as the one that failed', async () => {
    const pending = [pendingJob('j1', '1'), pendingJob('j2', '1')];
    const { found } = await startOf('j3', { pending }, { states: { j1: 'active', j2: 'failed' } });
    expect(found).toEqual(
      from('1', { earlier: [work('j1', 'running', true), work('j2', 'failed', true)] }),
    );
  });

  test('whatever became of an agent job that had no changes', async () => {
    const same = { range: { from: commit('b'), to: commit('b') } };
    const { found } = await startOf('j1', same, { states: { j1: 'active' } });
    expect(found).toMatchObject({ start: { sha: commit('b'), pending: [] } });
    const noStart = await startOf('j1', NO_START, { states: { j1: 'failed' } });
    expect(noStart.found).toEqual(from('b'));
    expect(noStart.asked).toEqual([]);
  });

  test.each<{ promise: string; what: Recorded; part?: Partial<StepRecord>; start: string }>([
    { promise: 'nothing to start from', what: TODO, part: NO_START, start: 'b' },
  ])('by a run that had $promise', async ({ what, part, start }) => {
    expect((await startOf(what, part)).found).toEqual(from(start));
  });

  test('before a run that could not send, at an agent job that failed', async () => {
    const pending = [pendingJob('j1', '1')];
    const { found } = await startOf(TODO, { pending }, { states: { j1: 'failed' } });
    expect(found).toEqual(from('1', { earlier: [work('j1', 'failed', true)] }));
  });

  test('where an earlier attempt of this run started, with what was sent from there on', async () => {
    const pending = [pendingJob('j1', '1'), pendingJob('j2', '3')];
    const states = { j1: 'active', j2: 'active' };
    const own = { ...recordOf(TODO), range: { ...RANGE, from: commit('2') } };
    const start = (query: Partial<AfterOptions>) => startOf('j3', { pending }, { states, query });
    expect((await start({ attemptsRecord: own })).found).toEqual(
      from('2', {
        earlier: [work('j1', 'running', false), work('j2', 'running', true)],
        pending: pending.slice(0, 1),
      }),
    );
    // Where earlier runs let it start before, and where GitHub no longer knows that of the attempt.
    const lost = { states: { j1: 'failed' }, query: { attemptsRecord: own } };
    expect((await startOf('j3', { pending }, lost)).found.start).toMatchObject({
      sha: commit('1'),
    });
    const gone = { ...own, range: { ...RANGE, from: commit('0') } };
    expect((await start({ attemptsRecord: gone })).found.start).toMatchObject({
      ...{ sha: commit('b'), isSentBefore: false },
    });
    const sent = { ...own, what: UNKNOWN };
    const { found } = await startOf('j3', {}, { query: { attemptsRecord: sent } });
    expect(found.start).toMatchObject({ isSentBefore: true });
  });

  test('again, with a warning, where a call is in doubt', async () => {
    const noResponse = 'the service gave no usable response. Its changes are sent again.';
    const warnings = [`The prompt of run #8 may have been sent: ${noResponse}`];
    expect((await startOf(UNKNOWN)).found).toEqual(from('a', { warnings }));
    // Without a start it had no changes.
    expect((await startOf(UNKNOWN, NO_START)).found).toEqual(from('b'));
  });
});

describe('what became of an agent job is asked for', () => {
  const completed = { j0: 'completed', j1: 'completed' };

  test('with the time of the message by a step that sends messages to a typed one', async () => {
    const world = { states: completed, query: { isMessage: true } };
    const { asked } = await startOf('j1', { at: ago(60) }, world);
    expect(asked).toMatchObject([{ id: 'j1', messagedAt: ago(60) }]);
    const created = await startOf('j1', { at: ago(60) }, { states: completed });
    expect(created.asked[0]?.messagedAt).toBeUndefined();
  });

  test('and each counts as covered in a dry run without a key, which says so once', async () => {
    const unread = { kind: 'not-read' } as const;
    const states = { j0: unread, j1: unread };
    const warnings = [
      'Without `adminApiKey` the agent jobs of earlier runs cannot be read. Each of them counts as completed.',
    ];
    const { found } = await startOf('j1', { pending: [pendingJob('j0', '1')] }, { states });
    const { start } = from('b');
    expect(found).toEqual({ start, warnings });
  });

  test('and the step stops when the service cannot say it', async () => {
    const states = { j1: { kind: 'error', error: 'HTTP 500.', isTemporary: true } } as const;
    await expect(startOf('j1', {}, { states })).rejects.toThrow(
      /^agent job `j1` of an earlier run could not be read: HTTP 500$/,
    );
  });
});
