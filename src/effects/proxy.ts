import http from 'node:http';
import https from 'node:https';
import type { Duplex } from 'node:stream';
import { getProxyUrl } from '@actions/http-client/lib/proxy';
import { PROXY_NOT_SUPPORTED } from './effects.ts';

/** The variables that the runner sets for its proxy, in lower and upper case. */
const PROXY_VARIABLES = ['http_proxy', 'HTTP_PROXY', 'https_proxy', 'HTTPS_PROXY'];

/**
 * Rewrites the proxy variables so that the toolkit reads them as intended. Adds `http://` to a
 * proxy without a scheme, because the toolkit would take the host name for the scheme. Encodes
 * characters of the user and password that a URL can't contain, because the toolkit ignores what it
 * can't parse. Treats white space as no proxy, because the toolkit would throw.
 */
export function normalizeProxyVariables(environment: NodeJS.ProcessEnv): void {
  for (const name of PROXY_VARIABLES) {
    const proxy = environment[name]?.trim();
    if (proxy === undefined) continue;
    if (proxy === '') {
      environment[name] = '';
      continue;
    }
    const { scheme = 'http://', credentials, address } = PROXY.exec(proxy)?.groups ?? {};
    const before = credentials === undefined ? '' : `${encodeCredentials(credentials)}@`;
    const url = `${scheme}${before}${address}`;
    // If it still isn't a URL, use a scheme that `proxyFor` rejects.
    environment[name] = URL.canParse(url) ? url : 'unreadable://proxy';
  }
}

const PROXY = /^(?<scheme>[a-z][a-z\d+.-]*:\/\/)?(?:(?<credentials>.*)@)?(?<address>.*)$/is;

function encodeCredentials(credentials: string): string {
  const escaped = credentials.replace(/%(?![0-9a-f]{2})/gi, '%25');
  const encoded =
    decodeCredential(escaped) === undefined ? credentials.replaceAll('%', '%25') : escaped;
  return encoded.replace(/[/?#@\\[\]\s]/g, encodeURIComponent);
}

/** Decodes a text, or returns `undefined` when its escapes aren't UTF-8. */
function decodeCredential(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** Shorter credentials could be parts of ordinary words. */
const MIN_CREDENTIAL_LENGTH = 3;

/**
 * The proxies' passwords: as written, decoded, and in the `user:password` form that a proxy gets. A
 * user name alone is no secret, and may be an ordinary word.
 */
export function proxyCredentialsIn(environment: NodeJS.ProcessEnv): readonly string[] {
  return PROXY_VARIABLES.map((name) => environment[name] ?? '')
    .filter((proxy) => URL.canParse(proxy))
    .map((proxy) => new URL(proxy))
    .filter(({ password }) => password !== '')
    .flatMap(({ username, password }) => {
      const user = decodeCredential(username) ?? username;
      const plain = decodeCredential(password) ?? password;
      return [password, plain, `${user}:${plain}`];
    })
    .filter((text) => text.length >= MIN_CREDENTIAL_LENGTH);
}

const proxyError = (message: string) =>
  Object.assign(new Error(message), { code: PROXY_NOT_SUPPORTED });

/**
 * The proxy for a URL, if any, chosen as the toolkit does (`https_proxy`, `http_proxy` and
 * `no_proxy`, never for the loopback host). Call {@link normalizeProxyVariables} first. Throws for
 * a proxy that speaks neither HTTP nor HTTPS, such as SOCKS.
 */
export function proxyFor(url: URL): URL | undefined {
  const proxy = getProxyUrl(url);
  if (proxy === undefined || ['http:', 'https:'].includes(proxy.protocol)) return proxy;
  if (proxy.protocol === 'unreadable:') throw proxyError('the proxy of the runner is not a URL');
  throw proxyError(`the proxy of the runner is a ${proxy.protocol.slice(0, -1)} proxy`);
}

/**
 * The agent for requests to a URL's host, through its proxy if it has one. Node's own agents
 * support proxies: they request a tunnel (CONNECT) for https, and send the whole URL for http.
 * Throws on a Node version whose agents don't, because they would bypass the proxy.
 * https://nodejs.org/api/http.html#built-in-proxy-support
 */
export function agentFor(url: URL, keepAlive: boolean): http.Agent {
  const isSecure = url.protocol === 'https:';
  const proxy = proxyFor(url);
  if (proxy === undefined) return new (isSecure ? https : http).Agent({ keepAlive });
  // Node 24.5 added this flag together with the agents' `proxyEnv` option.
  if (!process.allowedNodeEnvironmentFlags.has('--use-env-proxy')) {
    const message = `Node.js ${process.versions.node} cannot use the proxy of the runner: version 24.5 is needed`;
    throw proxyError(message);
  }
  if (isSecure) return new TunnelAgent({ keepAlive, proxyEnv: { https_proxy: proxy.href } });
  return new http.Agent({ keepAlive, proxyEnv: { http_proxy: proxy.href } });
}

/**
 * The most parts that a proxy's response to CONNECT may have. Most come in one, and many more would
 * block the process.
 */
const MAX_PARTS = 14;

/** Closes the sockets of pending and refused tunnels, which Node's agent forgets. */
class TunnelAgent extends https.Agent {
  readonly #sockets = new Set<Duplex>();

  override createConnection(
    options: https.RequestOptions,
    callback: (error: Error | null, stream: Duplex) => void,
  ) {
    const socket = super.createConnection(options, (error, stream) => {
      // Nothing listens to this socket anymore, so a reset would be an uncaught error.
      if (error) socket?.destroy();
      callback(error, stream);
    });
    if (!socket) return socket;
    this.#sockets.add(socket.once('close', () => this.#sockets.delete(socket)));
    // For each part of the proxy's response, each of Node's listeners adds itself once more.
    socket.on('readable', () => {
      const isHeld = socket.listenerCount('readable') > 2 ** MAX_PARTS;
      if (isHeld) socket.destroy(new Error('the response of the proxy comes in too many parts'));
    });
    return socket;
  }

  override destroy(): void {
    // Without an error, a request waiting for its tunnel would wait forever.
    for (const socket of this.#sockets) socket.destroy(new Error('the connection was closed'));
    super.destroy();
  }
}

/** Up to version 24.16, Node's errors include a proxy's user and password. */
export const withoutProxyCredentials = (error: string) =>
  error.replace(/(?<= via https?:\/\/)\S*@/, '');
