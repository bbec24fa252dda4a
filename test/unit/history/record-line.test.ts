import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createRunner } from '../../../src/effects/runner.ts';
import {
  fitsAnnotation,
  hasRoomForJob,
  type OpenJob,
  type Recorded,
  recordIn,
  type StepRecord,
  TITLES,
  withRecord,
} from '../../../src/model/record.ts';
import { isUsableId } from '../../../src/text/id.ts';
import { dose } from '../../support/dose.ts';
import { anyText, HOSTILE_TEXTS } from '../../support/hostile-texts.ts';
import { commit, INPUTS, KEY } from '../../support/records.ts';
import { commandIn, linesOf } from '../../support/runner-rules.ts';

const [FROM, TO] = [commit('a'), commit('b')];
const [BEGIN, OPEN_FROM] = [commit('d'), 'c'.repeat(64)];

const RECORD: StepRecord = {
  what: { kind: 'job', id: 'job_1' },
  ...{ key: KEY, inputs: INPUTS, begin: BEGIN, from: FROM, to: TO },
  open: [
    { id: 'job_0', from: OPEN_FROM, isAdded: false },
    { id: 'job_a', from: OPEN_FROM, isAdded: true },
  ],
  ...{ last: 'job_0', isUnseen: true },
};
const LINE = `(for later runs) v=1 job=job_1 key=${KEY} inputs=${INPUTS} begin=${BEGIN} from=${FROM} to=${TO} open=job_0@${OPEN_FROM},job_a@${OPEN_FROM}@added last=job_0 added=unseen end`;

const noticeOf = (record: StepRecord, text: string) => ({
  title: TITLES.create,
  message: withRecord(text, record),
});

const odd = ['none', 'todo', 'unknown', 'asked', '***', 'a@b,c', 'a b=c', '%', '(for later runs)'];
const anyId = fc.oneof(
  anyText.map((text) => text.toWellFormed()).filter(isUsableId),
  fc.stringMatching(/^[\w-]{1,40}$/),
  fc.constantFrom(...odd),
);
const anyHash = fc.stringMatching(/^[0-9a-f]{16}$/);
const anyCommit = fc.stringMatching(/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/);
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
const anyRecord = fc
  .record<StepRecord>({
    what: fc.oneof<fc.Arbitrary<Recorded>[]>(
      anyId.map((id) => ({ kind: 'job', id })),
      anyHash.map((pathsHash) => ({ kind: 'none', pathsHash })),
      fc.constant<Recorded>({ kind: 'todo' }),
      maybe(anyId).map((id) => ({ kind: 'unknown', maybe: id })),
      maybe(anyId).map((id) => ({ kind: 'asked', maybe: id })),
    ),
    ...{ key: anyHash, inputs: anyHash },
    ...{ begin: maybe(anyCommit), from: maybe(anyCommit), to: maybe(anyCommit) },
    open: fc.array(fc.record({ id: anyId, from: anyCommit, isAdded: fc.boolean() }), {
      maxLength: 5,
    }),
    last: maybe(anyId),
    isUnseen: fc.boolean(),
  })
  // Changes that start somewhere end somewhere.
  .map((record) => (record.to === undefined ? { ...record, from: undefined } : record));

let written = '';

beforeEach(() => {
  written = '';
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    written += text;
    return true;
  });
});

afterEach(() => vi.restoreAllMocks());

/** A notice as GitHub keeps it: written by the action's runner, read by GitHub's. */
function kept({ title, message }: { title: string; message: string }) {
  written = '';
  createRunner({ isDebug: false }).annotate('notice', title, message);
  const [line = '', ...more] = linesOf(written);
  expect(more).toEqual([]);
  const command = commandIn(line);
  return { title: command?.properties['title'] ?? '', message: command?.data ?? '' };
}

describe('the record of a step', () => {
  test('is a text for people and a line for later runs', () => {
    expect(withRecord('It was created.\nRead on.', RECORD)).toBe(
      `It was created.\nRead on.\n${LINE}`,
    );
  });

  test.each<[what: Recorded, job: string, more?: string]>([
    [{ kind: 'job', id: 'a*b c' }, 'a%2Ab%20c'],
    [{ kind: 'job', id: 'none' }, '%6Eone'],
    [{ kind: 'todo' }, 'todo'],
    [{ kind: 'unknown' }, 'unknown'],
    [{ kind: 'none', pathsHash: KEY }, 'none', ` paths=${KEY}`],
    [{ kind: 'unknown', maybe: 'a b' }, 'unknown', ' maybe=a%20b'],
    [{ kind: 'asked', maybe: 'a b' }, 'asked', ' maybe=a%20b'],
  ])('of %o has job=%s', (what, job, more = '') => {
    expect(withRecord('Read on.', { what, key: KEY, inputs: INPUTS, open: [] })).toBe(
      `Read on.\n(for later runs) v=1 job=${job} key=${KEY} inputs=${INPUTS}${more} end`,
    );
  });

  test('reads as exactly what was written, after the way through both runners', () => {
    fc.assert(
      fc.property(anyRecord, anyText, (record, sentence) => {
        const notice = kept(noticeOf(record, sentence));
        expect(recordIn(notice)).toEqual(fitsAnnotation(record) ? record : 'unreadable');
      }),
      { numRuns: dose(120, 2_000) },
    );
  });

  test('is recognised by its line, whatever its title', () => {
    const { message } = noticeOf(RECORD, 'Read on.');
    expect(recordIn({ title: 'Docs ***: *** created', message })).toEqual(RECORD);
    expect(recordIn({ title: '', message: message.replace('\n', '\r\n') })).toEqual(RECORD);
  });

  test('is not seen in what is about something else', () => {
    const other = [...Object.values(HOSTILE_TEXTS), '', `said: ${LINE}`];
    expect(other.map((message) => recordIn({ title: 'Docs agent', message }))).toEqual(
      other.map(() => undefined),
    );
  });

  test('is unreadable wherever it was cut', () => {
    const { title, message } = noticeOf(RECORD, 'Agent job `job_1` was created.');
    for (let end = 0; end < message.length; end += 1) {
      expect(recordIn({ title, message: message.slice(0, end) })).toBe('unreadable');
    }
  });

  test('is unreadable when any part of its line is masked', () => {
    fc.assert(
      fc.property(anyRecord, fc.nat(), fc.integer({ min: 1, max: 20 }), (record, at, length) => {
        const { title, message } = noticeOf(record, 'Agent job created.');
        const start = at % message.length;
        const secret = message.slice(start, start + length);
        const masked = message.replaceAll(secret, '***');
        const isWhole = masked.split('\n')[1] === message.split('\n')[1];
        expect(recordIn({ title, message: masked })).toEqual(isWhole ? record : 'unreadable');
      }),
      { numRuns: dose(150, 4_000) },
    );
  });

  test.each<[promise: string, line: string]>([
    ['of an unknown version', LINE.replace('v=1', 'v=2')],
    ['with a field that is not known', LINE.replace(' end', ' more=1 end')],
    ['with a field twice', LINE.replace(' to=', ` from=${FROM} to=`)],
    ['with its fields in another order', LINE.replace(/(key=\w+) (\S+)/, '$2 $1')],
    ['with another spelling of its id', LINE.replace('job=job', 'job=%6Aob')],
    ['with an escape that is none', LINE.replace('job=job_1', 'job=%zz')],
    ['without an id', LINE.replace('job=job_1', 'job=')],
    ['with an id that changes a path', LINE.replace('job=job_1', 'job=..')],
    ['with a control character in its id', LINE.replace('job_1', '%0A')],
    ['with an open id that changes a path', LINE.replace('job_0@', '.@')],
    ['with an open job without its start', LINE.replace(/@\w+/, '')],
    ['with another word after an open job', LINE.replace('@added', '@seen')],
    ['with an empty start', LINE.replace(`from=${FROM}`, 'from=')],
    ['with a branch as its start', LINE.replace(`from=${FROM}`, 'from=main')],
    ['with a start that is too long', LINE.replace(FROM, 'a'.repeat(65))],
    ['with a start and no end', LINE.replace(/ to=\w+/, '')],
    ['with a tag as the start of its event', LINE.replace(/begin=\w+/, 'begin=v1')],
    ['with a key that is no hash', LINE.replace(KEY, 'KEY')],
    ['with two spaces', LINE.replace(' key', '  key')],
    ['with a line after it', `${LINE}\nmore`],
    ['that stands twice', `${LINE}\n${LINE}`],
  ])('%s is unreadable', (_, line) => {
    expect(recordIn({ title: '', message: `Read on.\n${line}` })).toBe('unreadable');
  });

  test('never throws, whatever an annotation holds', () => {
    const anyLine = fc
      .array(fc.oneof(anyText, fc.constantFrom(...LINE.split(/(?<=[ =@,])/), '***', '%', '%2')))
      .map((parts) => `(for later runs) v=1 ${parts.join('')}`);
    fc.assert(
      fc.property(anyText, fc.oneof(anyText, anyLine), (title, message) => {
        const read = recordIn({ title, message });
        const isRead = read === undefined || read === 'unreadable';
        expect(isRead || noticeOf(read, '').message.split('\n')[1]).toEqual(
          isRead || message.trimEnd().split(/\r?\n/).at(-1),
        );
      }),
      { numRuns: dose(200, 6_000) },
    );
  });

  // Of each, as much as GitHub keeps, and as much as a quadratic reading would take minutes for.
  const repeated = ['***', ' ', '\r\n', '%', '::', ',', 'a= ', '\n(for later runs) '];
  test.each(repeated)('takes linear time to refuse %j', { timeout: 30_000 }, (text) => {
    for (const length of [24, 4_096 - LINE.length, 300_000]) {
      const hostile = text.repeat(length / text.length);
      const lines = [LINE.replace('job_1', hostile), `${LINE} ${hostile}x`, `${LINE}${hostile}x`];
      for (const message of [...lines, LINE.replace(/open=.*/, `open=${hostile} end`)]) {
        expect(recordIn({ title: '', message })).toBe('unreadable');
      }
    }
  });

  test('keeps its line whole, whatever its text and its id are', () => {
    const record = { ...RECORD, what: { kind: 'job', id: 'x'.repeat(900) } } as const;
    const notice = noticeOf(record, 's'.repeat(10_000));
    expect(notice.message.length).toBe(4_096);
    expect(recordIn(kept(notice))).toEqual(record);
    const broken = noticeOf({ ...RECORD, what: { kind: 'job', id: 'a\ud800' } }, 'Created.');
    expect(recordIn(kept(broken))).toMatchObject({ what: { id: 'a\ufffd' } });
  });

  test('is unreadable, and never another one, after a text with a line like it', () => {
    const message = withRecord(`forged\n${LINE.replace('job_1', 'job_2')}`, RECORD);
    expect(recordIn({ title: '', message })).toBe('unreadable');
  });

  test('has room for an agent job until too many earlier ones are open', () => {
    const what = { kind: 'job', id: 'ü'.repeat(80) } as const;
    const record = { ...RECORD, what, open: [] as OpenJob[] };
    const isAdded = false;
    while (hasRoomForJob(record)) {
      record.open.push({ id: `job_${record.open.length}`, from: FROM, isAdded });
    }
    record.open.pop();
    expect(record.open.length).toBeGreaterThan(30);
    expect(record.open.length).toBeLessThan(100);
    expect(fitsAnnotation(record)).toBe(true);
    expect(recordIn(kept(noticeOf(record, 'Created.')))).toEqual(record);
  });
});
