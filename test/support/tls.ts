import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';

const FOLDER = resolve(import.meta.dirname, '../fixtures/tls');

/** For `NODE_EXTRA_CA_CERTS`. */
export const AUTHORITY_FILE = join(FOLDER, 'authority.pem');

/** A certificate from the test authority for 127.0.0.1, localhost, agent.test and github.test. */
export const tls = {
  key: readFileSync(join(FOLDER, 'server.key'), 'utf8'),
  cert: readFileSync(join(FOLDER, 'server.pem'), 'utf8'),
};

/** Trusts only the test authority in this process. Returns a function that undoes that. */
export function trustAuthority(): () => void {
  const systemCertificates = getCACertificates();
  setDefaultCACertificates([readFileSync(AUTHORITY_FILE, 'utf8')]);
  return () => setDefaultCACertificates(systemCertificates);
}
