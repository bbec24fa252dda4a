/** GitHub's REST and GraphQL API, as far as the action asks. */

import type { IncomingMessage, ServerResponse } from 'node:http';
import { buildSchema, graphql } from 'graphql';
import type { FakeGitHub } from './github.ts';
import { type FakeDocsPull, type FakePull, mergeBase } from './github-world.ts';

export interface ApiRequest {
  /** Like `GET /repos/acme/app/compare/a...b?page=1`, or `POST /graphql`. */
  readonly line: string;
  readonly token: string | undefined;
  readonly body: string;
}

/**
 * What happens instead of a response: another one; `cut` ends the connection in the middle of the
 * body; `hang` never responds, and `hang-body` not to the end; `refuse` ends the connection.
 */
export type ApiFault =
  | {
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body?: unknown;
    }
  | 'cut'
  | 'hang'
  | 'hang-body'
  | 'refuse';

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

const ok = (body: unknown): Answer => ({ status: 200, body });
const NOT_FOUND: Answer = { status: 404, body: { message: 'Not Found' } };
const FORBIDDEN: Answer = {
  status: 403,
  body: { message: 'Resource not accessible by integration' },
};
const PREFIXES = ['/api/v3', '/api'];

export function serveApi(github: FakeGitHub) {
  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    let body = '';
    for await (const chunk of request.setEncoding('utf8')) body += chunk;
    const target = request.url ?? '';
    const prefix = PREFIXES.find((one) => target.startsWith(`${one}/`)) ?? '';
    const path = target.slice(prefix.length);
    const token = request.headers.authorization?.replace(/^(?:token|bearer) /i, '');
    const seen = { line: `${request.method} ${decodeURIComponent(path)}`, token, body };
    github.requests.push(seen);
    const fault = github.fault?.(seen);
    if (fault === 'hang') return;
    if (fault === 'refuse') return void request.socket.destroy();
    const isKnown = token === 'writer' || token === 'reader';
    const answer =
      typeof fault === 'object'
        ? { body: { message: 'a fault' }, ...fault }
        : !isKnown
          ? { status: 401, body: { message: 'Bad credentials' } }
          : path === '/graphql'
            ? ok(await answerQuery(github, JSON.parse(body)))
            : answerRest(github, new URL(path, 'http://github.test'));
    const text = typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body);
    const type = typeof answer.body === 'string' ? 'text/html' : 'application/json; charset=utf-8';
    const headers = typeof fault === 'object' ? fault.headers : {};
    response.writeHead(answer.status, {
      'content-type': type,
      'content-length': Buffer.byteLength(text),
      ...headers,
    });
    if (fault !== 'cut' && fault !== 'hang-body') return void response.end(text);
    response.write(text.slice(0, text.length / 2), () => {
      if (fault === 'cut') request.socket.destroy();
    });
  };
}

function answerRest(github: FakeGitHub, { pathname, searchParams }: URL): Answer {
  const [, repos, owner, name, ...rest] = pathname.split('/').map(decodeURIComponent);
  const repository = `${owner}/${name}`;
  const [kind = '', id = '', part] = rest;
  if (repos !== 'repos') return NOT_FOUND;
  const size = Number(searchParams.get('per_page') ?? 30);
  const page = Number(searchParams.get('page') ?? 1);
  const paged = <T>(all: readonly T[]) => all.slice((page - 1) * size, page * size);
  if (kind === 'pulls') {
    if (!github.showsPulls) return FORBIDDEN;
    const docs = github.docsPulls.get(`${repository}#${id}`);
    if (docs !== undefined && docs.state !== 'hidden') {
      return ok(part === 'files' ? paged(docs.files) : docsPullBody(github, docs));
    }
    const pull = repository === github.repository ? github.pulls[Number(id) - 1] : undefined;
    return pull === undefined ? NOT_FOUND : ok(pullBody(github, pull));
  }
  if (repository !== github.repository) return NOT_FOUND;
  if (kind === 'releases') {
    return ok(
      paged(github.releases).map(({ tag, draft = false, prerelease = false }) => ({
        tag_name: tag,
        draft,
        prerelease,
      })),
    );
  }
  if (kind === 'commits') {
    const sha = resolve(github, id);
    const message = `No commit found for SHA: ${id}`;
    return sha === undefined
      ? { status: 422, body: { message } }
      : ok(commitsIn(github, '-1', sha)[0]);
  }
  if (kind === 'compare') return compare(github, id, { page, size });
  return NOT_FOUND;
}

/** A bare name that is both a branch and a tag is the branch. */
function resolve(github: FakeGitHub, name: string): string | undefined {
  const names = /^(?:heads|tags)\//.test(name)
    ? [`refs/${name}`]
    : [`refs/heads/${name}`, `refs/tags/${name}`, name];
  return names.map((one) => github.find(one)).find((sha) => sha !== undefined);
}

function compare(
  github: FakeGitHub,
  basehead: string,
  { page, size }: Record<'page' | 'size', number>,
): Answer {
  const [from, to] = basehead.split('...').map((name) => resolve(github, name));
  if (from === undefined || to === undefined) return NOT_FOUND;
  const base = mergeBase(github.origin, from, to);
  if (base === undefined) {
    return { status: 404, body: { message: `No common ancestor between ${from} and ${to}.` } };
  }
  const all = base === to ? [] : commitsIn(github, '--reverse', `${from}..${to}`);
  const status =
    base === from ? (base === to ? 'identical' : 'ahead') : base === to ? 'behind' : 'diverged';
  return ok({
    status,
    total_commits: all.length,
    merge_base_commit: { sha: base },
    commits: all.slice((page - 1) * size, page * size),
    ...(page === 1 && { files: [] }),
  });
}

function commitsIn({ origin }: FakeGitHub, ...args: readonly string[]) {
  const rows = origin
    .git('log', '--format=%H%x00%P%x00%an%x00%ae%x00%B%x01', ...args)
    .split('\x01');
  return rows.slice(0, -1).map((row) => {
    const [sha = '', parents = '', name = '', email = '', message = ''] = row
      .trimStart()
      .split('\0');
    const [, login] = /^(?:\d+\+)?(.+)@users\.noreply\.github\.com$/.exec(email) ?? [];
    return {
      sha,
      parents: parents.split(' ').flatMap((id) => (id === '' ? [] : { sha: id })),
      commit: { message: message.trimEnd(), author: { name, email } },
      author: login === undefined ? null : { login },
    };
  });
}

function pullBody(github: FakeGitHub, pull: FakePull) {
  const { number, title, body, author, labels, state, head, base, branch, isFromFork } = pull;
  const repo = { full_name: github.repository };
  return {
    ...{ number, title, body: body || null, user: author === '' ? null : { login: author } },
    ...{ labels: labels.map((name) => ({ name })), changed_files: 1 },
    ...{ state: state === 'open' ? 'open' : 'closed', merged: state === 'merged' },
    html_url: `${github.url}/${github.repository}/pull/${number}`,
    created_at: '2026-01-01T00:00:00Z',
    // A test merge while it is open.
    merge_commit_sha: pull.mergeCommit ?? github.find(`refs/pull/${number}/merge`) ?? null,
    head: { sha: head, ref: branch, repo: isFromFork ? { full_name: 'stranger/fork' } : repo },
    base: { ref: base, repo },
  };
}

function docsPullBody(github: FakeGitHub, { name, title, state, branch, files }: FakeDocsPull) {
  const [repository = '', number] = name.split('#');
  const repo = { full_name: repository };
  return {
    ...{ number: Number(number), title, body: null, user: { login: 'mintlify[bot]' }, labels: [] },
    ...{ state: state === 'open' ? 'open' : 'closed', merged: state === 'merged' },
    html_url: `${github.url}/${repository}/pull/${number}`,
    ...{ created_at: '2026-01-01T00:00:00Z', changed_files: files.length, merge_commit_sha: null },
    head: { sha: '0'.repeat(40), ref: branch, repo },
    base: { ref: 'main', repo },
  };
}

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
  type Bot implements Actor { login: String! }
  type LabelConnection { nodes: [Label] }
  type Label { name: String! }
`);

interface Query {
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>>;
}

async function answerQuery(github: FakeGitHub, { query: source, variables }: Query) {
  const forbidden = () => {
    throw new Error('Resource not accessible by integration');
  };
  const listed = github.pulls.map((pull) => ({ pull, commits: listedFor(github, pull) }));
  const repository = {
    nameWithOwner: github.repository,
    object({ oid }: { oid: string }) {
      const found = listed.filter(({ commits }) => commits.has(oid));
      const nodes = found.map(({ pull }) => pullNode(github, pull));
      const associatedPullRequests = github.showsPulls ? { nodes } : forbidden;
      return { __typename: 'Commit', oid, associatedPullRequests };
    },
    pullRequest({ number }: { number: number }) {
      if (!github.showsPulls) return forbidden();
      const pull = github.pulls[number - 1];
      if (pull !== undefined) return pullNode(github, pull);
      throw new Error(`Could not resolve to a PullRequest with the number of ${number}.`);
    },
  };
  const rootValue = { repository: () => repository };
  const result = await graphql({ schema: SCHEMA, source, variableValues: variables, rootValue });
  const errors = result.errors?.map(({ message, path }) => ({
    type: message.startsWith('Could not resolve') ? 'NOT_FOUND' : 'FORBIDDEN',
    ...{ message, path },
  }));
  return { data: result.data, ...(errors && { errors }) };
}

/** The commits for which GitHub lists a pull request: those it brought to its base, or would. */
function listedFor({ origin }: FakeGitHub, pull: FakePull): ReadonlySet<string> {
  if (pull.state !== 'open') return new Set(pull.merged);
  return new Set(origin.git('rev-list', `refs/heads/${pull.base}..${pull.head}`).split('\n'));
}

function pullNode({ repository, renamedTo }: FakeGitHub, pull: FakePull) {
  const { number, title, body, state, author, labels, mergedAt, mergeCommit } = pull;
  const isBot = author.endsWith('[bot]');
  return {
    ...{ number, title, body, merged: state === 'merged', mergedAt },
    mergeCommit: mergeCommit === undefined ? null : { __typename: 'Commit', oid: mergeCommit },
    author:
      author === ''
        ? null
        : { __typename: isBot ? 'Bot' : 'User', login: author.replace('[bot]', '') },
    labels: { nodes: labels.map((name) => ({ name })) },
    baseRepository: { nameWithOwner: renamedTo ?? repository },
  };
}
