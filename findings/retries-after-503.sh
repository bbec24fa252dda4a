#!/usr/bin/env bash
# Who waits for Retry-After, and who sends a POST again, of the clients that an action retries with.
#
# Expected: after 503 with `Retry-After: 34` the next try comes 34 s later. A POST, which the server
# may have carried out, is not sent again (RFC 9110, sections 9.2.2 and 10.2.3).
# What happens:
#   @octokit/plugin-retry       never reads Retry-After: waits 1, 4 and 9 s; sends a POST four
#                               times, and also a GraphQL mutation that "went wrong" on the server
#   the same, used again        keeps the count of tries in an object that all requests of a client
#                               share: the first wait is 1 s for the first request that fails once,
#                               4 s for the next one, and 9 s after one that failed twice
#   @octokit/plugin-throttling  reads it only for rate limits: ends with an error at once
#   @actions/http-client        never reads it: ten tries of a GET within about 5 s
#   undici's RetryAgent         reads it, but waits 30 s at most (maxTimeout), so asks too early
# Versions: @octokit/plugin-retry 8.1.1, @octokit/plugin-throttling 11.0.5, @octokit/core 7.0.8,
# @actions/http-client 4.0.1, undici 6.29.1 and 7.30.2.
# Why it matters: an action that polls an API comes back while it is told to stay away. One that
# creates a comment, a release or a paid job behind a gateway that answers 502 or 503 may make four.
# Needs: npm, Node.js 20.18 or newer. Takes 40 s.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
npm init --yes > init.log
npm install --silent --no-audit --no-fund @octokit/core@7.0.8 @octokit/plugin-retry@8.1.1 \
  @octokit/plugin-throttling@11.0.5 @actions/http-client@4.0.1 undici6@npm:undici@6.29.1 \
  undici7@npm:undici@7.30.2

cat > retries.mjs << 'EOF'
import { createServer } from 'node:http';
import { HttpClient } from '@actions/http-client';
import { Octokit } from '@octokit/core';
import { retry } from '@octokit/plugin-retry';
import { throttling } from '@octokit/plugin-throttling';
import * as undici6 from 'undici6';
import * as undici7 from 'undici7';

// When each client's requests arrived, in seconds since its first one.
const arrivals = {};
const server = createServer((request, response) => {
  request.resume().on('end', () => {
    const { pathname, searchParams } = new URL(request.url, 'http://localhost');
    const client = pathname.split('/')[1];
    arrivals[client] ??= [];
    arrivals[client].push(performance.now());
    response.setHeader('content-type', 'application/json');
    if (arrivals[client].length > Number(searchParams.get('failures') ?? 99)) {
      return response.end('{}');
    }
    if (pathname.endsWith('/graphql')) {
      const message = 'Something went wrong while executing your query.';
      return response.end(JSON.stringify({ data: null, errors: [{ message }] }));
    }
    response.writeHead(503, { 'retry-after': '34' });
    response.end('{}');
  });
});
await new Promise((listening) => server.listen(0, '127.0.0.1', listening));
const baseUrl = `http://127.0.0.1:${server.address().port}`;

const silent = { debug() {}, info() {}, warn() {}, error() {} };
const ask = () => true;
const retrying = () => new (Octokit.plugin(retry))({ baseUrl, log: silent });
const throttled = new (Octokit.plugin(throttling))({
  baseUrl,
  log: silent,
  throttle: { onRateLimit: ask, onSecondaryRateLimit: ask },
});
const toolkit = new HttpClient('finding', [], { allowRetries: true, maxRetries: 9 });
const agent = ({ Agent, RetryAgent, request }, name) =>
  request(`${baseUrl}/${name}`, { dispatcher: new RetryAgent(new Agent(), { maxRetries: 1 }) });

const ignored = () => {};
await Promise.all([
  retrying().request('GET /retry-get').catch(ignored),
  retrying().request('POST /retry-post').catch(ignored),
  retrying().graphql('mutation { x }', { baseUrl: `${baseUrl}/retry-mutation` }).catch(ignored),
  (async () => {
    const one = retrying();
    await one.request('GET /same-client-1?failures=1');
    await one.request('GET /same-client-2?failures=1');
    await one.request('GET /same-client-3?failures=2');
    await one.request('GET /same-client-4?failures=1');
  })(),
  throttled.request('GET /throttling').catch(ignored),
  toolkit.get(`${baseUrl}/http-client`).then((response) => response.readBody()),
  agent(undici6, 'undici6').catch(ignored),
  agent(undici7, 'undici7').catch(ignored),
]);
server.close();

for (const [client, times] of Object.entries(arrivals).sort()) {
  const waits = times.slice(1).map((time, at) => (time - times[at]) / 1000);
  const shown =
    client === 'http-client'
      ? `less than 15 s in all: ${waits.reduce((sum, wait) => sum + wait, 0) < 15}`
      : waits.map((wait) => Math.floor(wait + 0.1)).join(' ');
  console.log(`${client}: requests ${times.length}, waits ${shown || '-'}`);
}
process.exit();
EOF
cat > expected << 'EOF'
http-client: requests 10, waits less than 15 s in all: true
retry-get: requests 4, waits 1 4 9
retry-mutation: requests 4, waits 1 4 9
retry-post: requests 4, waits 1 4 9
same-client-1: requests 2, waits 1
same-client-2: requests 2, waits 4
same-client-3: requests 3, waits 4 4
same-client-4: requests 2, waits 9
throttling: requests 1, waits -
undici6: requests 2, waits 30
undici7: requests 2, waits 30
EOF
node retries.mjs | tee seen
diff expected seen
echo "As recorded."
