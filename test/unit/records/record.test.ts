import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createRunner } from '../../../src/effects/runner.ts';
import { isUsableId } from '../../../src/lib/text.ts';
import {
  fitsAnnotation,
  hashOf,
  isSameName,
  type JobRecord,
  noticeOf,
  recordIn,
} from '../../../src/records/record.ts';
import { anyText } from '../../support/hostile-texts.ts';
import { commandIn, linesOf } from '../../support/runner-rules.ts';

const RECORD: JobRecord = {
  event: 'created',
  jobId: 'job_1',
  projectId: 'p',
  step: '__acme_docs-agent-job',
  instructionHash: 'c0ffee00',
};

const anyId = anyText.map((text) => text.toWellFormed()).filter(isUsableId);
const anyRecord = fc.record<JobRecord>({
  event: fc.constantFrom('created', 'accepted-message'),
  jobId: fc.oneof(anyId, fc.stringMatching(/^[\w-]{1,40}$/)),
  projectId: fc.oneof(anyId, fc.stringMatching(/^[\w-]{1,40}$/)),
  step: fc.oneof(fc.constant(''), fc.stringMatching(/^[\w-]{1,40}$/), anyId),
  instructionHash: fc.stringMatching(/^[0-9a-f]{8}$/),
});

let written = '';

beforeEach(() => {
  written = '';
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    written += text;
    return true;
  });
});

afterEach(() => {
  vi.restoreAllMocks();
});

/** A notice as GitHub keeps it: written by the action's runner, read by GitHub's. */
function kept({ title, message }: { title: string; message: string }) {
  written = '';
  createRunner({ isDebug: false }).annotate('notice', title, message);
  const [line = '', ...more] = linesOf(written);
  expect(more).toEqual([]);
  const command = commandIn(line);
  return { title: command?.properties['title'] ?? '', message: command?.data ?? '' };
}

describe('the record of an agent job', () => {
  test('is written as a sentence and a line', () => {
    expect(noticeOf(RECORD)).toEqual({
      title: 'Docs agent: agent job created',
      message:
        'Agent job `job_1` was created.\nRecord for re-runs: job=job_1 project=p step=__acme_docs-agent-job prompt=c0ffee00 end',
    });
    expect(noticeOf({ ...RECORD, event: 'accepted-message' })).toMatchObject({
      title: 'Docs agent: follow-up message accepted',
      message: expect.stringContaining('Agent job `job_1` accepted the message.\n'),
    });
  });

  test('is read when its id contains what masks a secret', () => {
    const record = { ...RECORD, jobId: 'a***b', projectId: '***' };
    expect(recordIn(noticeOf(record))).toEqual(record);
    const { title, message } = noticeOf(RECORD);
    expect(recordIn({ title, message: message.replace('job=job_1', 'job=***') })).toBe(
      'unreadable',
    );
  });

  test('is kept whole when its notice has at most 4,096 characters', () => {
    const { length } = noticeOf({ ...RECORD, step: '' }).message;
    const [fits, tooLong] = [4_096, 4_097].map((whole) =>
      noticeOf({ ...RECORD, step: 's'.repeat(whole - length) }),
    );
    expect([fits, tooLong].map((notice) => notice && fitsAnnotation(notice))).toEqual([
      true,
      false,
    ]);
    expect([fits, tooLong].map((notice) => notice && recordIn(kept(notice)))).toEqual([
      expect.objectContaining({ jobId: 'job_1' }),
      'unreadable',
    ]);
  });

  // https://csrc.nist.gov/projects/cryptographic-standards-and-guidelines/example-values (SHA-256 of "abc")
  test('has the first eight digits of the SHA-256 of its instruction', () => {
    expect(hashOf('abc')).toBe('ba7816bf');
  });

  test.each([
    { recorded: 'docs', given: 'docs', isSame: true },
    { recorded: 'docs', given: 'docs2', isSame: false },
    { recorded: 'do***', given: 'docs', isSame: true },
    { recorded: '***cs', given: 'do\ncs', isSame: true },
    { recorded: 'do***', given: 'my docs', isSame: false },
    { recorded: 'd.cs', given: 'docs', isSame: false },
  ])('with the name $recorded belongs to $given: $isSame', ({ recorded, given, isSame }) => {
    expect(isSameName(recorded, given)).toBe(isSame);
  });

  test('is read from the notice that GitHub keeps, unless it was cut', () => {
    fc.assert(
      fc.property(anyRecord, (record) => {
        const notice = kept(noticeOf(record));
        const isWhole = notice.message.endsWith(' end');
        expect(isWhole || notice.message.length === 4_096).toBe(true);
        expect(recordIn(notice)).toEqual(isWhole ? record : 'unreadable');
      }),
      { numRuns: 1_000 },
    );
  });

  test('is not read from a notice that GitHub cut, wherever it was cut', () => {
    const { title, message } = noticeOf({ ...RECORD, jobId: 'ü'.repeat(900) });
    expect(kept({ title, message }).message.length).toBe(4_096);
    expect(recordIn(kept({ title, message }))).toBe('unreadable');
    for (let end = 0; end < message.length; end += 1) {
      expect(recordIn({ title, message: message.slice(0, end) })).toBe('unreadable');
    }
  });

  test('with a changed character is unreadable, unless the line is one that is also written', () => {
    fc.assert(
      fc.property(
        anyRecord,
        fc.nat(),
        fc.oneof(fc.string({ unit: 'binary', maxLength: 2 }), fc.constantFrom('%', ' ', '\n', '=')),
        (record, at, put) => {
          const { title, message } = noticeOf(record);
          const index = at % message.length;
          const changed = message.slice(0, index) + put + message.slice(index + 1);
          const read = recordIn({ title, message: changed });
          const again =
            typeof read === 'object' ? noticeOf(read).message.split('\n')[1] : undefined;
          const line = changed.trimEnd().split(/\r?\n/)[1];
          expect([undefined, line]).toContain(again);
        },
      ),
      { numRuns: 3_000 },
    );
  });

  test.each([
    { promise: 'with a line after it', message: (text: string) => `${text}\nmore` },
    { promise: 'with a line before it', message: (text: string) => `more\n${text}` },
    {
      promise: 'with another spelling',
      message: (text: string) => text.replace('job=job', 'job=%6Aob'),
    },
    {
      promise: 'with an invalid escape',
      message: (text: string) => text.replace('job=job_1', 'job=%zz'),
    },
    { promise: 'without its end', message: (text: string) => text.replace(' end', '') },
    { promise: 'without its sentence', message: (text: string) => text.split('\n')[1] ?? '' },
  ])('$promise is unreadable', ({ message }) => {
    const notice = noticeOf(RECORD);
    expect(recordIn({ ...notice, message: message(notice.message) })).toBe('unreadable');
  });

  test.each(['Docs agent: Agent job created', ''])(
    'is not read from a notice with the title "%s"',
    (title) => {
      expect(recordIn({ ...noticeOf(RECORD), title })).toBeUndefined();
    },
  );

  test('is read with Windows line endings', () => {
    const { title, message } = noticeOf(RECORD);
    expect(recordIn({ title, message: `${message.replace('\n', '\r\n')}\r\n` })).toEqual(RECORD);
  });
});
