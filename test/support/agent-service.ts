/**
 * A local agent API that follows the published contract: real HTTP on loopback, a key check,
 * validation, and agent jobs that go through their states on a schedule. `intercept` makes it
 * misbehave. It records every request as it arrives.
 */
import type http from 'node:http';
import type { Socket } from 'node:net';
import { httpServer, LoopbackServer } from './loopback.ts';

/**
 * The state of an agent job some time, or some reads, after it was created or got its last message.
 * Tests that count reads don't depend on the machine's speed.
 */
export interface ScheduledState {
  readonly afterMs?: number;
  readonly afterReads?: number;
  readonly status: string;
  /** Each agent job may have its own link. */
  readonly prLink?: string | null | ((id: string) => string);
}

interface ServedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: string;
  /** The number of the request's connection, counted from 1. */
  readonly connection: number;
}

export interface Exchange {
  readonly request: ServedRequest;
  readonly response: http.ServerResponse;
  readonly socket: Socket;
  /** How many requests with this method came before. */
  readonly earlier: number;
}

export interface ServiceOptions {
  readonly adminApiKey?: string;
  readonly projectId?: string;
  readonly schedule?: readonly ScheduledState[];
  /** The states of the agent job after a follow-up message. Defaults to `schedule`. */
  readonly messageSchedule?: readonly ScheduledState[];
  /** Fields that replace those of every agent job in a response. */
  readonly fields?: Readonly<Record<string, unknown>>;
  /** The ID of the nth agent job. Defaults to `job_1` and so on. */
  readonly idOf?: (count: number) => string;
  /** Takes over a request: responds to it (or breaks the connection) and returns true. */
  readonly intercept?: (exchange: Exchange) => boolean | Promise<boolean>;
  /** Gets each connection before a byte is read. */
  readonly onConnection?: (socket: Socket, count: number) => void;
  /** Defaults to any free port. */
  readonly port?: number;
  readonly tls?: { readonly key: string; readonly cert: string };
}

export const ADMIN_API_KEY = 'mint_local_0123456789abcdef';
export const PROJECT_ID = 'local-project';
export const PR_LINK = 'https://github.com/acme/docs/pull/123';

const QUICK: readonly ScheduledState[] = [
  { afterMs: 0, status: 'active' },
  { afterReads: 1, status: 'completed', prLink: PR_LINK },
];

interface StoredJob {
  readonly id: string;
  readonly createdAt: number;
  /** The state before the last message. */
  before: ScheduledState;
  since: number;
  reads: number;
  schedule: readonly ScheduledState[];
}

export class AgentService extends LoopbackServer {
  readonly requests: ServedRequest[] = [];
  readonly #jobs = new Map<string, StoredJob>();
  readonly #options: ServiceOptions;

  private constructor(options: ServiceOptions) {
    const server = httpServer(options.tls);
    super(server);
    this.#options = options;
    server.on('request', (request, response) => {
      this.#serve(request, response).catch(() => response.destroy());
    });
    server.on('connection', (socket: Socket & { count?: number }) => {
      socket.count = this.connections;
      options.onConnection?.(socket, this.connections);
    });
  }

  static start = (options: ServiceOptions = {}): Promise<AgentService> =>
    new AgentService(options).listen(options.port);

  override get url(): string {
    return this.#options.tls === undefined ? super.url : `https://${this.host}`;
  }

  /** The agent jobs that were created, oldest first. */
  get jobIds(): readonly string[] {
    return [...this.#jobs.keys()];
  }

  /** `POST job`, `GET job/job_1` and so on, without the common part of the URLs. */
  get transcript(): readonly string[] {
    return this.requests.map(
      ({ method, path }) => `${method} ${path.split('/').slice(4).join('/')}`,
    );
  }

  postsTo(end: RegExp): readonly ServedRequest[] {
    return this.requests.filter(({ method, path }) => method === 'POST' && end.test(path));
  }

  /** Adds an agent job without a request. */
  addJob(schedule: readonly ScheduledState[] = this.#schedule): string {
    const { idOf = (count) => `job_${count}` } = this.#options;
    const id = idOf(this.#jobs.size + 1);
    const now = Date.now();
    const before = { afterMs: 0, status: 'active' };
    this.#jobs.set(id, { id, createdAt: now, before, since: now, reads: 0, schedule });
    return id;
  }

  /** Moves an agent job to the last state of its schedule. */
  finish(id: string): void {
    const job = this.#jobs.get(id);
    if (job !== undefined) job.reads = 1_000;
  }

  get #schedule(): readonly ScheduledState[] {
    return this.#options.schedule ?? QUICK;
  }

  /** The agent job as the contract's `AgentJob`. */
  jobAt(id: string, now = Date.now()): Record<string, unknown> {
    const job = this.#jobs.get(id);
    if (job === undefined) throw new Error(`no job ${id}`);
    const state = stateAt(job, now);
    const isArchived = state.status === 'archived';
    return {
      id,
      status: state.status,
      source: { repository: 'https://github.com/acme/docs', ref: 'main' },
      model: 'local-model-1',
      prLink: typeof state.prLink === 'function' ? state.prLink(id) : (state.prLink ?? null),
      createdAt: new Date(job.createdAt).toISOString(),
      archivedAt: isArchived ? new Date(job.since + (state.afterMs ?? 0)).toISOString() : null,
      ...this.#options.fields,
    };
  }

  async #serve(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    let body = '';
    request.setEncoding('utf8');
    for await (const chunk of request) body += chunk;
    const { method = '', url: path = '', headers } = request;
    const connection = (request.socket as Socket & { count?: number }).count ?? 0;
    const served: ServedRequest = { method, path, headers, body, connection };
    const earlier = this.requests.filter((other) => other.method === method).length;
    this.requests.push(served);
    const exchange = { request: served, response, socket: request.socket, earlier };
    if (await this.#options.intercept?.(exchange)) return;
    const { status, value } = this.#answer(served);
    reply(response, status, value);
  }

  /** The response to a request according to the contract. */
  #answer({ method, path, headers, body }: ServedRequest): { status: number; value: unknown } {
    const { adminApiKey = ADMIN_API_KEY, projectId = PROJECT_ID } = this.#options;
    if (headers.authorization !== `Bearer ${adminApiKey}`) return error(401, 'Unauthorized');
    const match = /^\/v2\/agent\/([^/]+)\/job(?:\/([^/]+)(\/message)?)?$/.exec(path);
    if (match === null) return error(404, 'Not found');
    const [, project = '', id, message] = match.map((part) => part && decodeURIComponent(part));
    if (project !== projectId) return error(404, 'Project not found');

    const isWrite = id === undefined || message !== undefined;
    if (method !== (isWrite ? 'POST' : 'GET')) return error(404, 'Not found');
    const problem = isWrite ? problemOf(headers['content-type'], body) : undefined;
    if (problem !== undefined) return error(400, problem);
    if (id === undefined) return { status: 201, value: this.jobAt(this.addJob()) };
    const job = this.#jobs.get(id);
    if (job === undefined) return error(404, 'Job not found');
    if (isWrite) {
      job.before = stateAt(job, Date.now());
      job.since = Date.now();
      job.reads = 0;
      job.schedule = this.#options.messageSchedule ?? this.#schedule;
    } else job.reads += 1;
    return { status: 200, value: this.jobAt(id) };
  }
}

function stateAt(job: StoredJob, now: number): ScheduledState {
  return (
    job.schedule.findLast(
      ({ afterMs = 0, afterReads = 0 }) => now - job.since >= afterMs && job.reads >= afterReads,
    ) ?? job.before
  );
}

function error(status: number, message: string): { status: number; value: unknown } {
  return { status, value: { error: message } };
}

function problemOf(contentType: string | undefined, body: string): string | undefined {
  if (!contentType?.startsWith('application/json')) return 'Content-Type must be application/json';
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    return 'Request body is not valid JSON';
  }
  const prompt =
    typeof value === 'object' && value !== null && 'prompt' in value ? value.prompt : undefined;
  if (prompt === undefined) return 'prompt is required';
  if (typeof prompt !== 'string') return 'prompt must be a string';
  return prompt.length === 0 ? 'prompt must be at least 1 character long' : undefined;
}

/** Responds with JSON. */
export function reply(
  response: http.ServerResponse,
  status: number,
  value: unknown,
  headers: http.OutgoingHttpHeaders = {},
): true {
  const body = typeof value === 'string' ? value : JSON.stringify(value);
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(body);
  return true;
}

/** Returns an `intercept` that takes over only the first request with a method. */
export const first =
  (
    method: 'GET' | 'POST',
    answer: (exchange: Exchange) => void,
  ): NonNullable<ServiceOptions['intercept']> =>
  (exchange) => {
    if (exchange.request.method !== method || exchange.earlier > 0) return false;
    answer(exchange);
    return true;
  };
