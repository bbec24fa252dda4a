import type { Effects, Http } from '../effects/effects.ts';
import { RunError } from '../model/run-error.ts';
import type { AgentApi } from './api.ts';

/** No agent job has this ID, so the response to a valid key is 404. */
const UNUSED_ID = 'dry-run-access-check';
const ACCESS_LIMIT_MS = 10_000;

/**
 * Checks that the service accepts the key, and warns about any other failure. Throws a `RunError`
 * when the service refuses the key, and the signal's reason after a cancel.
 */
export async function checkAccess(
  api: AgentApi,
  { runner, signal }: Pick<Effects, 'runner' | 'signal'>,
): Promise<void> {
  const read = await api.readJob(UNUSED_ID, ACCESS_LIMIT_MS);
  signal.throwIfAborted();
  if (read.kind === 'job' || read.kind === 'not-found') {
    runner.info("Mintlify's agent API accepted the key. A dry run does not check `projectId`.");
    return;
  }
  const { error, advice, status } = read;
  if (status === 401 || status === 403) {
    const message = `Mintlify's agent API refused the key: ${error}. ${advice} Nothing was sent.`;
    throw new RunError('The key was refused', message);
  }
  const title = 'Docs agent: the key could not be checked';
  runner.annotate('warning', title, `Mintlify's agent API gave no usable response: ${error}.`);
}

/** Throws a `RunError` when Node doesn't verify certificates, before any key or token is sent. */
export function checkCertificates({ isTlsVerified }: Pick<Http, 'isTlsVerified'>): void {
  if (!isTlsVerified) throw new RunError('Certificates are not checked', TLS_NOT_VERIFIED);
}

const TLS_NOT_VERIFIED =
  'Nothing was sent, because `NODE_TLS_REJECT_UNAUTHORIZED` is `0`: without a check of certificates, anyone on the way to the service could read the key. Remove the variable. For a certificate of a private authority, set `NODE_EXTRA_CA_CERTS` to the path of its PEM file.';
