import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createRunner } from '../../../src/effects/runner.ts';
import type { Added, Recorded, StepRecord } from '../../../src/model/record.ts';
import {
  fitsAnnotation,
  hasRoomForJob,
  lineOf,
  RECORD_TITLE,
  recordIn,
} from '../../../src/record/record-line.ts';
import { isUsableId } from '../../../src/text/id.ts';
import { dose } from '../../support/dose.ts';
import { anyText, HOSTILE_TEXTS } from '../../support/hostile-texts.ts';
import { ASKED, commit, KEY, NONE, recordOf, TODO, UNKNOWN } from '../../support/records.ts';
import { commandIn, linesOf } from '../../support/runner-rules.ts';

const [FROM, TO] = [commit('a'), commit('b')];
const OWN = '0123456789abcde0';
const [BEGIN, OPEN_FROM] = [`${commit('d')}^`, 'c'.repeat(64)];

const RECORD: StepRecord = {
  what: { kind: 'job', id: 'job_1' },
  ...{ key: KEY, at: 1_750_000_000, eventStart: BEGIN, range: { from: FROM, to: TO } },
  ownHash: OWN,
  pending: [
    { id: 'job_0', from: OPEN_FROM },
    { id: 'job_a', from: OPEN_FROM, added: { number: 12, head: FROM, at: 1_740_000_000 } },
    { id: 'job_b', from: OPEN_FROM, added: 'missed' },
  ],
  last: { id: 'job_0', at: 1_740_000_001 },
  added: { number: 13, head: TO, at: 1_750_000_000 },
  codePulls: [41, 7],
};
const LINE = `v=1 job=job_1 key=${KEY} at=1750000000 begin=${BEGIN} from=${FROM} to=${TO} own=${OWN} open=job_0@${OPEN_FROM},job_a@${OPEN_FROM}@12:${FROM}@1740000000,job_b@${OPEN_FROM}@missed last=job_0@1740000001 added=13:${TO}@1750000000 pulls=41,7 end`;

const odd = [
  'none',
  'todo',
  'unknown',
  'asked',
  'missed',
  '***',
  'a@b,c',
  'a b=c',
  '%',
  'v=1 job=',
];
const anyId = fc.oneof(
  anyText.map((text) => text.toWellFormed()).filter(isUsableId),
  fc.stringMatching(/^[\w-]{1,40}$/),
  fc.constantFrom(...odd),
);
const anyHash = fc.stringMatching(/^[0-9a-f]{16}$/);
const anyCommit = fc.stringMatching(/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/);
const anyTime = fc.nat({ max: 1e10 });
const anyNumber = fc.integer({ min: 1, max: 1e9 });
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
const anyAdded = fc.oneof(
  fc.constant<Added>('missed'),
  fc.record<Added & object>({ number: anyNumber, head: anyCommit, at: anyTime }),
);
const anyRecord = fc.record<StepRecord>({
  what: fc.oneof(
    anyId.map((id): Recorded => ({ kind: 'job', id })),
    fc.constantFrom(NONE, TODO, UNKNOWN, ASKED),
  ),
  ...{ key: anyHash, at: maybe(anyTime) },
  eventStart: maybe(fc.tuple(anyCommit, fc.constantFrom('', '^')).map((parts) => parts.join(''))),
  range: maybe(fc.record({ from: maybe(anyCommit), to: anyCommit })),
  ownHash: maybe(anyHash),
  pending: fc.array(fc.record({ id: anyId, from: anyCommit, added: maybe(anyAdded) }), {
    maxLength: 5,
  }),
  last: maybe(fc.oneof(fc.constant('none' as const), fc.record({ id: anyId, at: anyTime }))),
  added: maybe(anyAdded),
  codePulls: fc.array(anyNumber, { maxLength: 100 }),
});

let written = '';

beforeEach(() => {
  written = '';
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    written += text;
    return true;
  });
});

afterEach(() => vi.restoreAllMocks());

/** The record's notice as GitHub keeps it: written by the action's runner, read by GitHub's. */
function kept(record: StepRecord) {
  written = '';
  createRunner({ isDebug: false }).annotate('notice', RECORD_TITLE, lineOf(record));
  const [line = '', ...more] = linesOf(written);
  expect(more).toEqual([]);
  const command = commandIn(line);
  return { title: command?.properties['title'] ?? '', message: command?.data ?? '' };
}

describe('the record of a step', () => {
  test('is one line', () => {
    expect(lineOf(RECORD)).toBe(LINE);
  });

  test.each<[what: Recorded, job: string]>([
    [{ kind: 'job', id: 'a*b c' }, 'a%2Ab%20c'],
    [{ kind: 'job', id: 'none' }, '%6Eone'],
    [TODO, 'todo'],
    [{ kind: 'unknown' }, 'unknown'],
  ])('of %o has job=%s, and nothing of what is not known', (what, job) => {
    expect(lineOf(recordOf(what))).toBe(`v=1 job=${job} key=${KEY} end`);
  });

  test('says that there is certainly no agent job to add to', () => {
    expect(lineOf(recordOf(TODO, { last: 'none' }))).toMatch(/ last=none end$/);
    // An agent job may be called that.
    expect(lineOf(recordOf(TODO, { last: { id: 'none', at: 5 } }))).toMatch(/ last=none@5 end$/);
  });

  test('reads as exactly what was written, after the way through both runners', () => {
    fc.assert(
      fc.property(anyRecord, (record) => {
        expect(recordIn(kept(record))).toEqual(fitsAnnotation(record) ? record : 'unreadable');
      }),
      { numRuns: dose(120, 2_000) },
    );
  });

  test('is recognised by its line, whatever its title, and by its title', () => {
    expect(recordIn({ title: 'Docs ***: *** runs', message: LINE })).toEqual(RECORD);
    expect(recordIn({ title: RECORD_TITLE, message: '***' })).toBe('unreadable');
  });

  test('is not seen in what is about something else', () => {
    const other = [...Object.values(HOSTILE_TEXTS), '', `said: ${LINE}`, `\n${LINE}`];
    expect(other.map((message) => recordIn({ title: 'Docs agent', message }))).toEqual(
      other.map(() => undefined),
    );
  });

  test('is unreadable wherever it was cut', () => {
    for (let end = 0; end < LINE.length; end += 1) {
      expect(recordIn({ title: RECORD_TITLE, message: LINE.slice(0, end) })).toBe('unreadable');
    }
  });

  test('is unreadable when any part of its line is masked', () => {
    fc.assert(
      fc.property(anyRecord, fc.nat(), fc.integer({ min: 1, max: 20 }), (record, at, length) => {
        fc.pre(fitsAnnotation(record));
        const line = lineOf(record);
        const start = at % line.length;
        const message = line.replaceAll(line.slice(start, start + length), '***');
        expect(recordIn({ title: RECORD_TITLE, message })).toBe('unreadable');
      }),
      { numRuns: dose(150, 4_000) },
    );
  });

  test('is left whole by the masks of a JSON secret that stands on several lines', () => {
    const anyLeaf = fc.oneof(fc.string(), fc.boolean(), fc.integer(), fc.constant(null));
    const anySecret = fc.dictionary(
      fc.string(),
      fc.oneof(anyLeaf, fc.array(fc.string()), fc.dictionary(fc.string(), anyLeaf)),
    );
    // The runner masks each line of a secret.
    const masksOf = (secret: object) =>
      JSON.stringify(secret, null, 2)
        .split('\n')
        .flatMap((line) => [line, line.trim()]);
    fc.assert(
      fc.property(anyRecord, anySecret, (record, secret) => {
        const line = lineOf(record);
        expect(masksOf(secret).filter((mask) => line.includes(mask))).toEqual([]);
      }),
      { numRuns: dose(200, 4_000) },
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
    ['with another word after an open job', LINE.replace('@missed', '@added')],
    ['with a branch as the start of an open job', LINE.replace(OPEN_FROM, 'main')],
    ['with an empty start', LINE.replace(`from=${FROM}`, 'from=')],
    ['with a branch as its start', LINE.replace(`from=${FROM}`, 'from=main')],
    ['with a start that is too long', LINE.replace(FROM, 'a'.repeat(65))],
    ['with the parent of a commit as its start', LINE.replace(FROM, `${FROM}^`)],
    ['with a start and no end', LINE.replace(/ to=\w+/, '')],
    ['with a hash of another length', LINE.replace(/own=\w/, 'own=')],
    ['with a tag as the start of its event', LINE.replace(/begin=\w+\^/, 'begin=v1')],
    ['with a grandparent as the start of its event', LINE.replace('^', '^^')],
    ['with a key that is no hash', LINE.replace(KEY, 'KEY')],
    ['with a time that is none', LINE.replace('at=1750000000', 'at=now')],
    ['with a time before 1970', LINE.replace('at=17', 'at=-17')],
    ['with a time that is not whole', LINE.replace('at=17', 'at=1.7')],
    ['with another spelling of its time', LINE.replace('at=17', 'at=017')],
    ['with a last agent job without its time', LINE.replace('@1740000001', '')],
    ['with a last agent job that changes a path', LINE.replace('last=job_0', 'last=.')],
    ['with another word for an addition', LINE.replace(/added=\S+/, 'added=seen')],
    ['with a pull request without its commit', LINE.replace(/added=\S+/, 'added=13')],
    ['with a branch as the commit of an addition', LINE.replace(`13:${TO}`, '13:main')],
    ['with an addition without its time', LINE.replace(/(added=13:\w+)@\d+/, '$1')],
    ['with a pull request #0', LINE.replace('added=13', 'added=0')],
    ['with an open addition without its time', LINE.replace('@1740000000', '')],
    ['with a code pull request that is no number', LINE.replace('41,7', '41,x')],
    ['with a code pull request #0', LINE.replace('41,7', '41,0')],
    ['with an empty list', LINE.replace('41,7', '')],
    ['with 101 code pull requests', LINE.replace('41,7', Array(101).fill('7').join())],
    ['with two spaces', LINE.replace(' key', '  key')],
    ['with a text before it', `Read on.\n${LINE}`],
    ['with a line after it', `${LINE}\nmore`],
    ['that stands twice', `${LINE}\n${LINE}`],
  ])('%s is unreadable', (_, message) => {
    expect(message).not.toBe(LINE);
    expect(recordIn({ title: RECORD_TITLE, message })).toBe('unreadable');
  });

  test('never throws, whatever an annotation holds', () => {
    const anyLine = fc
      .array(fc.oneof(anyText, fc.constantFrom(...LINE.split(/(?<=[ =@:,])/), '***', '%', '%2')))
      .map((parts) => `v=1 job=${parts.join('')}`);
    const anyTitle = fc.oneof(anyText, fc.constant(RECORD_TITLE));
    fc.assert(
      fc.property(anyTitle, fc.oneof(anyText, anyLine), (title, message) => {
        const read = recordIn({ title, message });
        const isRead = read !== undefined && read !== 'unreadable';
        expect(isRead ? lineOf(read) : message).toBe(message);
      }),
      { numRuns: dose(200, 6_000) },
    );
  });

  // Of each, as much as GitHub keeps, and as much as a quadratic reading would take minutes for.
  const repeated = ['***', ' ', '\r\n', '%', '::', ',', '@', 'a= ', 'v=1 job='];
  test.each(repeated)('takes linear time to refuse %j', { timeout: 30_000 }, (text) => {
    for (const length of [24, 4_096 - LINE.length, 300_000]) {
      const hostile = text.repeat(length / text.length);
      const lines = [LINE.replace('job_1', hostile), `${LINE} ${hostile}x`, `${LINE}${hostile}x`];
      for (const message of [...lines, LINE.replace(/open=.*/, `open=${hostile} end`)]) {
        expect(recordIn({ title: RECORD_TITLE, message })).toBe('unreadable');
      }
    }
  });

  test('keeps an id that is not well-formed as far as a URL could hold it', () => {
    expect(recordIn(kept(recordOf('a\ud800')))).toMatchObject({ what: { id: 'a\ufffd' } });
  });

  test('has room for an agent job until too many earlier ones are open', () => {
    // What is added with the call is the longest that it can be.
    const what = { kind: 'job', id: 'ü'.repeat(166) } as const;
    const added = { number: 999_999_999, head: 'f'.repeat(64), at: 9_999_999_999 };
    const record = { ...RECORD, what, added, at: added.at, pending: [...RECORD.pending] };
    while (hasRoomForJob(record)) {
      record.pending.push({ id: `job_${record.pending.length}`, from: FROM });
    }
    record.pending.pop();
    expect(record.pending.length).toBeGreaterThan(30);
    expect(record.pending.length).toBeLessThan(100);
    expect(fitsAnnotation(record)).toBe(true);
    expect(recordIn(kept(record))).toEqual(record);
  });
});
