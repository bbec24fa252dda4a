/** The faults that are tested while an agent job is read. The tests are made from this table. */
import { first, reply, type ServiceOptions } from '../support/agent-service.ts';

interface ReadFault {
  readonly fault: string;
  readonly behaviour: string;
  readonly intercept: NonNullable<ServiceOptions['intercept']>;
  readonly end: 'continues' | 'ends';
  readonly says?: RegExp;
}

const says = (status: number, body: unknown, headers: Record<string, string> = {}) =>
  first('GET', ({ response }) => reply(response, status, body, headers));

const isRetried = (fault: string, intercept: ReadFault['intercept']): ReadFault => ({
  fault,
  behaviour: 'is read again until the end is seen',
  intercept,
  end: 'continues',
});

const endsTheWait = (status: number, message: RegExp): ReadFault => ({
  fault: `HTTP ${status}`,
  behaviour: 'ends the wait at once, with the id of the agent job',
  intercept: says(status, { error: `told to say ${status}` }),
  end: 'ends',
  says: message,
});

export const READ_FAULTS: readonly ReadFault[] = [
  isRetried(
    'connection closed before the response',
    first('GET', ({ socket }) => socket.destroy()),
  ),
  isRetried(
    'response cut in its body',
    first('GET', ({ socket }) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 500\r\n\r\n{"id"', () => socket.destroy());
    }),
  ),
  ...[408, 425, 429, 500, 502, 503, 504].map((status) =>
    isRetried(`HTTP ${status}`, says(status, { error: `told to say ${status}` })),
  ),
  isRetried('HTTP 429 with Retry-After', says(429, { error: 'x' }, { 'retry-after': '1' })),
  isRetried(
    'HTTP 404 just after the agent job was created here',
    says(404, { error: 'Job not found' }),
  ),
  isRetried('a response that is not JSON', says(200, '<html>Just a moment</html>')),
  isRetried('JSON that is not an agent job', says(200, '[]')),
  isRetried('an agent job without a status', says(200, { id: 'job_1' })),
  isRetried('another agent job', says(200, { id: 'job_2', status: 'completed' })),
  isRetried('a response over 1 MiB', says(200, 'x'.repeat(1_100_000))),
  isRetried('a redirect', says(302, '', { location: 'http://127.0.0.1:1/' })),
  isRetried(
    'a redirect whose body is an agent job that has ended',
    says(302, { id: 'job_1', status: 'archived' }, { location: '/elsewhere' }),
  ),
  endsTheWait(400, /HTTP 400/),
  endsTheWait(401, /HTTP 401 \(the service said `told to say 401`\)\. Check `adminApiKey`/),
  endsTheWait(403, /HTTP 403.*allow-list/),
  endsTheWait(410, /HTTP 410/),
];
