/** A response takes time linear in its size, whatever it holds. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseJob } from '../../../src/agent/job.ts';
import { beginningWithoutSecrets } from '../../../src/agent/json.ts';
import { readResult, writeResult } from '../../../src/agent/results.ts';
import { redact, Secret } from '../../../src/lib/secrets.ts';
import { quote } from '../../../src/lib/text.ts';
import { answer } from '../../support/fakes.ts';

const secrets = ['mint_0123456789', 'aaaaaaaa'].map((text) => new Secret(text));
const show = (text: string) =>
  quote(beginningWithoutSecrets(text, (shown) => redact(shown, secrets)));

/** Everything that is done with a response. */
function handle(body: string): void {
  writeResult(answer(201, body), undefined, 0, show);
  readResult(answer(400, body), 'job_1', 0, show);
  redact(body, secrets);
}

/** The lesser of two times, because others use this machine too. */
function timeOf(body: string): number {
  const times = [1, 2].map(() => {
    const startedAt = performance.now();
    handle(body);
    return performance.now() - startedAt;
  });
  return Math.min(...times);
}

const JOB = '"id":"job_1","status":"active"';
const SIZE = 2 ** 20;

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
  handle(body(SIZE / 4));
  // With quadratic time it would be sixteen times as long.
  expect(timeOf(body(SIZE)) / timeOf(body(SIZE / 4))).toBeLessThan(10);
});

test('random JSON of 1 MiB takes about four times as long as a quarter of it', {
  timeout: 120_000,
}, () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue(), { minKeys: 1 }), (value) => {
      const member = JSON.stringify(value).slice(1, -1);
      const body = (size: number) =>
        `{${JOB},${`${member},`.repeat(Math.ceil(size / (member.length + 1)))}"x":0}`;
      expect(timeOf(body(SIZE)) / timeOf(body(SIZE / 4))).toBeLessThan(10);
    }),
    { numRuns: 8 },
  );
});

test('60,000 members named prLink are replaced, and all else stays as it is written', () => {
  const body = `{${JOB},${'"prLink":"ftp://x","n":1.0,'.repeat(60_000)}"x":12345678901234567890}`;
  expect(parseJob(body)).toMatchObject({
    kind: 'job',
    job: { json: body.replaceAll('"ftp://x"', 'null') },
  });
});
