import http from 'node:http';
import https from 'node:https';
import { textOfBody } from '../effects/body.ts';
import { newAgent } from '../effects/http.ts';
import { proxyCredentials, proxyFor, requestToProxy } from '../effects/proxy.ts';
import { messageOf } from '../lib/errors.ts';
import { redact, Secret } from '../lib/secrets.ts';

/**
 * GitHub's largest answers, pages of patches and lists of tags, are a few megabytes. Larger ones
 * would keep a cancel waiting while they are parsed.
 */
const MAX_RESPONSE_BYTES = 16 * 1024 * 1024;
const MAX_REDIRECTS = 5;

type Headers = Readonly<Record<string, string>>;

/** One agent for each origin, so that the pages of a list share a connection. */
const agents = new Map<string, http.Agent>();

/**
 * A `fetch` for Octokit over Node's own client, through the runner's proxy. Node's own `fetch`, which
 * is undici's, connects again thousands of times a second when a proxy closes each tunnel. This
 * one limits the body's size, and rejects when the body was cut, which Octokit would turn into an
 * empty string. Redirects are followed, as GitHub asks for.
 * https://docs.github.com/rest/using-the-rest-api/best-practices-for-using-the-rest-api#follow-redirects
 */
export const githubFetch: typeof fetch = async (address, options = {}) => {
  try {
    return await fetchOverAgent(new URL(String(address)), options);
  } catch (cause) {
    const secrets = proxyCredentials(process.env).map((secret) => new Secret(secret));
    throw new Error(redact(messageOf(cause), secrets), { cause });
  }
};

async function fetchOverAgent(
  url: URL,
  { headers = {}, signal }: RequestInit,
  redirects = 0,
): Promise<Response> {
  const response = await send(url, headers as Headers, signal ?? undefined);
  const { statusCode = 0, headers: answered } = response;
  const isRedirect = [301, 302, 303, 307, 308].includes(statusCode);
  if (isRedirect && answered.location !== undefined && redirects < MAX_REDIRECTS) {
    response.resume();
    const next = new URL(answered.location, url);
    const { authorization: _token, ...others } = headers as Headers;
    const kept = next.origin === url.origin ? headers : others;
    return fetchOverAgent(next, { headers: kept, signal: signal ?? null }, redirects + 1);
  }
  const text = await textOf(response);
  const isEmpty = [204, 205, 304].includes(statusCode);
  return new Response(isEmpty ? null : text, {
    status: statusCode,
    headers: {
      ...(answered as Headers),
      // Octokit leaves a text as it is. Its own parser is slow, and throws errors of its own for
      // numbers and depths that `JSON.parse` accepts.
      'content-type': 'text/plain',
    },
  });
}

function send(
  url: URL,
  headers: Headers,
  signal: AbortSignal | undefined,
): Promise<http.IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<http.IncomingMessage>();
  const request = requestFor(url, headers, signal);
  request.on('response', resolve);
  request.on('error', reject);
  // A server that switches protocols (HTTP 101) gives neither an answer nor an error.
  request.on('close', () => reject(new Error('the connection was closed without an answer')));
  request.end();
  return promise;
}

function requestFor(url: URL, headers: Headers, signal: AbortSignal | undefined) {
  const options = { headers, ...(signal === undefined ? {} : { signal }) };
  const proxy = proxyFor(url);
  if (url.protocol === 'http:' && proxy !== undefined) {
    // A proxy takes the whole URL of a request without TLS.
    return requestToProxy(proxy, {
      ...options,
      path: url.href,
      headers: { ...headers, host: url.host },
    });
  }
  const agent = agents.get(url.origin) ?? newAgent(url, true);
  agents.set(url.origin, agent);
  return (url.protocol === 'https:' ? https : http).request(url, { ...options, agent });
}

async function textOf(response: http.IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > MAX_RESPONSE_BYTES) {
      throw new Error(`the answer is larger than ${MAX_RESPONSE_BYTES} bytes`);
    }
  }
  return textOfBody(Buffer.concat(chunks), response.headers, MAX_RESPONSE_BYTES);
}
