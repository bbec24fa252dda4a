/** A response takes time linear in its size, whatever it holds. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseJob } from '../../../src/agent/job.ts';
import { beginningWithoutSecrets } from '../../../src/agent/json.ts';
import { resultOf } from '../../../src/agent/results.ts';
import { quote } from '../../../src/lib/escape.ts';
import { redact, Secret } from '../../../src/lib/secrets.ts';
import { dose, IS_WEEKLY } from '../../support/dose.ts';
import { answer } from '../../support/fakes.ts';

const secrets = ['mint_0123456789', 'aaaaaaaa'].map((text) => new Secret(text));
const show = (text: string) =>
  quote(beginningWithoutSecrets(text, (shown) => redact(shown, secrets)));

/** Everything that is done with a response. */
function handle(body: string): void {
  resultOf(answer(201, body), undefined, 0, show);
  resultOf(answer(400, body), 'job_1', 0, show);
  redact(body, secrets);
}

/** The processor time that a body takes, in ms. Other processes do not change it much. */
function timeOf(body: string): number {
  const before = process.cpuUsage();
  handle(body);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

/**
 * How many times as long a body of `size` takes as one of a quarter of that. The garbage collector
 * adds to some, so the least of several times counts: linear time gives about 4, quadratic time 16.
 */
function growthOf(bodyOf: (size: number) => string, size: number): number {
  const [small, large] = [bodyOf(size / 4), bodyOf(size)];
  let [smallMs, largeMs] = [timeOf(small), timeOf(large)];
  for (let tries = 0; tries < 5 && largeMs / smallMs > MAX_GROWTH / 2; tries += 1) {
    smallMs = Math.min(smallMs, timeOf(small));
    largeMs = Math.min(largeMs, timeOf(large));
  }
  return largeMs / smallMs;
}

const MAX_GROWTH = 10;
const JOB = '"id":"job_1","status":"active"';
const MIB = 2 ** 20;

test.each([
  { what: 'members named prLink', unit: '"prLink":null,', before: `{${JOB},`, after: '"x":0}' },
  { what: 'ids that are not usable', unit: '"id":"..",', before: '{', after: `${JOB}}` },
  { what: 'empty strings', unit: '"",', before: `{${JOB},"x":[`, after: '0]}' },
  { what: 'escaped quotes', unit: '\\"', before: `{${JOB},"x":"`, after: '"}' },
  { what: 'escaped quotes in a string that never ends', unit: '\\"', before: '{"x":"', after: '' },
  { what: 'escaped backslashes', unit: '\\\\', before: `{${JOB},"x":"`, after: '"}' },
  { what: 'quotes', unit: '"', before: '{', after: '' },
  { what: 'open brackets', unit: '[', before: `{${JOB},"x":`, after: '' },
  { what: 'white space', unit: ' \n', before: `{${JOB}`, after: '}' },
  { what: 'numbers', unit: '12345678901234567890,', before: `{${JOB},"x":[`, after: '0]}' },
  { what: 'pieces of a secret', unit: 'mint_', before: `{${JOB},"x":"`, after: '"}' },
  { what: 'secrets that overlap', unit: 'a', before: `{"error":"`, after: '"}' },
  { what: 'escapes with many zeros', unit: '0', before: '{"error":"a&#', after: '97;"}' },
  { what: 'text that is no JSON', unit: '<p>\\u006dint', before: '', after: '' },
])('four times as many $what take about four times as long', { timeout: 120_000 }, (shape) => {
  const body = (size: number) =>
    `${shape.before}${shape.unit.repeat(Math.floor(size / shape.unit.length))}${shape.after}`;
  expect(growthOf(body, dose(MIB / 8, MIB / 2))).toBeLessThan(MAX_GROWTH);
});

test.runIf(IS_WEEKLY)(
  'random JSON of 1 MiB takes about four times as long as a quarter of it',
  {
    timeout: 120_000,
  },
  () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue(), { minKeys: 1 }), (value) => {
        const member = JSON.stringify(value).slice(1, -1);
        const body = (size: number) =>
          `{${JOB},${`${member},`.repeat(Math.ceil(size / (member.length + 1)))}"x":0}`;
        expect(growthOf(body, MIB)).toBeLessThan(MAX_GROWTH);
      }),
      { numRuns: dose(4, 20) },
    );
  },
);

test('60,000 members named prLink are replaced, and all else stays as it is written', () => {
  const body = `{${JOB},${'"prLink":"ftp://x","n":1.0,'.repeat(60_000)}"x":12345678901234567890}`;
  expect(parseJob(body)).toMatchObject({
    kind: 'job',
    job: { json: body.replaceAll('"ftp://x"', 'null') },
  });
});
