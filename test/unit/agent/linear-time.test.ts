/** A response takes time linear in its size, whatever it holds. All of it runs weekly. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { resultOf } from '../../../src/agent/results.ts';
import { redact, secretOf } from '../../../src/text/secrets.ts';
import { dose, doseOf, IS_WEEKLY } from '../../support/dose.ts';
import { answer } from '../../support/fakes.ts';

const CREATE = { kind: 'create' } as const;
const READ = { kind: 'read', jobId: 'job_1' } as const;
const secrets = ['mint_0123456789', 'aaaaaaaa'].map(secretOf);
const clean = (text: string) => redact(text, secrets);

/** The processor time of everything that is done with a body. Other processes hardly change it. */
function timeOf(body: string): number {
  const before = process.cpuUsage();
  resultOf(answer(201, body), CREATE, 0, clean);
  resultOf(answer(400, body), READ, 0, clean);
  redact(body, secrets);
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

const MAX_GROWTH = 10;
/** One tick of the processor clock, in µs. On Windows it is long; quadratic time is many of them. */
const TICK_US = process.platform === 'win32' ? 16_000 : 1;

/**
 * How many times as long a body of `size` takes as one of a quarter of that. The garbage collector
 * adds to some, so the least of several times counts: linear time gives about 4, quadratic time 16.
 */
function growthOf(bodyOf: (size: number) => string, size: number): number {
  const [small, large] = [bodyOf(size / 4), bodyOf(size)];
  let [smallTime, largeTime] = [timeOf(small), timeOf(large)];
  const growth = () => largeTime / Math.max(smallTime, TICK_US);
  for (let tries = 0; tries < 5 && growth() > (2 / 3) * MAX_GROWTH; tries += 1) {
    smallTime = Math.min(smallTime, timeOf(small));
    largeTime = Math.min(largeTime, timeOf(large));
  }
  return growth();
}

const JOB = '"id":"job_1","status":"active"';
const MIB = 2 ** 20;

const SHAPES = [
  { what: 'members named prLink', unit: '"prLink":null,', before: `{${JOB},`, after: '"x":0}' },
  { what: 'ids that are not usable', unit: '"id":"..",', before: '{', after: `${JOB}}` },
  { what: 'empty strings', unit: '"",', before: `{${JOB},"x":[`, after: '0]}' },
  { what: 'escaped quotes in a string that never ends', unit: '\\"', before: '{"x":"', after: '' },
  { what: 'escaped quotes', unit: '\\"', before: `{${JOB},"x":"`, after: '"}' },
  { what: 'escaped backslashes', unit: '\\\\', before: `{${JOB},"x":"`, after: '"}' },
  { what: 'open brackets', unit: '[', before: `{${JOB},"x":`, after: '' },
  { what: 'quotes', unit: '"', before: '{', after: '' },
  { what: 'white space', unit: ' \n', before: `{${JOB}`, after: '}' },
  { what: 'secrets that overlap', unit: 'a', before: `{"error":"`, after: '"}' },
  { what: 'numbers', unit: '12345678901234567890,', before: `{${JOB},"x":[`, after: '0]}' },
  { what: 'pieces of a secret', unit: 'mint_', before: `{${JOB},"x":"`, after: '"}' },
  { what: 'escapes with many zeros', unit: '0', before: '{"error":"a&#', after: '97;"}' },
  { what: 'text that is no JSON', unit: '<p>\\u006dint', before: '', after: '' },
];

test.each(doseOf(SHAPES))('four times as many $what take about four times as long', (shape) => {
  const { unit, before, after } = shape;
  const bodyOf = (size: number) => `${before}${unit.repeat(size / unit.length)}${after}`;
  expect(growthOf(bodyOf, dose(MIB / 8, MIB / 2))).toBeLessThan(MAX_GROWTH);
});

test.runIf(IS_WEEKLY)('four times as much random JSON takes about four times as long', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue(), { minKeys: 1 }), (value) => {
      const member = `${JSON.stringify(value).slice(1, -1)},`;
      const bodyOf = (size: number) =>
        `{${JOB},${member.repeat(Math.ceil(size / member.length))}"x":0}`;
      expect(growthOf(bodyOf, MIB)).toBeLessThan(MAX_GROWTH);
    }),
    { numRuns: 20 },
  );
});
