/** Fakes of the effects, passed as arguments. Time passes only when something waits for it. */
import type { Fault } from '../../src/agent/results.ts';
import type {
  Clock,
  Delivery,
  Http,
  HttpRequest,
  HttpResponse,
  Runner,
} from '../../src/effects/effects.ts';
import type { WorkflowEvent } from '../../src/github/github.ts';
import { payloadSchema } from '../../src/github/payload.ts';
import type { Annotation } from '../../src/model/annotation.ts';
import type { RunFacts } from '../../src/model/run-facts.ts';
import type { RunEffects } from '../../src/run.ts';

/** A first attempt of a workflow run, started by hand. */
export const FACTS: RunFacts = {
  actor: 'octocat',
  eventName: 'workflow_dispatch',
  runId: 500,
  attempt: 1,
  workflowJobKey: 'docs',
  isComposite: false,
  runnerName: 'GitHub Actions 7',
  step: 'docs',
  serverUrl: 'https://github.com',
  isFork: false,
  isForkPullRequest: false,
  repository: 'acme/app',
};

/** An event about commit `h` of `a/b`. */
export const eventOf = (
  name: string,
  payload: unknown = {},
  ref = 'refs/heads/main',
): WorkflowEvent => ({
  ...{ name, payload: payloadSchema.parse(payload), ref, sha: 'h', repository: 'a/b' },
});

export class FakeClock implements Clock {
  #now = 0;
  readonly slept: number[] = [];
  now(): number {
    return this.#now;
  }

  date(): number {
    return Date.UTC(2026, 0, 1) + this.#now;
  }

  random = () => 0.5;

  async sleep(ms: number, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    this.slept.push(ms);
    this.pass(ms);
  }

  async handleSignals(): Promise<void> {}

  pass(ms: number): void {
    this.#now += ms;
  }
}

/** Keeps what was written, and checks nothing. */
export class RecordingRunner implements Runner {
  readonly log: string[] = [];
  readonly annotations: { level: Annotation['level']; title: string; message: string }[] = [];
  readonly outputs: Record<string, string> = {};
  readonly summaries: string[] = [];
  readonly masks: string[] = [];

  mask(secret: string): void {
    this.masks.push(secret);
  }

  clean = (text: string): string => text;
  redact = (text: string): string => text;

  info(line: string): void {
    this.log.push(line);
  }

  debug(): void {}

  checkOutputs(): void {}

  annotate(level: Annotation['level'], title: string, message: string): void {
    this.annotations.push({ level, title, message });
  }

  setOutput(name: string, value: string): boolean {
    this.outputs[name] = value;
    return false;
  }

  async writeSummary(markdown: string): Promise<void> {
    this.summaries.push(markdown);
  }
}

/** A read with limits that no test reaches. */
export const requestTo = (url: string, more: Partial<HttpRequest> = {}): HttpRequest => ({
  ...{ method: 'GET', url, headers: {} },
  ...{ connectTimeoutMs: 5_000, timeoutMs: 5_000, maxResponseBytes: 100, graceMs: 0 },
  signal: new AbortController().signal,
  ...more,
});

export const response = (
  status: number,
  body: unknown = '',
  headers: Readonly<Record<string, string>> = {},
): HttpResponse => ({
  kind: 'response',
  status,
  headers,
  body: { kind: 'whole', text: typeof body === 'string' ? body : JSON.stringify(body) },
});

export const answer = (status: number, body: unknown, retryAfter?: string): Delivery =>
  response(status, body, retryAfter === undefined ? {} : { 'retry-after': retryAfter });

/** Returns the deliveries in turn, and then repeats the last one. */
export function inTurn(...deliveries: readonly Delivery[]): () => Delivery {
  let turn = 0;
  return () => {
    const delivery = deliveries[turn] ?? deliveries.at(-1);
    if (delivery === undefined) throw new Error('no delivery is given');
    turn += 1;
    return delivery;
  };
}

/** The result of a request without a usable response. */
export const fault = (kind: Fault['kind'], error: string, retryAfterMs?: number): Fault => ({
  kind,
  error,
  advice: 'Check.',
  retryAfterMs,
  namedId: undefined,
  status: undefined,
});

export interface FakeEffects extends RunEffects {
  readonly clock: FakeClock;
  readonly runner: RecordingRunner;
  readonly http: Http & { readonly requests: readonly HttpRequest[] };
  readonly abort: AbortController;
}

export function fakeEffects(
  send: (request: HttpRequest) => Delivery,
  more: Partial<RunEffects> = {},
): FakeEffects {
  const abort = new AbortController();
  const requests: HttpRequest[] = [];
  return {
    clock: new FakeClock(),
    runner: new RecordingRunner(),
    http: {
      isTlsVerified: true,
      requests,
      send: async (request: HttpRequest) => {
        requests.push(request);
        return send(request);
      },
    },
    abort,
    files: { read: () => Promise.reject(new Error('ENOENT')) },
    openGitHub: () => Promise.reject(new Error('no repository')),
    readEvent: () => eventOf('workflow_dispatch'),
    signal: abort.signal,
    ...more,
  } as unknown as FakeEffects;
}
