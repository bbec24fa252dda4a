import { buildSchema, graphqlSync, parse, validate } from 'graphql';
import { describe, expect, test } from 'vitest';
import type { Delivery } from '../../../src/effects/effects.ts';
import type { CommitToAsk } from '../../../src/github/github.ts';
import { createGitHub } from '../../../src/github/rest.ts';
import { FACTS, fakeEffects, response } from '../../support/fakes.ts';

const API = 'https://api.github.example';

/** What is asked for, as https://docs.github.com/graphql/reference/objects has it. */
const SCHEMA = buildSchema(`
  scalar GitObjectID
  scalar DateTime
  type Query { repository(owner: String!, name: String!): Repository }
  type Repository {
    object(oid: GitObjectID): GitObject
    pullRequest(number: Int!): PullRequest
    nameWithOwner: String!
  }
  interface GitObject { oid: GitObjectID! }
  type Blob implements GitObject { oid: GitObjectID! text: String }
  type Commit implements GitObject {
    oid: GitObjectID!
    associatedPullRequests(first: Int): PullRequestConnection
  }
  type PullRequestConnection { nodes: [PullRequest] }
  type PullRequest {
    number: Int! title: String! body: String! merged: Boolean! mergedAt: DateTime
    mergeCommit: Commit author: Actor labels(first: Int): LabelConnection
    baseRepository: Repository
  }
  interface Actor { login: String! }
  type User implements Actor { login: String! }
  type LabelConnection { nodes: [Label] }
  type Label { name: String! }
`);

const ofRepository = (nameWithOwner: string) => ({ baseRepository: { nameWithOwner } });
const PULL = {
  ...{ number: 7, title: 'Add retries', body: 'Why.', merged: true },
  mergedAt: '2026-01-01T00:00:00Z',
  mergeCommit: { __typename: 'Commit', oid: 'c7' },
  author: { __typename: 'User', login: 'octocat' },
  labels: { nodes: [{ name: 'bug' }, null] },
  ...ofRepository('acme/app'),
};
const READ = {
  ...{ number: 7, title: 'Add retries', body: 'Why.', author: 'octocat', labels: ['bug'] },
  ...{ isMerged: true, mergedAt: '2026-01-01T00:00:00Z', mergeCommit: 'c7' },
};

interface World {
  /** What GitHub lists for a commit. */
  readonly commits?: Readonly<Record<string, readonly object[]>>;
  readonly pulls?: Readonly<Record<number, object>>;
  readonly answer?: (data: unknown, aliases: readonly string[]) => Delivery;
}

/** The client of a GitHub that executes the queries it gets. */
function open({ commits = {}, pulls = {}, answer = (data) => response(200, { data }) }: World) {
  /** How many commits each query asked about. */
  const asked: number[] = [];
  const repository = {
    object({ oid }: { oid: string }) {
      const own = commits[oid];
      if (own === undefined) return { __typename: 'Blob', oid };
      const associatedPullRequests = ({ first }: { first: number }) => ({
        nodes: own.slice(0, first),
      });
      return { __typename: 'Commit', oid, associatedPullRequests };
    },
    pullRequest: ({ number }: { number: number }) => pulls[number],
  };
  const effects = fakeEffects(({ url, body = '', method }) => {
    expect([method, url]).toEqual(['POST', `${API}/graphql`]);
    const { query: source, variables: variableValues } = JSON.parse(body);
    const document = parse(source);
    expect(validate(SCHEMA, document)).toEqual([]);
    expect(variableValues).toEqual({ owner: 'acme', name: 'app' });
    const rootValue = { repository: () => repository };
    const { data } = graphqlSync({ schema: SCHEMA, source, variableValues, rootValue });
    const aliases = [...source.matchAll(/\b[cp]\w+(?=: )/g)].map(([alias]) => alias);
    asked.push(aliases.filter((alias) => alias.startsWith('c')).length);
    return answer(data, aliases);
  });
  const limits = { deadline: Number.MAX_SAFE_INTEGER, timeoutMs: 3_600_000 };
  const event = { name: 'push', payload: {}, sha: 'c3', ref: '', repository: 'acme/app' };
  const { pullsBehind } = createGitHub(
    { token: 't', ...effects, ...limits },
    { facts: FACTS, apiUrl: API, graphqlUrl: `${API}/graphql`, event },
  );
  return { pullsBehind, asked };
}

const ask = (sha: string, named?: number): CommitToAsk => ({ sha, named });
const some = (count: number) => Array.from({ length: count }, (_, n) => ask(n.toString(16)));
const whole = (...found: readonly object[]) => ({ found, error: undefined });

describe('the pull requests behind commits', () => {
  test('are those that GitHub lists, and the one that the subject names, in one valid query', async () => {
    const { pullsBehind, asked } = open({ commits: { a1: [PULL], b2: [] }, pulls: { 7: PULL } });
    expect(await pullsBehind([ask('a1'), ask('b2', 7), ask('c3', 7)])).toEqual(
      whole(
        { sha: 'a1', listed: [READ], named: undefined },
        { sha: 'b2', listed: [], named: READ },
        // No commit: GitHub gives an empty object.
        { sha: 'c3', listed: [], named: READ },
      ),
    );
    expect(asked).toEqual([3]);
  });

  test('may lack labels, an author and a merge', async () => {
    const bare = { labels: null, author: null, merged: false, mergedAt: null, mergeCommit: null };
    const { pullsBehind } = open({ commits: { a1: [{ ...PULL, ...bare }] } });
    const read = { labels: [], author: undefined, isMerged: false, mergedAt: '' };
    expect(await pullsBehind([ask('a1')])).toMatchObject(
      whole({ listed: [{ ...read, mergeCommit: undefined }] }),
    );
  });

  test('are those of this repository alone, whatever the case of its name', async () => {
    const fork = { ...PULL, number: 8, ...ofRepository('octocat/app') };
    const own = { ...PULL, ...ofRepository('Acme/App') };
    const gone = { ...PULL, number: 9, baseRepository: null };
    const { pullsBehind } = open({ commits: { a1: [fork, own, gone] } });
    expect(await pullsBehind([ask('a1')])).toMatchObject(whole({ listed: [{ number: 7 }] }));
  });

  test('are asked for each commit and each number once', async () => {
    const { pullsBehind, asked } = open({ commits: { a1: [PULL] }, pulls: { 7: PULL } });
    const found = { sha: 'a1', listed: [READ], named: READ };
    expect(await pullsBehind([ask('a1', 7), ask('a1', 7)])).toEqual(whole(found, found));
    expect(asked).toEqual([1]);
  });

  test('are asked for 50 commits at a time, and not for a name that is no object id', async () => {
    const { pullsBehind, asked } = open({});
    const hostile = ['', '"', 'a") { id } x: object(oid: "a', 'A1', 'g', 'a'.repeat(65)];
    const read = await pullsBehind([...hostile.map((sha) => ask(sha)), ...some(120)]);
    expect(read?.found.map(({ sha }) => sha)).toEqual(some(120).map(({ sha }) => sha));
    expect(asked).toEqual([50, 50, 20]);
    expect(await open({}).pullsBehind([])).toEqual(whole());
  });
});

/** https://docs.github.com/graphql/guides/using-graphql-clients */
describe('a response with errors', () => {
  const error = (type: string, message = 'said so', path: readonly string[] = []) => ({
    ...{ type, message, path: ['repository', ...path], locations: [{ line: 1, column: 1 }] },
  });

  test('for a number that is an issue is no failure', async () => {
    const message = 'Could not resolve to a PullRequest with the number of 3.';
    const errors = [error('NOT_FOUND', message, ['p3'])];
    const { pullsBehind } = open({
      commits: { a1: [PULL] },
      answer: (data) => response(200, { data, errors }),
    });
    const found = { sha: 'a1', listed: [READ], named: undefined };
    expect(await pullsBehind([ask('a1', 3)])).toEqual(whole(found));
  });

  test('ends the look-up, says what failed, and gives what was read', async () => {
    const { pullsBehind, asked } = open({
      commits: { '0': [PULL] },
      answer: (data, aliases) => {
        const isFirst = aliases.includes('c0');
        const errors = [error('FORBIDDEN', 'Resource not accessible by integration', ['c1'])];
        return response(200, isFirst ? { data } : { data: { repository: null }, errors });
      },
    });
    const read = await pullsBehind(some(150));
    expect(read?.found[0]).toMatchObject({ sha: '0', listed: [{ number: 7 }] });
    expect(read?.error).toMatchObject({
      kind: 'forbidden',
      message:
        'Reading the pull requests behind the commits failed: GitHub said `Resource not accessible by integration`',
    });
    expect(asked).toEqual([50, 50]);
  });

  test.each([
    { errors: [error('NOT_FOUND', 'Could not resolve')], said: 'Could not resolve' },
    { errors: [], said: 'no data' },
  ])('and no data is a failure: $said', async ({ errors, said }) => {
    const { pullsBehind } = open({
      answer: () => response(200, { data: { repository: null }, errors }),
    });
    const message = `Reading the pull requests behind the commits failed: GitHub said \`${said}\``;
    expect((await pullsBehind(some(2)))?.error).toMatchObject({ kind: 'failed', message });
  });
});

describe('without a GraphQL API', () => {
  test('nothing is known of any', async () => {
    const { pullsBehind, asked } = open({ answer: () => response(404, { message: 'Not Found' }) });
    expect(await pullsBehind(some(150))).toBeUndefined();
    expect(asked).toEqual([50]);
  });

  test.each([
    { status: 401, kind: 'bad-token' },
    { status: 403, kind: 'forbidden' },
  ])('that takes the token (HTTP $status) it fails as $kind', async ({ status, kind }) => {
    const { pullsBehind } = open({ answer: () => response(status, { message: 'no' }) });
    expect(await pullsBehind(some(1))).toMatchObject({ found: [], error: { kind } });
  });
});
