import { describe, expect, test } from 'vitest';
import { idIn, parseJob, standingOf } from '../../../src/agent/job.ts';

const LINK = 'https://github.com/acme/docs/pull/1';

/** The body of a response with these fields besides an id and a status. */
const body = (fields = {}) => JSON.stringify({ id: 'job_1', status: 'active', ...fields });

describe('an agent job', () => {
  test('has the fields that are shown, and the response as it was written', () => {
    const fields = { id: 'job_1', status: 'completed', prLink: LINK };
    const source = { repository: 'https://github.com/acme/docs', ref: 'main' };
    const json = `{ "more": [1e400], ${JSON.stringify({ ...fields, source }).slice(1)}`;
    expect(parseJob(`${json}\n`)).toEqual({ ...fields, ...source, json });
  });

  test.for([{}, { source: null, prLink: null }, { source: 'acme/docs', prLink: {} }])(
    'needs only an id and a status: %j',
    (fields) => {
      const json = body(fields);
      const none = { prLink: '', repository: '', ref: '' };
      expect(parseJob(json)).toEqual({ id: 'job_1', status: 'active', ...none, json });
    },
  );

  test.for([
    '',
    '{"id":"job_1"',
    'null',
    ...[{ id: undefined }, { id: 1 }, { id: '' }, { id: '..' }, { id: 'a\nb' }].map(body),
    ...[{ status: undefined }, { status: '' }].map(body),
  ])('is not read from %s', (text) => {
    expect(parseJob(text)).toBeUndefined();
  });

  test('has no link that is not a plain web address', () => {
    expect(parseJob(body({ prLink: 'javascript:alert(1)' }))).toMatchObject({ prLink: '' });
  });
});

test.for([
  ['active', LINK, 'active'],
  ['paused', LINK, 'active'],
  ['completed', LINK, 'pull-request'],
  ['completed', null, 'no-changes'],
  ['archived', LINK, 'archived'],
  ['failed', null, 'failed'],
] as const)('%s with the link %s stands as %s', ([status, prLink, kind]) => {
  const job = parseJob(body({ status, prLink }));
  expect(job && standingOf(job)).toEqual({ kind, job });
});

test.for([
  ['{"id":"job_1","sta', 'job_1'],
  ['{"status":"active", "id" : "job_1"', 'job_1'],
  ['{"job":{"id":"job_1"}}', 'job_1'],
  ['{"id":"job_', undefined],
  ['{"id":".."}', undefined],
  ['<html>', undefined],
] as const)('the id in %s is %s', ([text, id]) => {
  expect(idIn(text)).toBe(id);
});
