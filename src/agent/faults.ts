/** What became of a request, in words: what failed, what the other side said, what to do next. */
import type { Answer, Delivery } from '../effects/effects.ts';
import { isTrustFault } from '../retry.ts';
import { quote } from '../text.ts';
import { parseError } from './job.ts';

/** What happened to a request, with what the other side said. */
export function describe(delivery: Delivery): string {
  switch (delivery.kind) {
    case 'not-sent':
      return `no connection could be made (${quote(delivery.fault)})`;
    case 'lost':
      return `the request was sent and no answer came (${quote(delivery.fault)})`;
    case 'answer':
      return describeAnswer(delivery);
  }
}

function describeAnswer({ status, body }: Answer): string {
  if ('fault' in body)
    return `HTTP ${status}, and the rest was not readable (${quote(body.fault)})`;
  const said = parseError(body.text);
  return said === ''
    ? `HTTP ${status} without a word`
    : `HTTP ${status}, the service said ${quote(said)}`;
}

/** What to do next, by what usually stands behind an answer of the agent API. */
export function advice(delivery: Delivery): string {
  if (delivery.kind !== 'answer') {
    return delivery.kind === 'not-sent' && isTrustFault(delivery.code)
      ? 'For a private certificate authority set the environment variable `NODE_EXTRA_CA_CERTS` to its PEM file.'
      : 'Check `baseUrl`, and the proxy and firewall of the runner.';
  }
  switch (delivery.status) {
    case 400:
      return 'Check `prompt` and `projectId`.';
    case 401:
      return 'Check `adminApiKey`: it was refused or has expired.';
    case 403:
      return 'The key is not allowed to do this: it has the wrong scope, or the IP address of this runner is not on its allow-list (hosted runners change theirs).';
    case 404:
      return 'Check `projectId`, and `jobId` if you gave one.';
    case 429:
      return 'The service allows 100 jobs and messages per project and hour. Run again later.';
    default:
      return 'Run again later.';
  }
}
