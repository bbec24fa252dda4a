import http from 'node:http';
import https from 'node:https';
import type { Duplex } from 'node:stream';
import { getProxyUrl } from '@actions/http-client/lib/proxy';
import { PROXY_NOT_SUPPORTED } from './effects.ts';

/** The variables that the runner sets for its proxy, in lower and upper case. */
const PROXY_VARIABLES = ['http_proxy', 'HTTP_PROXY', 'https_proxy', 'HTTPS_PROXY'];

/**
 * Rewrites the proxy variables so that the toolkit reads them as people mean them. A proxy without
 * a scheme gets `http://`, because the toolkit would take the host's name for the scheme. What a URL
 * cannot contain is encoded in user and password, because the toolkit ignores what it cannot read. White
 * space alone is no proxy, and the toolkit would throw.
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
    // If it is still not a URL, it gets a scheme that `proxyFor` refuses.
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

/** The text without its escapes, or `undefined` when they are not UTF-8. */
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
 * The proxies' passwords, as written and as decoded, and with the user as a proxy is sent them. A
 * user alone is no secret, and may be an ordinary word.
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
 * The proxy for a URL, if any, by the toolkit's rule (`https_proxy`, `http_proxy` and `no_proxy`,
 * never for the loopback host), after {@link normalizeProxyVariables}. Throws for one that speaks
 * neither HTTP nor HTTPS, such as SOCKS.
 */
export function proxyFor(url: URL): URL | undefined {
  const proxy = getProxyUrl(url);
  if (proxy === undefined || ['http:', 'https:'].includes(proxy.protocol)) return proxy;
  if (proxy.protocol === 'unreadable:') throw proxyError('the proxy of the runner is not a URL');
  throw proxyError(`the proxy of the runner is a ${proxy.protocol.slice(0, -1)} proxy`);
}

/**
 * The agent for requests to the host of a URL, through its proxy if it has one. Node's own agents
 * know proxies: they ask for a tunnel (CONNECT) for https, and send the whole URL for http. Throws
 * on a Node whose agents do not, because they would go around the proxy.
 * https://nodejs.org/api/http.html#built-in-proxy-support
 */
export function agentFor(url: URL, keepAlive: boolean): http.Agent {
  const isSecure = url.protocol === 'https:';
  const proxy = proxyFor(url);
  if (proxy === undefined) return new (isSecure ? https : http).Agent({ keepAlive });
  // This flag of Node came with the option `proxyEnv` of its agents, in 24.5.
  if (!process.allowedNodeEnvironmentFlags.has('--use-env-proxy')) {
    const message = `Node.js ${process.versions.node} cannot use the proxy of the runner: version 24.5 is needed`;
    throw proxyError(message);
  }
  if (isSecure) return new TunnelAgent({ keepAlive, proxyEnv: { https_proxy: proxy.href } });
  return new http.Agent({ keepAlive, proxyEnv: { http_proxy: proxy.href } });
}

/** Of a proxy's response to CONNECT. Most come in one. Many more would hold the process. */
const MAX_PARTS = 14;

/** Closes the sockets of tunnels that are being made or were refused, as Node's agent forgets them. */
class TunnelAgent extends https.Agent {
  readonly #sockets = new Set<Duplex>();

  override createConnection(
    options: https.RequestOptions,
    callback: (error: Error | null, stream: Duplex) => void,
  ) {
    const socket = super.createConnection(options, (error, stream) => {
      // Nobody listens to this one any more, so a reset of it would be an uncaught error.
      if (error) socket?.destroy();
      callback(error, stream);
    });
    if (!socket) return socket;
    this.#sockets.add(socket.once('close', () => this.#sockets.delete(socket)));
    // With each part of the proxy's response, each of Node's listeners adds itself once more.
    socket.on('readable', () => {
      const isHeld = socket.listenerCount('readable') > 2 ** MAX_PARTS;
      if (isHeld) socket.destroy(new Error('the response of the proxy comes in too many parts'));
    });
    return socket;
  }

  override destroy(): void {
    // Without an error, a request that waits for its tunnel would wait on.
    for (const socket of this.#sockets) socket.destroy(new Error('the connection was closed'));
    super.destroy();
  }
}

/** Up to 24.16, Node's errors name a proxy with its user and password. */
export const withoutProxyCredentials = (error: string) =>
  error.replace(/(?<= via https?:\/\/)\S*@/, '');
