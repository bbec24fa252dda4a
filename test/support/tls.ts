import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const FOLDER = resolve(import.meta.dirname, '../fixtures/tls');
const read = (name: string) => readFileSync(join(FOLDER, name), 'utf8');

/** The test authority, which the processes of tests trust (`NODE_EXTRA_CA_CERTS`). */
export const AUTHORITY_FILE = join(FOLDER, 'authority.pem');

/** A certificate by the test authority for 127.0.0.1, localhost, agent.test and github.test. */
export const tls = { key: read('server.key'), cert: read('server.pem') };

/** A certificate that nobody signed. */
export const strangerTls = { key: tls.key, cert: read('stranger.pem') };
