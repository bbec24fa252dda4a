/** Failures of GitHub's GraphQL API, which it reports with HTTP 200. */
import { describe, expect, test } from 'vitest';
import type { Failure } from '../../support/github-service.ts';
import { playChanges } from '../../support/play.ts';

/** GitHub's words for a query that took too long. */
const TIMEOUT = {
  errors: [{ message: 'Something went wrong while executing your query. This may be a timeout.' }],
};
const FAILURES = [
  ['no data', { data: null, ...TIMEOUT }],
  ['no repository', { data: { repository: null }, ...TIMEOUT }],
  ['errors alone', TIMEOUT],
  ['an empty object', {}],
] as const;

const PULL = {
  number: 7,
  title: 'Add c2',
  body: 'So that it is fast.',
  commits: ['c2'.repeat(20)],
};

/** A push whose patch GitHub leaves out, so both sides of the file are read. */
const push = (fail: (path: string) => Failure | undefined) => {
  const [before, sha] = ['c1', 'c2'].map((name) => name.repeat(20)) as [string, string];
  const file = { filename: 'src/a.ts', status: 'added', additions: 0, deletions: 0 };
  const commits = [
    { sha: before, parents: [] },
    { sha, parents: [before], files: [file] },
  ];
  const github = {
    commits,
    blobs: { [sha]: 'export const limit = 1;\n' },
    codePulls: [PULL],
    fail,
  };
  const inputs = { changes: 'diff' };
  return playChanges({ eventName: 'push', sha, event: { before }, inputs, github });
};

/** The queries of one kind fail: the first asks for pull requests, and later ones for files. */
const failing = (body: object, times: number, kind: 'pulls' | 'files') => {
  let [queries, failed] = [0, 0];
  return (path: string): Failure | undefined => {
    if (path !== '/graphql') return undefined;
    queries += 1;
    if ((kind === 'files' && queries === 1) || failed === times) return undefined;
    failed += 1;
    return { status: 200, body };
  };
};

describe.each(FAILURES)('a response of the GraphQL API with %s', (_, body) => {
  test('is asked for again where files are read', async () => {
    const { prompt } = await push(failing(body, 2, 'files'));
    expect(prompt).toContain('+export const limit = 1;');
  });

  test('stops the step, with nothing sent, if it never passes', async () => {
    const { prompt, outputs, said } = await push(failing(body, Number.POSITIVE_INFINITY, 'files'));
    expect(prompt).toBeUndefined();
    expect(outputs['outcome']).toBe('error');
    expect(said.join('\n')).toContain('Reading files failed');
  });

  test('is asked for again where pull requests are read', async () => {
    const { prompt, warnings } = await push(failing(body, 2, 'pulls'));
    expect(prompt).toContain('So that it is fast.');
    expect(warnings).toEqual([]);
  });
});
