import { describe, expect, test } from 'vitest';
import { GitHubError } from '../../../src/github/errors.ts';
import type { KeptAnnotation, WorkflowJob } from '../../../src/github/github.ts';
import { attemptsOf, type Step } from '../../../src/history/annotations.ts';
import {
  endedAgo,
  FULL,
  fakeTime,
  kept,
  OTHER,
  recordOf,
  stepIn,
  UNREADABLE,
  workflowJob,
} from '../../support/records.ts';

const OTHERS = kept('x', { key: OTHER });
const NOTICE: KeptAnnotation = { level: 'notice', title: 'x', message: 'x' };
const notices = (count: number) => Array.from({ length: count }, () => NOTICE);
const DAY = 24 * 3_600;

interface World {
  /** Those of attempt 2. */
  readonly jobs?: readonly Partial<WorkflowJob>[];
  /** Of each of them. `404`: GitHub does not show any. */
  readonly left: readonly (readonly KeptAnnotation[] | 404)[];
  readonly step?: Partial<Step>;
}

async function read({ jobs = [{}], left, step }: World) {
  const listed = jobs.map((more, index) => workflowJob(5, 2, { id: 520 + index, ...more }));
  const annotations = async (id: number) => {
    const shown = id >= 520 ? left[id - 520] : [];
    if (shown === 404) throw new GitHubError('not-found', 'HTTP 404');
    return shown ?? [];
  };
  const time = fakeTime();
  const [attempt] = attemptsOf({ annotations }, listed, stepIn(5, 3, step), time);
  return { found: await attempt?.read(), waited: time.now() };
}

const own = (...records: readonly object[]) => ({ kind: 'records', records });
const J1 = recordOf('j1');
const NONE = { kind: 'none' };
const HIDDEN = { kind: 'hidden' };

test.each<[promise: string, world: World, found: object]>([
  ['one beside one that cannot be read', { left: [[UNREADABLE, kept('j1')]] }, own(J1)],
  ['49 annotations', { left: [FULL.slice(1)] }, NONE],
  ['50 annotations', { left: [[...FULL.slice(1), OTHERS]] }, HIDDEN],
  ['50 with its record', { left: [[...FULL.slice(1), kept('j1')]] }, own(J1)],
  ['ten notices', { left: [notices(10)] }, NONE],
  ['nine of a composite action', { left: [notices(9)], step: { isComposite: true } }, NONE],
  ['ten of a composite action', { left: [notices(10)], step: { isComposite: true } }, HIDDEN],
  ['one of two workflow jobs of its name', { jobs: [{}, {}], left: [[kept('j1')], []] }, own(J1)],
  [
    'its key in two workflow jobs of its name',
    { jobs: [{}, {}], left: [[kept('j1')], [kept('j1')]] },
    HIDDEN,
  ],
  ['nothing after a failure', { jobs: [{ conclusion: 'failure' }], left: [[]] }, HIDDEN],
  ['nothing after a cancel at work', { jobs: [{ conclusion: 'cancelled' }], left: [[]] }, HIDDEN],
  [
    'nothing after a cancel before any runner had it',
    { jobs: [{ conclusion: 'cancelled', runner_name: undefined }], left: [[]] },
    NONE,
  ],
  ['404 a day later', { jobs: [{ completed_at: endedAgo(DAY) }], left: [404] }, HIDDEN],
  [
    '404 after more than a day',
    { jobs: [{ completed_at: endedAgo(DAY + 1) }], left: [404] },
    { kind: 'forgotten' },
  ],
])('with %s', async (_, world, found) => {
  expect((await read(world)).found).toEqual(found);
});

test.each([
  { seconds: 119, conclusion: 'failure', found: HIDDEN, waited: 15_000 },
  { seconds: 121, conclusion: 'failure', found: HIDDEN, waited: 0 },
  { seconds: 119, conclusion: 'success', found: NONE, waited: 15_000 },
])('$seconds s after a $conclusion no annotation is waited for $waited ms', async (row) => {
  const { seconds, conclusion, found, waited } = row;
  const jobs = [{ conclusion, completed_at: endedAgo(seconds) }];
  expect(await read({ jobs, left: [[]] })).toEqual({ found, waited });
});

describe('a workflow job that GitHub does not list as completed yet', () => {
  const jobs = [{ status: 'in_progress' }];

  test('is waited for like one that has only just completed', async () => {
    let reads = 0;
    const annotations = async () => (++reads > 3 ? [kept('j1')] : []);
    const [attempt] = attemptsOf(
      { annotations },
      [workflowJob(5, 2, jobs[0])],
      stepIn(5, 3),
      fakeTime(),
    );
    expect(await attempt?.read()).toEqual(own(J1));
  });

  test('is hidden while it has no annotations, because it may have failed', async () => {
    expect(await read({ jobs, left: [[]] })).toEqual({ found: HIDDEN, waited: 15_000 });
  });
});

test.each([undefined, 'missed'] as const)(
  'the record that says what became of an addition (%s) comes last, in whatever order GitHub lists them',
  async (certain) => {
    const added = { number: 12, head: '9'.repeat(40), at: 1_750_000_000 };
    const written = [{ added }, { added: certain }];
    const found = own(...written.map((more) => recordOf('j1', more)));
    for (const order of [written, written.toReversed()]) {
      const kepts = order.map((more) => kept('j1', more));
      expect((await read({ left: [kepts] })).found).toEqual(found);
    }
  },
);

test('a workflow job that `if:` skipped is not asked for annotations', async () => {
  const jobs = [workflowJob(5, 1), workflowJob(5, 2, { conclusion: 'skipped' })];
  const requested: number[] = [];
  const annotations = async (id: number) => {
    requested.push(id);
    return [kept('j1')];
  };
  const attempts = attemptsOf({ annotations }, jobs, stepIn(5, 3), fakeTime());
  expect(await Promise.all(attempts.map(({ read }) => read()))).toEqual([own(J1)]);
  expect(requested).toEqual([501]);
});

test('a workflow job that a partial re-run carried over says nothing, whatever its end', async () => {
  const conclusion = 'failure';
  const completed_at = endedAgo(3_600);
  const jobs = [
    workflowJob(5, 1, { id: 510, conclusion, completed_at }),
    workflowJob(5, 2, { id: 520, conclusion, completed_at }),
  ];
  const annotations = async (id: number) => (id === 510 ? [kept('j1')] : []);
  const [second, first] = attemptsOf({ annotations }, jobs, stepIn(5, 3), fakeTime());
  expect(await second?.read()).toEqual(NONE);
  expect(await first?.read()).toEqual(own(J1));
});

test('a 404 does not count where the annotations of this workflow job cannot be read either', async () => {
  const annotations = async () => Promise.reject(new GitHubError('not-found', 'HTTP 404'));
  const jobs = [workflowJob(5, 2, { completed_at: endedAgo(DAY + 1) })];
  const step = stepIn(5, 3, { proveAccess: annotations });
  const [attempt] = attemptsOf({ annotations }, jobs, step, fakeTime());
  await expect(attempt?.read()).rejects.toMatchObject({ kind: 'not-found' });
});
