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
 * cannot contain is encoded in user and password, because the toolkit ignores what it cannot read.
 */
export function normalizeProxyVariables(environment: NodeJS.ProcessEnv): void {
  for (const name of PROXY_VARIABLES) {
    const proxy = environment[name]?.trim();
    if (!proxy) continue;
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
  const encoded = decode(escaped) === undefined ? credentials.replaceAll('%', '%25') : escaped;
  return encoded.replace(/[/?#@\\[\]\s]/g, encodeURIComponent);
}

/** The text without its escapes, or `undefined` when they are not UTF-8. */
function decode(text: string): string | undefined {
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
      const user = decode(username) ?? username;
      const plain = decode(password) ?? password;
      return [password, plain, `${user}:${plain}`];
    })
    .filter((text) => text.length >= MIN_CREDENTIAL_LENGTH);
}

/** `code` is like those of Node's own errors. */
const proxyError = (message: string, code = PROXY_NOT_SUPPORTED) =>
  Object.assign(new Error(message), { code });

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
 * An agent whose connections go through a tunnel that an HTTP proxy makes (CONNECT, RFC 9110, section
 * 9.3.6). Node's own agents do this too, but up to Node 24.16 their errors contain the proxy's
 * password, and a refused tunnel leaves a socket behind whose reset would end the process.
 */
export class TunnelAgent extends https.Agent {
  readonly #proxy: URL;
  readonly #opening = new Set<http.ClientRequest>();

  constructor(proxy: URL, options: https.AgentOptions) {
    super(options);
    this.#proxy = proxy;
  }

  override createConnection(
    options: https.RequestOptions,
    callback?: (error: Error | null, stream: Duplex) => void,
  ): undefined {
    const connected = callback as (error: Error | null, stream?: Duplex) => void;
    const host = `${options.host}`;
    const target = `${host.includes(':') ? `[${host}]` : host}:${options.port}`;
    const headers = { host: target };
    const connect = { method: 'CONNECT', path: target, agent: false, headers } as const;
    const request = requestToProxy(this.#proxy, connect);
    this.#opening.add(request);
    request.on('close', () => this.#opening.delete(request));
    request.on('error', (error) => connected(error));
    request.on('connect', ({ statusCode, statusMessage = '' }, socket) => {
      // Node no longer handles errors of this socket, and an unhandled one ends the process.
      socket.on('error', () => undefined);
      if (`${statusCode}`.startsWith('2')) {
        connected(null, super.createConnection({ ...options, socket } as object) as Duplex);
        return;
      }
      socket.destroy();
      const said = `${statusCode} ${utf8Of(statusMessage)}`.trim();
      const message = `the proxy ${this.#proxy.host} responded with ${said} to CONNECT ${target}`;
      connected(proxyError(message, 'ERR_PROXY'));
    });
    request.end();
  }

  override destroy(): void {
    for (const request of this.#opening) request.destroy();
    super.destroy();
  }
}

/** Node reads the status line as Latin-1, but a server that echoes a text writes UTF-8. */
function utf8Of(text: string): string {
  const utf8 = Buffer.from(text, 'latin1').toString();
  return utf8.includes('\ufffd') ? text : utf8;
}

type ProxyOptions = http.RequestOptions & { readonly headers: http.OutgoingHttpHeaders };

/** A request to the proxy itself, with its user and password if it has any. Not sent yet. */
export function requestToProxy(proxy: URL, options: ProxyOptions): http.ClientRequest {
  return (proxy.protocol === 'https:' ? https : http).request({
    ...options,
    host: proxy.hostname.replace(/^\[|\]$/g, ''),
    port: proxy.port,
    headers: { ...options.headers, ...authorization(proxy) },
  });
}

function authorization({ username, password }: URL): http.OutgoingHttpHeaders {
  if (username === '' && password === '') return {};
  // In the toolkit's URL both are already decoded.
  const credentials = Buffer.from(`${username}:${password}`).toString('base64');
  return { 'proxy-authorization': `Basic ${credentials}` };
}
