/** GitHub's REST and GraphQL API, as far as the action asks. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { buildSchema, graphql } from 'graphql';
import type { FakeDocsPull, FakeGitHub, FakePull, FakeRelease } from './github.ts';

export interface ApiRequest {
  /** Like `GET /repos/acme/app/compare/a...b?page=1`, or `POST /graphql`. */
  readonly line: string;
  readonly token: string | undefined;
  readonly body: string;
}

/**
 * What happens instead of a response: another one; `cut` ends the connection in the middle of the
 * body; `hang` never responds.
 */
export type ApiFault =
  | {
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body?: unknown;
    }
  | 'cut'
  | 'hang';

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

const ok = (body: unknown): Answer => ({ status: 200, body });
const problem = (status: number, message: string): Answer => ({ status, body: { message } });
const NOT_FOUND = problem(404, 'Not Found');
const FORBIDDEN = 'Resource not accessible by integration';

export async function serveApi(
  github: FakeGitHub,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const body = await text(request);
  const path = request.url?.replace(/^\/api(?:\/v3)?(?=\/)/, '') ?? '';
  const token = request.headers.authorization?.replace(/^(?:token|bearer) /i, '');
  const seen = { line: `${request.method} ${decodeURIComponent(path)}`, token, body };
  github.requests.push(seen);
  const fault = github.fault?.(seen);
  if (fault === 'hang') return;
  const answer =
    typeof fault === 'object'
      ? { body: { message: 'a fault' }, ...fault }
      : token !== 'writer' && token !== 'reader'
        ? problem(401, 'Bad credentials')
        : path === '/graphql'
          ? ok(await answerQuery(github, JSON.parse(body)))
          : answerRest(github, new URL(path, 'http://github.test'));
  const isText = typeof answer.body === 'string';
  const shown = isText ? `${answer.body}` : JSON.stringify(answer.body);
  response.writeHead(answer.status, {
    'content-type': isText ? 'text/html' : 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(shown),
    ...(typeof fault === 'object' && fault.headers),
  });
  if (fault !== 'cut') return void response.end(shown);
  response.write(shown.slice(0, shown.length / 2), () => request.socket.destroy());
}

function answerRest(github: FakeGitHub, { pathname, searchParams }: URL): Answer {
  const [, repos, owner, name, kind, id = '', part] = pathname.split('/').map(decodeURIComponent);
  const repository = `${owner}/${name}`;
  const size = Number(searchParams.get('per_page') ?? 30);
  const start = (Number(searchParams.get('page') ?? 1) - 1) * size;
  const paged = <T>(all: readonly T[]) => all.slice(start, start + size);
  if (repos === 'repos' && kind === 'pulls') {
    if (!github.showsPulls) return problem(403, FORBIDDEN);
    const docs = github.docsPulls.get(`${repository}#${id}`);
    if (docs !== undefined && docs.state !== 'hidden') {
      return ok(part === 'files' ? paged(docs.files) : docsPullBody(docs));
    }
    const pull = repository === github.repository ? github.pulls[Number(id) - 1] : undefined;
    return pull === undefined ? NOT_FOUND : ok(pullBody(github, pull));
  }
  if (repos !== 'repos' || repository !== github.repository) return NOT_FOUND;
  if (kind === 'releases') {
    if (id !== 'tags') return ok(paged(github.releases).map(releaseBody));
    const release = github.releases.find(({ tag, draft }) => tag === part && !draft);
    return release === undefined ? NOT_FOUND : ok(releaseBody(release));
  }
  const [from, to] = id.split('...').map((one) => resolve(github, one));
  if (kind === 'commits') {
    if (from === undefined) return problem(422, `No commit found for SHA: ${id}`);
    return ok(commitBody(github, from));
  }
  if (kind !== 'compare' || from === undefined || to === undefined) return NOT_FOUND;
  const base = github.origin.mergeBase(from, to);
  if (base === undefined) return problem(404, `No common ancestor between ${from} and ${to}.`);
  const commits = github.origin.between(from, to);
  return ok({
    total_commits: commits.length,
    merge_base_commit: { sha: base },
    commits: paged(commits).map((sha) => commitBody(github, sha)),
  });
}

export const releaseBody = ({ tag, body, draft = false, prerelease = false }: FakeRelease) => ({
  ...{ tag_name: tag, name: tag, body: body ?? null, draft, prerelease },
});

/** A bare name that is both a branch and a tag is the branch. */
function resolve({ origin }: FakeGitHub, name: string): string | undefined {
  if (/^(?:heads|tags)\//.test(name)) return origin.find(`refs/${name}`);
  return origin.find(`refs/heads/${name}`) ?? origin.find(`refs/tags/${name}`) ?? origin.find(name);
}

function commitBody({ origin }: FakeGitHub, sha: string) {
  const { message = '', parents = [], author: by = '' } = origin.commits.get(sha) ?? {};
  const [, name, email = ''] = /^(.*) <(.*)>$/.exec(by) ?? [];
  const [, login] = /^(?:\d+\+)?(.+)@users\.noreply\.github\.com$/.exec(email) ?? [];
  return {
    sha,
    parents: parents.map((parent) => ({ sha: parent })),
    commit: { message, author: { name, email } },
    author: login === undefined ? null : { login },
  };
}

const shownState = (state: string) => ({
  state: state === 'open' ? 'open' : 'closed',
  merged: state === 'merged',
});

/** In responses, and in the payloads of events. */
export function pullBody({ origin, repository }: FakeGitHub, pull: FakePull) {
  const { number, title, body, author, labels, state, head, base, branch, isFromFork } = pull;
  const repo = { full_name: repository };
  return {
    ...{ number, title, body: body || null, user: { login: author }, ...shownState(state) },
    ...{ labels: labels.map((name) => ({ name })), changed_files: 1 },
    // A test merge while it is open.
    merge_commit_sha: pull.mergeCommit ?? origin.find(`refs/pull/${number}/merge`),
    head: { sha: head, ref: branch, repo: isFromFork ? { full_name: 'stranger/fork' } : repo },
    base: { ref: base, sha: origin.find(`refs/heads/${base}`), repo },
  };
}

function docsPullBody({ name, title, state, branch, files }: FakeDocsPull) {
  const [repository = '', number] = name.split('#');
  const repo = { full_name: repository };
  return {
    ...{ number: Number(number), title, body: null, user: { login: 'mintlify[bot]' }, labels: [] },
    ...{ ...shownState(state), changed_files: files.length, merge_commit_sha: null },
    head: { sha: '0'.repeat(40), ref: branch, repo },
    base: { ref: 'main', repo },
  };
}

/** What is asked for, as https://docs.github.com/graphql/reference/objects has it. */
const SCHEMA = buildSchema(`
  scalar GitObjectID
  scalar DateTime
  type Query { repository(owner: String!, name: String!): Repository }
  type Repository { object(oid: GitObjectID): GitObject nameWithOwner: String! }
  interface GitObject { oid: GitObjectID! }
  type Commit implements GitObject {
    oid: GitObjectID!
    associatedPullRequests(first: Int): PullRequestConnection
  }
  type PullRequestConnection { nodes: [PullRequest] }
  type PullRequest {
    number: Int! title: String! body: String! merged: Boolean! mergedAt: DateTime
    author: Actor labels(first: Int): LabelConnection
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
    throw new Error(FORBIDDEN);
  };
  const listed = github.pulls.map((pull) => ({ pull, commits: listedFor(github, pull) }));
  const object = ({ oid }: { oid: string }) => {
    const found = listed.filter(({ commits }) => commits.includes(oid));
    const nodes = found.map(({ pull }) => pullNode(github, pull));
    const associatedPullRequests = github.showsPulls ? { nodes } : forbidden;
    return { __typename: 'Commit', oid, associatedPullRequests };
  };
  const rootValue = { repository: () => ({ object }) };
  const result = await graphql({ schema: SCHEMA, source, variableValues: variables, rootValue });
  const errors = result.errors?.map(({ message, path }) => ({ type: 'FORBIDDEN', message, path }));
  return { data: result.data, ...(errors && { errors }) };
}

/** The commits for which GitHub lists a pull request: those it brought to its base, or would. */
const listedFor = (github: FakeGitHub, { state, base, head, merged }: FakePull) =>
  state === 'open' ? github.origin.between(github.tip(base), head) : merged;

function pullNode({ repository, renamedTo }: FakeGitHub, pull: FakePull) {
  const { number, title, body, state, author, labels, mergedAt } = pull;
  const type = author.endsWith('[bot]') ? 'Bot' : 'User';
  return {
    ...{ number, title, body, merged: state === 'merged', mergedAt },
    author: { __typename: type, login: author.replace('[bot]', '') },
    labels: { nodes: labels.map((name) => ({ name })) },
    baseRepository: { nameWithOwner: renamedTo ?? repository },
  };
}
