import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { idIn, parseJob } from '../../../src/agent/job.ts';
import { unreadJob } from '../../../src/model/agent-job.ts';
import { dose } from '../../support/dose.ts';

const whole = {
  id: 'job_1',
  status: 'completed',
  source: { repository: 'https://github.com/acme/docs', ref: 'main' },
  model: 'm',
  prLink: 'https://github.com/acme/docs/pull/1',
  createdAt: '2026-01-01T00:00:00Z',
  archivedAt: null,
};

const parsed = (value: unknown) => parseJob(JSON.stringify(value));

test('an agent job with all fields is read', () => {
  expect(parsed(whole)).toEqual({
    kind: 'job',
    job: {
      id: 'job_1',
      status: 'completed',
      sourceRepository: 'https://github.com/acme/docs',
      sourceRef: 'main',
      model: 'm',
      prLink: 'https://github.com/acme/docs/pull/1',
      refusedPrLink: '',
      createdAt: '2026-01-01T00:00:00Z',
      archivedAt: '',
      json: JSON.stringify(whole),
    },
  });
});

describe('an agent job needs only an id and a status', () => {
  test.each([
    {},
    { source: null, model: null, prLink: null, createdAt: null, archivedAt: null },
    { source: 'x', model: 1, prLink: {}, createdAt: [], archivedAt: true },
    { source: { repository: 1, ref: null } },
  ])('and may have the fields %j', (fields) => {
    const job = { ...unreadJob('job_1'), status: 'active', json: expect.any(String) };
    expect(parsed({ id: 'job_1', status: 'active', ...fields })).toEqual({ kind: 'job', job });
  });
});

describe('a response is not an agent job when it is', () => {
  const unusable = (what: string) => `the response is not an agent job (${what})`;
  const noJson = 'the response is not JSON';
  const noId = unusable('no usable id');
  const noStatus = unusable('no usable status');
  test.each<readonly [promise: string, body: string, error: string]>([
    ['not JSON', '<html>', noJson],
    ['empty', '', noJson],
    ['null', 'null', unusable('not an object')],
    ['a list', '[]', unusable('not an object')],
    ['an empty object', '{}', unusable('no usable id, status')],
    ['an object whose id is a number', '{"id":1,"status":"active"}', noId],
    ...['.', '..', '', 'a\\nb', 'x'.repeat(1_001)].map(
      (id) => [`with the id "${id.slice(0, 9)}"`, `{"id":"${id}","status":"s"}`, noId] as const,
    ),
    ['without a status', '{"id":"job_1"}', noStatus],
    ['with an empty status', '{"id":"job_1","status":""}', noStatus],
    ['with a status that is a number', '{"status":7,"id":"job_1"}', noStatus],
    ['followed by other text', '{"id":"job_1","status":"active"} trailing', noJson],
    ['cut', '{"id":"job_1","status":"active"', noJson],
  ])('%s', (_promise, body, error) => {
    expect(parseJob(body)).toEqual({ kind: 'not-a-job', error });
  });

  test('about another agent job than the requested one', () => {
    const error = 'the response is about agent job `job_1`, not `job_2`';
    expect(parseJob(JSON.stringify(whole), 'job_2')).toEqual({ kind: 'not-a-job', error });
  });

  test('random text, and nothing is thrown', () => {
    const pieces = fc.constantFrom(...'{}:,["\\\n1', '"id"', '"job_1"');
    const likely = fc.array(pieces).map((parts) => `{${parts.join('')}`);
    const texts = fc.oneof(fc.string(), likely);
    fc.assert(
      fc.property(texts, (text) => {
        expect(['job', 'not-a-job']).toContain(parseJob(text).kind);
      }),
      { numRuns: dose(100, 20_000) },
    );
  });
});

test.each(['a/b', "it's %2F", 'ü 😀', '-', 'x'.repeat(1_000)])('an id may be %s', (id) => {
  expect(parsed({ id, status: 'active' })).toMatchObject({ kind: 'job', job: { id } });
});

test('half of a character of two units in an id is replaced, because no URL can hold it', () => {
  const job = { id: 'job_\ufffd' };
  expect(parsed({ id: 'job_\ud83d', status: 'active' })).toMatchObject({ job });
});

describe('the JSON that is set as an output', () => {
  test('keeps unknown fields, and numbers that JavaScript would round', () => {
    const body = '{"id":"job_1","status":"active","cost":12345678901234567890,"x":{"rate":1.10}}';
    expect(parseJob(body)).toMatchObject({ kind: 'job', job: { json: body } });
  });

  test.each(['javascript:x', 'https://u@h/1', 'https://:p@h/1', 'https://u:p@h/1'])(
    'contains no link like %s',
    (prLink) => {
      const json = JSON.stringify({ ...whole, prLink: null });
      const job = { prLink: '', refusedPrLink: prLink, json };
      expect(parsed({ ...whole, prLink })).toMatchObject({ kind: 'job', job });
    },
  );

  test('contains none of several links that must not be used', () => {
    const body = '{"prLink":"javascript:1","id":"j","status":"s","prLink":"javascript:2"}';
    const json = '{"prLink":null,"id":"j","status":"s"}';
    expect(parseJob(body)).toMatchObject({ job: { json } });
  });

  // As deep as a response of 1 MiB can be.
  test('can be written however deeply the response is nested', () => {
    const levels = dose(20_000, 500_000);
    const body = `{"id":"j","status":"s","prLink":"x:y","a":${'['.repeat(levels)}${']'.repeat(levels)}}`;
    expect(parseJob(body)).toMatchObject({
      kind: 'job',
      job: { prLink: '', refusedPrLink: 'x:y' },
    });
  });
});

test.each<readonly [promise: string, body: string, id: string | undefined]>([
  ['of an object without a status', '{"id":"job_1"}', 'job_1'],
  ['beside an error', '{"error":"x","id":"req_42"}', 'req_42'],
  ['before other text', '{"id":"job_1","status":"active"} trailing', 'job_1'],
  ['of a body that was cut after it', '{"model":"m","id":"job_1","sta', 'job_1'],
  ['of a body that was cut in the middle of it', '{"model":"m","id":"job_1', undefined],
  ['inside a member', '{"job":{"id":"job_1"},"sta', 'job_1'],
  ['that is the first text', '{"id":7,"id":"job_1"}', 'job_1'],
  ['that changes a path', '{"id":".."}', undefined],
  ['of an empty body', '', undefined],
])('the id %s is found or not: %s', (_, body, id) => {
  expect(idIn(body)).toBe(id);
});
