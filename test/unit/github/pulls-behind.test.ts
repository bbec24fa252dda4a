import { describe, expect, test } from 'vitest';
import type { Delivery } from '../../../src/effects/effects.ts';
import type { CommitToAsk } from '../../../src/github/github.ts';
import { createGitHub } from '../../../src/github/rest.ts';
import { FACTS, fakeEffects, response } from '../../support/fakes.ts';
import { execute, type Schema } from '../../support/graphql.ts';

const API = 'https://api.github.example';

/** What is asked for, as https://docs.github.com/graphql/reference/objects has it. */
const SCHEMA: Schema = {
  Query: { repository: ['Repository', 'owner', 'name'] },
  Repository: {
    object: ['GitObject', 'oid'],
    pullRequest: ['PullRequest', 'number'],
    nameWithOwner: ['String'],
  },
  GitObject: {},
  Blob: {},
  Commit: { associatedPullRequests: ['PullRequestConnection', 'first'], oid: ['GitObjectID'] },
  PullRequestConnection: { nodes: ['PullRequest'] },
  PullRequest: {
    ...{ number: ['Int'], title: ['String'], body: ['String'], merged: ['Boolean'] },
    ...{ mergedAt: ['DateTime'], mergeCommit: ['Commit'], author: ['Actor'] },
    labels: ['LabelConnection', 'first'],
    baseRepository: ['Repository'],
  },
  Actor: { login: ['String'] },
  Bot: { login: ['String'] },
  User: { login: ['String'] },
  LabelConnection: { nodes: ['Label'] },
  Label: { name: ['String'] },
};

const ofRepository = (nameWithOwner: string) => ({ baseRepository: { nameWithOwner } });
const PULL = {
  ...{ number: 7, title: 'Add retries', body: 'Why.', merged: true },
  mergedAt: '2026-01-01T00:00:00Z',
  mergeCommit: { oid: 'c7' },
  author: { __typename: 'User', login: 'octocat' },
  labels: () => ({ nodes: [{ name: 'bug' }, null] }),
  ...ofRepository('acme/app'),
};
const READ = {
  ...{ number: 7, title: 'Add retries', body: 'Why.', author: 'octocat', isByBot: false },
  ...{ labels: ['bug'], isMerged: true, mergedAt: '2026-01-01T00:00:00Z', mergeCommit: 'c7' },
};

interface World {
  /** What GitHub lists for a commit. */
  readonly commits?: Readonly<Record<string, readonly object[]>>;
  readonly pulls?: Readonly<Record<number, object>>;
  readonly answer?: (body: { data: unknown }, aliases: readonly string[]) => Delivery;
}

/** The client of a GitHub that executes the queries it gets. */
function open({ commits = {}, pulls = {}, answer = (body) => response(200, body) }: World) {
  /** How many commits each query asked about. */
  const asked: number[] = [];
  const repository = {
    object({ oid }: { oid: string }) {
      const own = commits[oid];
      if (own === undefined) return { __typename: 'Blob' };
      const associatedPullRequests = ({ first }: { first: number }) => ({
        nodes: own.slice(0, first),
      });
      return { __typename: 'Commit', associatedPullRequests };
    },
    pullRequest: ({ number }: { number: number }) => pulls[number],
  };
  const effects = fakeEffects(({ url, body = '', method }) => {
    expect([method, url]).toEqual(['POST', `${API}/graphql`]);
    const request = JSON.parse(body);
    expect(request.variables).toEqual({ owner: 'acme', name: 'app' });
    const aliases = [...request.query.matchAll(/\b[cp]\w+(?=: )/g)].map(([alias]) => alias);
    asked.push(aliases.filter((alias) => alias.startsWith('c')).length);
    return answer({ data: execute(SCHEMA, request, { repository: () => repository }) }, aliases);
  });
  const limits = { deadline: Number.MAX_SAFE_INTEGER, timeoutMs: 3_600_000 };
  const event = { name: 'push', payload: {}, sha: 'c3', ref: '', repository: 'acme/app' };
  const { pullsBehind } = createGitHub(
    { token: 't', ...effects, ...limits },
    { facts: FACTS, apiUrl: API, graphqlUrl: `${API}/graphql`, event },
  );
  return { pullsBehind, asked, clock: effects.clock };
}

const ask = (sha: string, named?: number): CommitToAsk => ({ sha, named });
const some = (count: number) => Array.from({ length: count }, (_, n) => ask(n.toString(16)));

describe('the pull requests behind commits', () => {
  test('are those that GitHub lists, and the one that the subject names, in one valid query', async () => {
    const { pullsBehind, asked } = open({ commits: { a1: [PULL], b2: [] }, pulls: { 7: PULL } });
    expect(await pullsBehind([ask('a1'), ask('b2', 7), ask('c3', 7)])).toEqual([
      { sha: 'a1', listed: [READ], named: undefined },
      { sha: 'b2', listed: [], named: READ },
      // No commit: GitHub gives an empty object.
      { sha: 'c3', listed: [], named: READ },
    ]);
    expect(asked).toEqual([3]);
  });

  test('may lack a description, labels, an author and a merge', async () => {
    const bare = { body: null, labels: () => null, author: null, merged: false };
    const open_ = { ...PULL, ...bare, mergedAt: null, mergeCommit: null };
    const { pullsBehind } = open({ commits: { a1: [open_] } });
    const read = { ...READ, body: '', labels: [], author: undefined, isMerged: false };
    expect(await pullsBehind([ask('a1')])).toEqual([
      {
        sha: 'a1',
        listed: [{ ...read, mergedAt: '', mergeCommit: undefined }],
        named: undefined,
      },
    ]);
  });

  test.each([
    { author: { __typename: 'Bot', login: 'renovate' }, isByBot: true },
    { author: { __typename: 'User', login: 'old[bot]' }, isByBot: true },
    { author: { __typename: 'User', login: 'bot' }, isByBot: false },
  ])('of $author.login is a bot’s: $isByBot', async ({ author, isByBot }) => {
    const { pullsBehind } = open({ commits: { a1: [{ ...PULL, author }] } });
    expect(await pullsBehind([ask('a1')])).toMatchObject([{ listed: [{ isByBot }] }]);
  });

  test('are those of this repository alone, whatever the case of its name', async () => {
    const fork = { ...PULL, number: 8, ...ofRepository('octocat/app') };
    const own = { ...PULL, ...ofRepository('Acme/App') };
    const gone = { ...PULL, number: 9, baseRepository: null };
    const { pullsBehind } = open({ commits: { a1: [fork, own, gone] } });
    expect(await pullsBehind([ask('a1')])).toMatchObject([{ listed: [{ number: 7 }] }]);
  });

  test('are asked for each commit and each number once', async () => {
    const { pullsBehind, asked } = open({ commits: { a1: [PULL] }, pulls: { 7: PULL } });
    const twice = [ask('a1', 7), ask('a1', 7)];
    const found = { sha: 'a1', listed: [READ], named: READ };
    expect(await pullsBehind(twice)).toEqual([found, found]);
    expect(asked).toEqual([1]);
  });

  test('are asked for 100 commits at a time, and not for a name that is no object id', async () => {
    const { pullsBehind, asked } = open({});
    const hostile = ['', '"', 'a") { id } x: object(oid: "a', 'A1', 'g', 'a'.repeat(65)];
    const found = await pullsBehind([...hostile.map((sha) => ask(sha)), ...some(250)]);
    expect(found?.map(({ sha }) => sha)).toEqual(some(250).map(({ sha }) => sha));
    expect(asked).toEqual([100, 100, 50]);
    expect(await open({}).pullsBehind([])).toEqual([]);
  });
});

/** https://docs.github.com/graphql/guides/using-graphql-clients */
describe('a response with errors', () => {
  const error = (type: string, message = 'said so', path: readonly string[] = []) => ({
    ...{ type, message, path: ['repository', ...path], locations: [{ line: 1, column: 1 }] },
  });
  const noData = (...errors: readonly object[]) => ({
    answer: () => response(200, { data: { repository: null }, errors }),
  });

  test('for a number that is an issue is no failure', async () => {
    const message = 'Could not resolve to a PullRequest with the number of 3.';
    const { pullsBehind } = open({
      commits: { a1: [PULL] },
      answer: ({ data }) => response(200, { data, errors: [error('NOT_FOUND', message, ['p3'])] }),
    });
    expect(await pullsBehind([ask('a1', 3)])).toEqual([
      { sha: 'a1', listed: [READ], named: undefined },
    ]);
  });

  test('for what the token may not read, in part, says so and gives the rest', async () => {
    const { pullsBehind } = open({
      commits: { a1: [PULL], b2: [PULL] },
      answer: ({ data }) => {
        const { repository } = data as { repository: object };
        const cut = { repository: { ...repository, cb2: null } };
        return response(200, { data: cut, errors: [error('FORBIDDEN', 'no', ['cb2'])] });
      },
    });
    await expect(pullsBehind([ask('a1'), ask('b2')])).rejects.toMatchObject({
      kind: 'forbidden',
      found: [{ sha: 'a1', listed: [{ number: 7 }] }],
    });
  });

  test('for all that the token may not read is that it may not', async () => {
    const message = 'Resource not accessible by integration';
    const forbidden = open({
      answer: (_, aliases) =>
        response(200, {
          data: { repository: Object.fromEntries(aliases.map((alias) => [alias, null])) },
          errors: aliases.map((alias) => error('FORBIDDEN', message, [alias])),
        }),
    });
    const refusal = { kind: 'forbidden', message: expect.stringContaining(message) };
    await expect(forbidden.pullsBehind([ask('a1', 3)])).rejects.toMatchObject(refusal);
    const noRepository = open(noData(error('FORBIDDEN', message)));
    await expect(noRepository.pullsBehind([ask('a1')])).rejects.toMatchObject(refusal);
  });

  test.each([
    { errors: [error('RATE_LIMITED', 'API rate limit exceeded')], kind: 'rate-limited' },
    { errors: [error('NOT_FOUND', 'Could not resolve to a Repository')], kind: 'failed' },
    { errors: [], kind: 'failed' },
  ])('and no data is a failure ($kind)', async ({ errors, kind }) => {
    const { pullsBehind, asked } = open(noData(...errors));
    const said = errors[0]?.message ?? 'no data';
    const message = `Reading the pull requests behind the commits failed. GitHub said: \`${said}\``;
    await expect(pullsBehind(some(50))).rejects.toMatchObject({ kind, message });
    expect(asked).toEqual([50]);
  });
});

describe('a query that takes too long', () => {
  const busy =
    'Something went wrong while executing your query. This may be the result of a timeout';
  const timeouts: Readonly<Record<string, Delivery>> = {
    'a 502': response(502, { message: 'We couldn’t respond to your request in time.' }),
    'a 504': response(504, ''),
    'a 200 that tells of a timeout': response(200, { data: null, errors: [{ message: busy }] }),
  };

  test.each(Object.entries(timeouts))(
    'is asked again for half of its commits: %s',
    async (_, slow) => {
      const { pullsBehind, asked, clock } = open({
        commits: { '63': [PULL] },
        answer: (body, aliases) => (aliases.length > 30 ? slow : response(200, body)),
      });
      const found = await pullsBehind(some(100));
      expect(found?.map(({ sha }) => sha)).toEqual(some(100).map(({ sha }) => sha));
      expect(found?.at(-1)).toMatchObject({ sha: '63', listed: [{ number: 7 }] });
      expect(asked).toEqual([100, 50, 25, 25, 50, 25, 25]);
      expect(clock.slept).toEqual([]);
    },
  );

  test.each(Object.entries(timeouts))('is not split without end: %s', async (_, slow) => {
    const { pullsBehind, asked } = open({ answer: () => slow });
    await expect(pullsBehind(some(100))).rejects.toThrow('Reading the pull requests behind');
    expect(asked.filter((count) => count > 10)).toEqual([100, 50, 25, 13]);
  });
});

describe('without a GraphQL API', () => {
  test('nothing is known of any', async () => {
    const { pullsBehind, asked } = open({ answer: () => response(404, { message: 'Not Found' }) });
    expect(await pullsBehind(some(150))).toBeUndefined();
    expect(asked).toEqual([100]);
  });

  test.each([
    { status: 401, kind: 'bad-token' },
    { status: 403, kind: 'forbidden' },
  ])('that takes the token (HTTP $status) it fails as $kind', async ({ status, kind }) => {
    const { pullsBehind } = open({ answer: () => response(status, { message: 'no' }) });
    await expect(pullsBehind(some(1))).rejects.toMatchObject({ kind });
  });
});
