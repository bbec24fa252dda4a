#!/usr/bin/env bash
# What the toolkit's undici 6 sets up for Node's own fetch works on Node 24, and not on Node 26.
#
# Expected: setGlobalDispatcher() of a bundled undici (a proxy, a mock, a limit in time) holds for
# the global fetch, and a dispatcher can be passed to it, whatever Node runs the bundle.
# What happens: Node 24 brings undici 7, Node 26 brings undici 8. undici 8 keeps its dispatcher
# under another symbol and calls handlers by other names. undici 7 serves both; between 6 and 8
#   setGlobalDispatcher of 6   is ignored by fetch of 8 and of Node 26, without an error
#   a dispatcher of 6          makes fetch of 8 and of Node 26 fail ("invalid onError method")
#   a dispatcher of 8          makes fetch of 6, of 7 and of Node 24 fail
#   setGlobalDispatcher of 8   holds for 6 and 7 all the same
# Versions: undici 6.29.1 (of the major that @actions/http-client 4.0.1 and @actions/github 9.1.1
# bring), 7.30.2, 8.13.1; Node 24.21.0 (undici 7.29.1) and 26.10.0 (undici 8.10.2).
# Why it matters: an action is one bundle, but the runner chooses the Node. With a newer one the
# same bundle asks past the proxy or past its mock, or fails; getAgentDispatcher() of
# @actions/http-client is such a dispatcher. Use fetch and dispatcher of one copy of undici.
# Needs: npm on Linux, macOS or Windows; it installs both Nodes from npm.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
npm init --yes > init.log
npm install --silent --no-audit --no-fund --ignore-scripts=false node24@npm:node@24.21.0 \
  node26@npm:node@26.10.0 undici6@npm:undici@6.29.1 undici7@npm:undici@7.30.2 \
  undici8@npm:undici@8.13.1 @actions/http-client@4.0.1

cat > fetches.mjs << 'EOF'
import { createServer } from 'node:http';

const [setter, user, how] = process.argv.slice(2);
const server = createServer((_request, response) => response.end());
await new Promise((listening) => server.listen(0, '127.0.0.1', listening));
const url = `http://127.0.0.1:${server.address().port}`;

const { Agent, setGlobalDispatcher } = await import(setter);
let isUsed = false;
class Watched extends Agent {
  dispatch(...parameters) {
    isUsed = true;
    return super.dispatch(...parameters);
  }
}
const dispatcher = new Watched();
if (how === 'global') setGlobalDispatcher(dispatcher);
const { fetch } = user === 'node' ? globalThis : await import(user);
await fetch(url, how === 'passed' ? { dispatcher } : {}).then(
  () => console.log(isUsed ? 'used' : 'ignored'),
  () => console.log('fails'),
);
process.exit();
EOF
cat > toolkit.mjs << 'EOF'
import { createServer } from 'node:http';

let isAsked = false;
const proxy = createServer().on('connect', (_request, client) => {
  isAsked = true;
  client.end('HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\n\r\n');
});
await new Promise((listening) => proxy.listen(0, '127.0.0.1', listening));
process.env.https_proxy = `http://127.0.0.1:${proxy.address().port}`;
process.env.no_proxy = '';
const { HttpClient } = await import('@actions/http-client');
const url = 'https://api.invalid/';
const dispatcher = new HttpClient().getAgentDispatcher(url);
await fetch(url, { dispatcher }).catch(() => console.log(isAsked ? 'asked' : 'fails'));
process.exit();
EOF
cat > expected << 'EOF'
node24: global of undici6: undici6 used, undici7 used, undici8 ignored, node used
node24: global of undici7: undici6 used, undici7 used, undici8 used, node used
node24: global of undici8: undici6 used, undici7 used, undici8 used, node used
node24: passed of undici6: undici6 used, undici7 used, undici8 fails, node used
node24: passed of undici7: undici6 used, undici7 used, undici8 used, node used
node24: passed of undici8: undici6 fails, undici7 fails, undici8 used, node fails
node24: getAgentDispatcher of the toolkit: proxy asked
node26: global of undici6: undici6 used, undici7 used, undici8 ignored, node ignored
node26: global of undici7: undici6 used, undici7 used, undici8 used, node used
node26: global of undici8: undici6 used, undici7 used, undici8 used, node used
node26: passed of undici6: undici6 used, undici7 used, undici8 fails, node fails
node26: passed of undici7: undici6 used, undici7 used, undici8 used, node used
node26: passed of undici8: undici6 fails, undici7 fails, undici8 used, node used
node26: getAgentDispatcher of the toolkit: proxy fails
EOF
for node in node24 node26; do
  for how in global passed; do
    for setter in undici6 undici7 undici8; do
      row=
      for user in undici6 undici7 undici8 node; do
        row+="${row:+, }$user $(node_modules/$node/bin/node fetches.mjs "$setter" "$user" "$how")"
      done
      echo "$node: $how of $setter: $row"
    done
  done
  echo "$node: getAgentDispatcher of the toolkit: proxy $(node_modules/$node/bin/node toolkit.mjs)"
done | tee seen
diff expected seen
echo "As recorded."
