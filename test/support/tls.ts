import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const FOLDER = resolve(import.meta.dirname, '../fixtures/tls');

/** For `NODE_EXTRA_CA_CERTS`. */
export const AUTHORITY_FILE = join(FOLDER, 'authority.pem');

/** A certificate for 127.0.0.1, localhost, agent.test and github.test by the test authority. */
export const tls = {
  key: readFileSync(join(FOLDER, 'server.key'), 'utf8'),
  cert: readFileSync(join(FOLDER, 'server.pem'), 'utf8'),
};
