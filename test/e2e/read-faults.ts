/**
 * The faults that are tested while an agent job is read. Tests and .github/FAULTS.md are made from
 * this table.
 */
import { first, reply, type ServiceOptions } from '../support/agent-service.ts';

export interface ReadFault {
  readonly fault: string;
  readonly behaviour: string;
  readonly intercept: NonNullable<ServiceOptions['intercept']>;
  readonly end: 'goes on' | 'stops';
  readonly says?: RegExp;
}

const says = (status: number, body: unknown, headers: Record<string, string> = {}) =>
  first('GET', ({ response }) => reply(response, status, body, headers));

const passes = (fault: string, intercept: ReadFault['intercept']): ReadFault => ({
  fault,
  behaviour: 'is read again until the end is seen',
  intercept,
  end: 'goes on',
});

const stops = (status: number, message: RegExp): ReadFault => ({
  fault: `HTTP ${status}`,
  behaviour: 'ends the wait at once, with the id of the agent job',
  intercept: says(status, { error: `told to say ${status}` }),
  end: 'stops',
  says: message,
});

export const READ_FAULTS: readonly ReadFault[] = [
  passes(
    'connection closed before the answer',
    first('GET', ({ socket }) => socket.destroy()),
  ),
  passes(
    'answer cut in its body',
    first('GET', ({ socket }) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 500\r\n\r\n{"id"', () => socket.destroy());
    }),
  ),
  ...[408, 425, 429, 500, 502, 503, 504].map((status) =>
    passes(`HTTP ${status}`, says(status, { error: `told to say ${status}` })),
  ),
  passes('HTTP 429 with Retry-After', says(429, { error: 'x' }, { 'retry-after': '1' })),
  passes(
    'HTTP 404 just after the agent job was created here',
    says(404, { error: 'Job not found' }),
  ),
  passes('an answer that is not JSON', says(200, '<html>Just a moment</html>')),
  passes('JSON that is not an agent job', says(200, '[]')),
  passes('an agent job without a status', says(200, { id: 'job_1' })),
  passes('another agent job', says(200, { id: 'job_2', status: 'completed' })),
  passes('an answer over 1 MiB', says(200, 'x'.repeat(1_100_000))),
  passes('a redirect', says(302, '', { location: 'http://127.0.0.1:1/' })),
  passes(
    'a redirect whose body is an agent job that has ended',
    says(302, { id: 'job_1', status: 'archived' }, { location: '/elsewhere' }),
  ),
  stops(400, /HTTP 400/),
  stops(401, /HTTP 401 \(the service said `told to say 401`\)\. Check `adminApiKey`/),
  stops(403, /HTTP 403.*allow-list/),
  stops(410, /HTTP 410/),
];
