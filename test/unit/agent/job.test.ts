import { describe, expect, test } from 'vitest';
import { parseError, parseJob, stateOf } from '../../../src/agent/job.ts';

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

test('a whole job', () => {
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

describe('no field but id and status is needed', () => {
  test.each([
    {},
    { source: null, model: null, prLink: null, createdAt: null, archivedAt: null },
    { source: 'x', model: 1, prLink: {}, createdAt: [], archivedAt: true },
    { source: { repository: 1, ref: null } },
    { cost: 3, extra: { deep: [1] } },
  ])('%j', (fields) => {
    const result = parsed({ id: 'job_1', status: 'active', ...fields });
    expect(result).toMatchObject({
      kind: 'job',
      job: { id: 'job_1', sourceRepository: '', sourceRef: '', model: '', prLink: '' },
    });
  });

  test('fields not known today are kept in the JSON', () => {
    const result = parsed({ ...whole, cost: 3 });
    expect(result.kind === 'job' && JSON.parse(result.job.json)).toEqual({ ...whole, cost: 3 });
  });
});

test.each([
  ['not JSON', '<html>', 'the answer is not JSON', undefined],
  ['empty', '', 'the answer is not JSON', undefined],
  ['null', 'null', 'the answer is not a job (not an object)', undefined],
  ['a list', '[]', 'the answer is not a job (not an object)', undefined],
  ['nothing in it', '{}', 'the answer is not a job (no usable id, status)', undefined],
  ['no id', '{"status":"active"}', 'the answer is not a job (no usable id)', undefined],
  [
    'an id that is a number',
    '{"id":1,"status":"active"}',
    'the answer is not a job (no usable id)',
    undefined,
  ],
  [
    'an id for no path',
    '{"id":"..","status":"active"}',
    'the answer is not a job (no usable id)',
    undefined,
  ],
  ['no status', '{"id":"job_1"}', 'the answer is not a job (no usable status)', 'job_1'],
  [
    'an empty status',
    '{"id":"job_1","status":""}',
    'the answer is not a job (no usable status)',
    'job_1',
  ],
])('%s is not a job', (_name, body, why, id) => {
  expect(parseJob(body)).toEqual({ kind: 'not-a-job', why, ...(id && { id }) });
});

test('another job than the one that was asked about is not a job', () => {
  expect(parseJob(JSON.stringify(whole), 'job_2')).toEqual({
    kind: 'not-a-job',
    why: 'the answer is not job `job_2`',
  });
});

test.each([
  ['active', null, 'active'],
  ['completed', null, 'no-changes'],
  ['completed', 'https://github.com/a/b/pull/1', 'pull-request'],
  ['completed', 'javascript:x', 'no-changes'],
  ['archived', null, 'archived'],
  ['failed', null, 'failed'],
  ['Completed', null, 'unknown'],
])('status %s with link %s is %s', (status, prLink, state) => {
  const result = parsed({ id: 'job_1', status, prLink });
  expect(result.kind === 'job' && stateOf(result.job)).toBe(state);
});

test.each([
  ['{"error":"Job not found"}', 'Job not found'],
  ['{"message":"x"}', '{"message":"x"}'],
  [' <h1>Bad gateway</h1>\n', '<h1>Bad gateway</h1>'],
  ['', ''],
])('the error in %j is %j', (body, said) => {
  expect(parseError(body)).toBe(said);
});
