#!/usr/bin/env bash
# octokit.paginate() leaves out a page, or everything after one, without an error.
#
# Expected: all pages, or an error.
# What happens, with three pages of two items and the second one in trouble:
#   its connection ends early  the items of pages 1 and 3
#   it is 200 and empty        the items of pages 1 and 3
#   it is 409                  the items of page 1
# @octokit/request turns a body that it cannot read whole into the string "", and the plugin turns
# that into an empty page, whose Link header still leads on. The plugin takes any 409 for the one
# that GitHub answers for the commits of an empty repository.
# Versions: @octokit/core 7.0.8, @octokit/request 10.0.16, @octokit/plugin-paginate-rest 16.0.0; the
# same with @actions/github 9.1.1, which brings its own copy of the plugin.
# Why it matters: an action that lists changed files, commits or runs works on a part of the list,
# and its log says nothing. Read the pages with a fetch that checks the whole body.
# Needs: npm, Node.js 20 or newer.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
npm init --yes > init.log
npm install --silent --no-audit --no-fund @octokit/core@7.0.8 @octokit/request@10.0.16 \
  @octokit/plugin-paginate-rest@16.0.0 @actions/github@9.1.1

cat > lists.mjs << 'EOF'
import { createServer } from 'node:http';
import { getOctokit } from '@actions/github';
import { Octokit } from '@octokit/core';
import { paginateRest } from '@octokit/plugin-paginate-rest';

let trouble;
const server = createServer((request, response) => {
  const page = Number(new URL(request.url, 'http://localhost').searchParams.get('page') ?? 1);
  const body = JSON.stringify([{ id: page * 10 }, { id: page * 10 + 1 }]);
  response.setHeader('content-type', 'application/json');
  if (page < 3) response.setHeader('link', `<${baseUrl}/items?page=${page + 1}>; rel="next"`);
  if (page !== 2 || trouble === 'none') return response.end(body);
  if (trouble === 'empty') return response.end();
  if (trouble === '409') {
    response.statusCode = 409;
    return response.end('{"message":"Conflict"}');
  }
  response.setHeader('content-length', body.length);
  response.write(body.slice(0, 8), () => response.destroy());
});
await new Promise((listening) => server.listen(0, '127.0.0.1', listening));
const baseUrl = `http://127.0.0.1:${server.address().port}`;

const clients = {
  octokit: new (Octokit.plugin(paginateRest))({ baseUrl }),
  toolkit: getOctokit('token', { baseUrl }),
};
for (const [name, client] of Object.entries(clients)) {
  for (trouble of ['none', 'cut', 'empty', '409']) {
    const ids = await client.paginate('GET /items').then(
      (items) => items.map((item) => item.id).join(' '),
      (error) => `error: ${error.message}`,
    );
    console.log(`${name}, page 2 ${trouble}: ${ids}`);
  }
}
server.close();
server.closeAllConnections();
EOF
cat > expected << 'EOF'
octokit, page 2 none: 10 11 20 21 30 31
octokit, page 2 cut: 10 11 30 31
octokit, page 2 empty: 10 11 30 31
octokit, page 2 409: 10 11
toolkit, page 2 none: 10 11 20 21 30 31
toolkit, page 2 cut: 10 11 30 31
toolkit, page 2 empty: 10 11 30 31
toolkit, page 2 409: 10 11
EOF
node lists.mjs | tee seen
diff expected seen
echo "As recorded."
