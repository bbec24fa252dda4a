import http from 'node:http';
import https from 'node:https';
import { getProxyUrl } from '@actions/http-client/lib/proxy';
import { formatDuration } from '../duration.ts';
import type { Delivery, Http, HttpRequest } from './effects.ts';

/**
 * Node's own HTTP client, because only there can it be seen whether a request left: the request is
 * written after the connection (and TLS) stands, so a fault before that moment is certainly
 * `not-sent`. `fetch` and the clients built on it do not tell.
 *
 * Proxies: the toolkit's rule says which proxy is for a URL (the runner's `http_proxy`,
 * `https_proxy` and `no_proxy`, in both cases; never for the loopback host), Node's agent makes the
 * tunnel (https://nodejs.org/api/http.html#built-in-proxy-support).
 */
export function createHttp(): Http {
  const kept = new Map<string, http.Agent>();

  function agentFor(url: URL, method: HttpRequest['method']): http.Agent {
    // A write gets a connection of its own: one kept alive may be closed by the other side just as
    // it is used, and then nobody knows whether the write arrived.
    if (method === 'POST') return newAgent(url, false);
    const agent = kept.get(url.origin) ?? newAgent(url, true);
    kept.set(url.origin, agent);
    return agent;
  }

  return {
    send: (request) => send(request, agentFor),
    close() {
      for (const agent of kept.values()) agent.destroy();
    },
  };
}

function newAgent(url: URL, keepAlive: boolean): http.Agent {
  const proxy = getProxyUrl(url)?.href;
  const options = { keepAlive, ...(proxy === undefined ? {} : { proxyEnv: proxyEnv(proxy) }) };
  return url.protocol === 'https:' ? new https.Agent(options) : new http.Agent(options);
}

const proxyEnv = (proxy: string) => ({ http_proxy: proxy, https_proxy: proxy });

function send(
  { method, url, headers, body, timeoutMs, maxAnswerBytes, signal, graceMs }: HttpRequest,
  agentFor: (url: URL, method: HttpRequest['method']) => http.Agent,
): Promise<Delivery> {
  if (signal.aborted) {
    return Promise.resolve({ kind: 'not-sent', fault: 'the step was cancelled', code: 'ABORTED' });
  }
  return new Promise((resolve) => {
    const target = new URL(url);
    const isSecure = target.protocol === 'https:';
    const request = (isSecure ? https : http).request(target, {
      method,
      agent: agentFor(target, method),
      headers: {
        ...headers,
        ...(body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }),
      },
    });

    let isSent = false;
    let answer: http.IncomingMessage | undefined;
    let grace: NodeJS.Timeout | undefined;
    const limit = setTimeout(
      () => fail(`no whole answer within ${formatDuration(timeoutMs)}`),
      timeoutMs,
    );

    function settle(delivery: Delivery) {
      clearTimeout(limit);
      clearTimeout(grace);
      signal.removeEventListener('abort', onAbort);
      resolve(delivery);
    }

    function fail(fault: string, code = '') {
      if (answer !== undefined) settle(answered(answer, { fault }));
      else settle(isSent ? { kind: 'lost', fault } : { kind: 'not-sent', fault, code });
      request.destroy();
    }

    function onAbort() {
      const stop = () => fail('the step was cancelled', 'ABORTED');
      if (isSent && graceMs > 0) grace = setTimeout(stop, graceMs);
      else stop();
    }

    signal.addEventListener('abort', onAbort);
    request.on('error', (error: NodeJS.ErrnoException) => fail(faultOf(error), error.code));
    request.on('close', () =>
      fail(
        `the connection was closed ${answer === undefined ? 'before' : 'in the middle of'} the answer`,
      ),
    );
    request.once('socket', (socket) => {
      const deliver = () => {
        isSent = true;
        request.end(body);
      };
      // A tunnelled TLS socket arrives here with its handshake done, as a kept one does.
      const isSettingUp =
        'secureConnecting' in socket ? socket.secureConnecting : socket.connecting;
      if (isSettingUp) socket.once(isSecure ? 'secureConnect' : 'connect', deliver);
      else deliver();
    });
    request.once('response', (response) => {
      answer = response;
      const chunks: Buffer[] = [];
      let bytes = 0;
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes > maxAnswerBytes) fail(`the answer is larger than ${maxAnswerBytes} bytes`);
        else chunks.push(chunk);
      });
      response.on('end', () => {
        if (response.complete) {
          settle(answered(response, { text: Buffer.concat(chunks).toString('utf8') }));
        }
      });
      response.on('error', (error) => fail(faultOf(error)));
    });
  });
}

function answered(
  response: http.IncomingMessage,
  body: { text: string } | { fault: string },
): Delivery {
  return {
    kind: 'answer',
    status: response.statusCode ?? 0,
    retryAfter: response.headers['retry-after'],
    body,
  };
}

/** Node's errors for several addresses tried in turn (`AggregateError`) have no message of their own. */
function faultOf(error: NodeJS.ErrnoException): string {
  if (error.message !== '') return error.message;
  const causes = error instanceof AggregateError ? error.errors.map(String) : [];
  return causes.join('; ') || (error.code ?? error.name);
}
