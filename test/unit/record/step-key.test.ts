import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { type KeyedStep, parseWorkflowJob, stepKey } from '../../../src/record/step-key.ts';

describe('the input workflowJob', () => {
  test.each([
    ['123 null', 123, ''],
    ['123', 123, ''],
    ['123 {\n  "os": "a b"\n}', 123, '{\n  "os": "a b"\n}'],
    ['null', undefined, ''],
    [' {"n":[1, 2]}', undefined, '{"n":[1, 2]}'],
    ['', undefined, ''],
    ['0 null', undefined, ''],
    ['9007199254740993', undefined, ''],
    ['12x null', undefined, '12x null'],
  ])('of %j has the id %s and the matrix %j', (text, id, matrix) => {
    expect(parseWorkflowJob(text)).toEqual({ id, matrix });
  });
});

describe('the key of a step', () => {
  const FACTS = { workflowJobKey: 'docs', step: 's' };
  const keyOf = (more: Partial<KeyedStep & typeof FACTS> = {}) => {
    const { kind = 'create', workflowJob = '22 null', pullNumber, ...facts } = more;
    return stepKey({ kind, workflowJob, pullNumber }, { ...FACTS, ...facts });
  };

  // A re-run may use a newer release, and has to find the records of an older one.
  test('is the beginning of a SHA-256 over its parts as JSON', () => {
    const whole = createHash('sha256').update('["create","docs","","s"]').digest('hex');
    expect(keyOf()).toBe(whole.slice(0, 16));
    const ofPull = createHash('sha256').update('["create","docs","","s",41]').digest('hex');
    expect(keyOf({ pullNumber: 41 })).toBe(ofPull.slice(0, 16));
  });

  test.each<Partial<KeyedStep & typeof FACTS>>([
    { kind: 'message' },
    { workflowJob: '22 {"a":1}' },
    { workflowJobKey: 'docs_2' },
    { step: '__acme_docs_2' },
    { pullNumber: 41 },
  ])('differs with %o', (more) => {
    expect(keyOf(more)).not.toBe(keyOf());
  });

  test('is the same in every run and attempt', () => {
    expect(keyOf({ workflowJob: '23 null' })).toBe(keyOf());
  });
});
