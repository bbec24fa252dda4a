/**
 * Mintlify's agent API on loopback, by the published contract: a check of the key, validation, and
 * agent jobs that go through scripted states. `fault` makes it misbehave.
 */
import type http from 'node:http';
import { text } from 'node:stream/consumers';
import { createHttpServer, LoopbackServer } from './loopback.ts';

export const ADMIN_API_KEY = 'mint_local_0123456789abcdef';
export const PROJECT_ID = 'local-project';
export const PR_LINK = 'https://github.com/acme/docs/pull/123';

/**
 * The state of an agent job from some time, and some reads, after it was created or got its last
 * message. The last one that applies counts. Times are those of `clock`.
 */
export interface JobState {
  readonly afterMs?: number;
  /** 1: from the response to the second read on. */
  readonly afterReads?: number;
  /** `gone`: reads and messages get 404. */
  readonly status: string;
  readonly prLink?: string | null;
}

/** `active` in the first read, then completed with a pull request. */
export const QUICK: readonly JobState[] = [
  { status: 'active' },
  { afterReads: 1, status: 'completed', prLink: PR_LINK },
];

export const ACTIVE: readonly JobState[] = [{ status: 'active' }];
export const FAILING: readonly JobState[] = [...ACTIVE, { afterReads: 1, status: 'failed' }];

/** How one request fails. */
export type Fault =
  /** A response of its own, and the service takes nothing. A text is sent as it is. */
  | {
      readonly kind: 'response';
      readonly status: number;
      readonly body?: unknown;
      readonly headers?: http.OutgoingHttpHeaders;
    }
  /** No response, and the connection stays open. */
  | { readonly kind: 'hang' }
  /** The connection is closed without a response. `lost`: after the service took the request. */
  | { readonly kind: 'close' | 'lost' }
  /** Raw bytes, and then the connection is closed. A 2xx among them means that it took the request. */
  | { readonly kind: 'cut'; readonly bytes: string };

export interface SeenRequest {
  readonly method: string;
  /** `job`, `job/job_1`, `job/job_1/message`, or a whole path outside the contract. */
  readonly path: string;
  /** Of a POST. */
  readonly prompt?: string;
  readonly headers: http.IncomingHttpHeaders;
  /** How many requests with this method came before. */
  readonly earlier: number;
}

export interface MintlifyOptions {
  /** The states of each agent job. The default is {@link QUICK}. */
  readonly script?: readonly JobState[];
  /** Decides for each request whether it fails. */
  readonly fault?: (request: SeenRequest) => Fault | undefined;
  /** The clock of `afterMs`. The default is the machine's. */
  readonly clock?: { date(): number };
  readonly projectId?: string;
  readonly tls?: { readonly key: string; readonly cert: string };
}

/** A `fault` for the nth request with a method, counted from 1. */
export const nth =
  (method: 'GET' | 'POST', n: number, fault: Fault) =>
  (request: SeenRequest): Fault | undefined =>
    request.method === method && request.earlier + 1 === n ? fault : undefined;

interface StoredJob {
  readonly id: string;
  /** The state before the last message. */
  before: JobState;
  since: number;
  reads: number;
  script: readonly JobState[];
}

interface Reply {
  readonly status: number;
  readonly value: unknown;
}

export class Mintlify extends LoopbackServer {
  /** Every request as it arrived, also one that fails. */
  readonly requests: SeenRequest[] = [];
  /** Replaces the script of agent jobs that are created, or get a message, from now on. */
  script: readonly JobState[];
  /** Replaces the faults from now on. */
  fault: NonNullable<MintlifyOptions['fault']>;
  readonly #options: MintlifyOptions;
  readonly #jobs = new Map<string, StoredJob>();

  private constructor(options: MintlifyOptions) {
    const server = createHttpServer(options.tls);
    super(server, options.tls === undefined ? 'http' : 'https');
    this.#options = options;
    this.script = options.script ?? QUICK;
    this.fault = options.fault ?? (() => undefined);
    server.on('request', (request, response) => {
      this.#serve(request, response).catch(() => response.destroy());
    });
  }

  static start = (options: MintlifyOptions = {}): Promise<Mintlify> =>
    new Mintlify(options).listen();

  /** The agent jobs, oldest first. */
  get jobIds(): readonly string[] {
    return [...this.#jobs.keys()];
  }

  /** `POST job`, `GET job/job_1`, and so on. */
  get transcript(): readonly string[] {
    return this.requests.map(({ method, path }) => `${method} ${path}`);
  }

  /** The creates and messages, oldest first. */
  get posts(): readonly SeenRequest[] {
    return this.requests.filter(({ method }) => method === 'POST');
  }

  /** The prompts of the creates and messages, oldest first. */
  get prompts(): readonly string[] {
    return this.posts.map(({ prompt = '' }) => prompt);
  }

  /** Adds an agent job without a request, and returns its id. */
  addJob(): string {
    const id = `job_${this.#jobs.size + 1}`;
    const before = { status: 'active' };
    this.#jobs.set(id, { id, before, since: this.#date(), reads: 0, script: this.script });
    return id;
  }

  /** Puts an agent job into a state, from now on. */
  setState(id: string, state: JobState): void {
    const job = this.#jobs.get(id);
    if (job === undefined) throw new Error(`There is no agent job ${id}.`);
    job.script = [{ ...state, afterMs: 0, afterReads: 0 }];
  }

  #date(): number {
    return this.#options.clock?.date() ?? Date.now();
  }

  #stateOf({ script, since, reads, before }: StoredJob): JobState {
    const ms = this.#date() - since;
    const applies = ({ afterMs = 0, afterReads = 0 }: JobState) =>
      ms >= afterMs && reads >= afterReads;
    return script.findLast(applies) ?? before;
  }

  #shown(job: StoredJob): Reply {
    const { status, prLink = null } = this.#stateOf(job);
    if (status === 'gone') return error(404, 'Job not found');
    const value = {
      id: job.id,
      status,
      source: { repository: 'https://github.com/acme/docs', ref: 'main' },
      model: 'local-model-1',
      prLink,
      createdAt: '2026-11-02T09:00:00.000Z',
      archivedAt: status === 'archived' ? '2026-11-02T10:00:00.000Z' : null,
    };
    return { status: 200, value };
  }

  async #serve(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    const body = await text(request);
    const { method = '', url = '', headers } = request;
    const { projectId = PROJECT_ID } = this.#options;
    const root = `/v2/agent/${encodeURIComponent(projectId)}/`;
    const path = url.startsWith(root) ? url.slice(root.length) : url;
    const prompt = promptIn(body);
    const earlier = this.requests.filter((other) => other.method === method).length;
    const seen = { method, path, headers, earlier, ...(prompt !== undefined && { prompt }) };
    this.requests.push(seen);
    const fault = this.fault(seen);
    switch (fault?.kind) {
      case undefined:
        return send(response, this.#take(seen, body));
      case 'response':
        return send(response, { status: fault.status, value: fault.body }, fault.headers);
      case 'hang':
        return;
      case 'close':
      case 'lost':
        if (fault.kind === 'lost') this.#take(seen, body);
        request.socket.destroy();
        return;
      case 'cut':
        if (/^HTTP\/1.1 2/.test(fault.bytes)) this.#take(seen, body);
        request.socket.end(fault.bytes);
    }
  }

  /** Does what the contract says, and returns the response. */
  #take({ method, path, headers, prompt }: SeenRequest, body: string): Reply {
    if (headers.authorization !== `Bearer ${ADMIN_API_KEY}`) return error(401, 'Unauthorized');
    const [, id, message] = /^job(?:\/([^/]+)(\/message)?)?$/.exec(path) ?? [];
    if (!/^job(\/|$)/.test(path)) return error(404, 'Project not found');
    const isWrite = id === undefined || message !== undefined;
    if (method !== (isWrite ? 'POST' : 'GET')) return error(404, 'Not found');
    if (isWrite && !headers['content-type']?.startsWith('application/json')) {
      return error(400, 'Content-Type must be application/json');
    }
    if (isWrite && !prompt) return error(400, body === '' ? 'no body' : 'prompt is required');
    if (id === undefined) {
      const job = this.#jobs.get(this.addJob());
      return job === undefined ? error(500, 'no job') : { ...this.#shown(job), status: 201 };
    }
    const job = this.#jobs.get(decodeURIComponent(id));
    if (job === undefined || this.#stateOf(job).status === 'gone') {
      return error(404, 'Job not found');
    }
    if (!isWrite) {
      const shown = this.#shown(job);
      job.reads += 1;
      return shown;
    }
    job.before = this.#stateOf(job);
    job.since = this.#date();
    job.reads = 0;
    job.script = this.script;
    return this.#shown(job);
  }
}

const error = (status: number, text: string): Reply => ({ status, value: { error: text } });

function promptIn(body: string): string | undefined {
  try {
    const { prompt } = JSON.parse(body);
    return typeof prompt === 'string' ? prompt : undefined;
  } catch {
    return undefined;
  }
}

function send(
  response: http.ServerResponse,
  { status, value }: Reply,
  headers: http.OutgoingHttpHeaders = {},
): void {
  const said = value ?? { error: `told to say ${status}` };
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(typeof said === 'string' ? said : JSON.stringify(said));
}
