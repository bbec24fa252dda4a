/** The faults that are tested in a create or message call. The tests are made from this table. */
import { first, reply, type ServiceOptions } from '../support/agent-service.ts';
import { tls } from '../support/tls.ts';

interface WriteFault {
  readonly fault: string;
  /** What the action does, for the table and the title of the test. */
  readonly behaviour: string;
  readonly service: ServiceOptions;
  readonly inputs?: Readonly<Record<string, string>>;
  /** POSTs that reached the service. */
  readonly posts: number;
  /** How the run ends. */
  readonly end: 'accepted' | 'not accepted' | 'may be accepted';
  /** Part of the error. */
  readonly says?: RegExp;
}

/** Responds to the first POST with a status, a body and headers, and later ones as usual. */
const says = (
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): ServiceOptions => ({
  intercept: first('POST', ({ response }) => reply(response, status, body, headers)),
});
const answers = (status: number, headers?: Record<string, string>) =>
  says(status, { error: `told to say ${status}` }, headers);

/** Writes raw bytes as the response to the first POST and closes the connection. */
const breaksOff = (bytes: string): ServiceOptions => ({
  intercept: first('POST', ({ socket }) => {
    socket.write(bytes, () => socket.destroy());
  }),
});

const sentAgain = (fault: string, service: ServiceOptions): WriteFault => ({
  fault,
  behaviour: 'is sent again, and accepted once',
  service,
  posts: 2,
  end: 'accepted',
});

const isUncertain = (fault: string, service: ServiceOptions, message: RegExp): WriteFault => ({
  fault,
  behaviour: 'is not sent again; the step fails and says that the call may have been accepted',
  service,
  posts: 1,
  end: 'may be accepted',
  says: message,
});

const cannotConnect = (fault: string, baseUrl: string, message: RegExp): WriteFault => ({
  fault,
  behaviour:
    'is sent again while no connection can be made; then the step fails and says that the call was not accepted',
  service: {},
  inputs: { baseUrl, timeout: '13s' },
  posts: 0,
  end: 'not accepted',
  says: message,
});

const refused = (status: number, message: RegExp): WriteFault => ({
  fault: `HTTP ${status}`,
  behaviour: 'is not sent again; the step fails and says that the call was not accepted',
  service: answers(status),
  posts: 1,
  end: 'not accepted',
  says: message,
});

export const WRITE_FAULTS: readonly WriteFault[] = [
  // Some resolvers do not answer in time. That counts as well.
  cannotConnect(
    'host name not found',
    'https://no-such-host.invalid',
    /[Nn]o connection could be made \(`(getaddrinfo E\w+ no-such-host\.invalid|no connection within)/,
  ),
  cannotConnect(
    'connection refused',
    'http://127.0.0.1:1',
    /[Nn]o connection could be made \(`connect ECONNREFUSED 127\.0\.0\.1:1`\)/,
  ),
  {
    fault: 'TLS certificate not trusted',
    behaviour: 'is not sent; the step fails at once and names NODE_EXTRA_CA_CERTS',
    service: { tls },
    posts: 0,
    end: 'not accepted',
    says: /unable to verify the first certificate.*NODE_EXTRA_CA_CERTS/,
  },
  {
    ...isUncertain(
      'connection closed before the request is read',
      { onConnection: (socket, count) => void (count === 1 && socket.destroy()) },
      /[Tt]he request was sent, but no response came/,
    ),
    posts: 0,
  },
  {
    ...isUncertain(
      'connection reset while a request of 9.5 MB is still being sent',
      {
        onConnection: (socket, count) => {
          if (count === 1) socket.once('data', () => socket.resetAndDestroy());
        },
      },
      /[Tt]he request was sent, but no response came/,
    ),
    inputs: { prompt: '', promptFile: 'large.txt' },
    posts: 0,
  },
  isUncertain(
    'connection closed after the request is read',
    { intercept: first('POST', ({ socket }) => socket.destroy()) },
    /[Tt]he request was sent, but no response came \(`socket hang up`\)/,
  ),
  isUncertain(
    'response cut in its head',
    breaksOff('HTTP/1.1 201 Created\r\ncontent-ty'),
    /[Tt]he request was sent, but no response came/,
  ),
  isUncertain(
    'response cut in its body',
    breaksOff('HTTP/1.1 201 Created\r\ncontent-length: 500\r\n\r\n{"id":"job_1","sta'),
    /HTTP 201, and the rest of the response could not be read/,
  ),
  {
    ...isUncertain(
      'no response within the time limit',
      { intercept: first('POST', () => undefined) },
      /no whole response within 10 s/,
    ),
    behaviour:
      'waits 10 s for the response, even past `timeout`; the step fails and says that the call may have been accepted',
    inputs: { timeout: '2s' },
  },
  sentAgain('HTTP 429 without Retry-After', answers(429)),
  sentAgain('HTTP 429 with Retry-After in seconds', answers(429, { 'retry-after': '1' })),
  {
    fault: 'HTTP 429 with a Retry-After beyond the timeout',
    behaviour:
      'is not sent again; the step fails at once, because the wait would leave less than 10 s of `timeout`',
    service: answers(429, { 'retry-after': '99999999999' }),
    posts: 1,
    end: 'not accepted',
    says: /less than 10 s of `timeout` would be left/,
  },
  {
    fault: 'HTTP 429 with a Retry-After of more than 10 minutes',
    behaviour:
      'is not sent again; the step fails at once, because HTTP 429 is retried for only 10 minutes, or a third of a `timeout` over 30 minutes',
    service: answers(429, { 'retry-after': '601' }),
    inputs: { timeout: '30m' },
    posts: 1,
    end: 'not accepted',
    says: /retried for at most 10 min\. .*asks to wait 10 min 1 s\. Press "Re-run failed jobs" after \d{4}-\d\d-\d\d \d\d:\d\d UTC\./,
  },
  isUncertain('HTTP 503 with Retry-After', answers(503, { 'retry-after': '1' }), /HTTP 503/),
  isUncertain('HTTP 503 without Retry-After', answers(503), /HTTP 503 \(the service said/),
  isUncertain(
    'a response with more than 64 kB of headers',
    answers(201, { 'x-long': 'h'.repeat(64 * 1024) }),
    /more than 64 kB of headers/,
  ),
  ...[408, 500, 502, 504].map((status) =>
    isUncertain(
      `HTTP ${status}`,
      answers(status),
      new RegExp(`HTTP ${status} \\(the service said \`told to say ${status}\`\\)`),
    ),
  ),
  isUncertain(
    'a redirect',
    answers(307, { location: '/elsewhere' }),
    /HTTP 307, a redirect, which is not followed/,
  ),
  isUncertain(
    'a redirect whose body is an agent job that has ended',
    says(302, { id: 'job_1', status: 'completed' }, { location: '/elsewhere' }),
    /HTTP 302/,
  ),
  isUncertain(
    'a response that is not JSON',
    says(201, '<h1>OK</h1>'),
    /not JSON: `a web page: OK`/,
  ),
  isUncertain(
    'a response over 1 MiB',
    says(201, 'x'.repeat(1_100_000)),
    /larger than 1048576 bytes/,
  ),
  isUncertain(
    'an agent job without an id',
    says(201, { status: 'active' }),
    /not an agent job \(no usable id\): `\{"status":"active"\}`/,
  ),
  isUncertain(
    'an agent job without a status',
    says(201, { id: 'job_77' }),
    /not an agent job \(no usable status\)/,
  ),
  refused(400, /Check `prompt` and `projectId`/),
  refused(401, /Check `adminApiKey`: it was refused or has expired/),
  refused(403, /that its allow-list has this runner's IP address/),
  refused(404, /Check `projectId`/),
];
