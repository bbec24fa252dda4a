#!/usr/bin/env bash
# getOctokit() of @actions/github forgets the runner's proxy as soon as it gets `request` options.
#
# Expected: `getOctokit(token, { request: { retries: 1 } })`, as @octokit/plugin-retry's settings
# are given, still goes through the proxy, and a `baseUrl` in no_proxy does not.
# What happens: the toolkit keeps its proxy in the default `request.fetch`. Any `request` object,
# even an empty one, takes that object's place, and requests go out directly. The default is chosen
# when the module is loaded, for GITHUB_API_URL, so it also carries a `baseUrl` that no_proxy names.
# Versions: @actions/github 9.1.1.
# Why it matters: an action works everywhere but on self-hosted runners behind a proxy, where its
# requests end in ENOTFOUND or ETIMEDOUT although the proxy is set and the other steps use it.
# Needs: npm, Node.js 20 or newer.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
npm init --yes > init.log
npm install --silent --no-audit --no-fund @actions/github@9.1.1

cat > proxies.mjs << 'EOF'
import { createServer } from 'node:http';
import { connect } from 'node:net';

const listen = async (server) => {
  await new Promise((listening) => server.listen(0, '127.0.0.1', listening));
  return server.address().port;
};
const api = createServer((_request, response) => {
  response.setHeader('content-type', 'application/json');
  response.end('{}');
});
const apiPort = await listen(api);
let tunnels;
const proxy = createServer().on('connect', (_request, client) => {
  tunnels += 1;
  const upstream = connect(apiPort, '127.0.0.1', () => {
    client.write('HTTP/1.1 200 Connection established\r\n\r\n');
    upstream.pipe(client).pipe(upstream);
  });
  client.on('error', () => upstream.destroy());
  upstream.on('error', () => client.destroy());
});

for (const name of Object.keys(process.env)) {
  if (/_proxy$/i.test(name)) delete process.env[name];
}
process.env.http_proxy = `http://127.0.0.1:${await listen(proxy)}`;
process.env.no_proxy = 'direct.invalid';
// The top-level domain `invalid` never resolves, so only the proxy can reach these hosts.
process.env.GITHUB_API_URL = `http://api.invalid:${apiPort}`;
const { getOctokit } = await import('@actions/github');

const show = async (title, options) => {
  tunnels = 0;
  const result = await getOctokit('token', options)
    .request('GET /zen')
    .then((response) => response.status, () => 'error');
  console.log(`${title}: ${result}, ${tunnels === 0 ? 'without' : 'through'} the proxy`);
};
await show('no options', {});
await show('userAgent', { userAgent: 'finding' });
await show('request: { retries: 1 }', { request: { retries: 1 } });
await show('request: {}', { request: {} });
await show('baseUrl in no_proxy', { baseUrl: `http://direct.invalid:${apiPort}` });
process.exit();
EOF
cat > expected << 'EOF'
no options: 200, through the proxy
userAgent: 200, through the proxy
request: { retries: 1 }: error, without the proxy
request: {}: error, without the proxy
baseUrl in no_proxy: 200, through the proxy
EOF
node proxies.mjs | tee seen
diff expected seen
echo "As recorded."
