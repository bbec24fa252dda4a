#!/usr/bin/env bash
# git reports its own successful push as refused, because libcurl sends it twice.
#
# Expected: if the server carries out a push and the connection ends before its response, the client
# says that it got none, and nothing is sent again: a push is a POST.
# What happens: the POST goes out on the connection that brought the list of refs. libcurl takes a
# reused connection that ends without a byte for one that had been closed before, and sends the
# request again on a new one. The second push finds the ref that the first one made, so git prints
# "[remote rejected] (failed to update ref)" (or "(reference already exists)"), exits with 1, and
# the push is in place. isomorphic-git, pygit2 and dulwich send it once and raise.
# Versions: the git in PATH (2.39.5 with libcurl 7.88.1; 2.55.0), isomorphic-git 1.44.19, pygit2
# 1.21.0, dulwich 1.2.21.
# Why it matters: an action that pushes a tag, a release commit or a lock and takes "rejected" for
# "another run was faster" gives up, or does the work again. After a refusal, read the ref: it may
# be at one's own commit.
# Needs: git with http-backend, npm, Node.js 20 or newer, Python 3 with venv.
set -euo pipefail
work=$(mktemp -d)
trap 'kill $(jobs -p) 2> /dev/null || true; rm -rf "$work"' EXIT
cd "$work"
export GIT_CONFIG_GLOBAL="$work/gitconfig" GIT_CONFIG_NOSYSTEM=1 no_proxy=127.0.0.1
export GIT_DEFAULT_HASH=sha1 GIT_DEFAULT_REF_FORMAT=files
git config --global user.name 'A Person'
git config --global user.email person@example.com

npm init --yes > init.log
npm install --silent --no-audit --no-fund isomorphic-git@1.44.19
python3 -m venv python
python/bin/pip install --quiet --disable-pip-version-check pygit2==1.21.0 dulwich==1.2.21

git init --quiet --initial-branch=main client
git -C client commit --quiet --allow-empty --message one

# Serves served/NAME.git by git's own CGI program. The first push to each repository is carried out,
# but its connection is closed instead of the response. Writes `NAME` to `pushes` for each push.
cat > serve.mjs << 'EOF'
import { spawn } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { createServer } from 'node:http';

const lost = new Set();
const server = createServer((request, response) => {
  const { pathname, search } = new URL(request.url, 'http://localhost');
  const cgi = spawn('git', ['http-backend'], {
    stdio: ['pipe', 'pipe', 'ignore'],
    env: {
      ...process.env,
      GIT_PROJECT_ROOT: `${process.cwd()}/served`,
      GIT_HTTP_EXPORT_ALL: '1',
      REMOTE_USER: 'person',
      REQUEST_METHOD: request.method,
      PATH_INFO: pathname,
      QUERY_STRING: search.slice(1),
      CONTENT_TYPE: request.headers['content-type'] ?? '',
      HTTP_CONTENT_ENCODING: request.headers['content-encoding'] ?? '',
    },
  });
  request.pipe(cgi.stdin).on('error', () => {});
  const pieces = [];
  cgi.stdout.on('data', (piece) => pieces.push(piece));
  cgi.stdout.on('end', () => {
    const name = pathname.split('/')[1].replace('.git', '');
    if (request.method === 'POST') {
      appendFileSync('pushes', `${name}\n`);
      if (!lost.has(name)) {
        lost.add(name);
        return request.socket.destroy();
      }
    }
    const output = Buffer.concat(pieces);
    const end = output.indexOf('\r\n\r\n');
    const type = /content-type: (.*)/i.exec(output.subarray(0, end))?.[1] ?? 'text/plain';
    response.setHeader('content-type', type);
    response.end(output.subarray(end + 4));
  });
});
server.listen(0, '127.0.0.1', () => console.log(server.address().port));
EOF
for name in git isomorphic-git pygit2 dulwich; do
  git init --quiet --bare "served/$name.git"
done
node serve.mjs > port &
until [ -s port ]; do sleep 0.1; done
base="http://127.0.0.1:$(cat port)"

cat > push.sh << 'EOF'
#!/bin/sh
exec git -C client push "$1" main
EOF
chmod +x push.sh
cat > push.mjs << 'EOF'
import fs from 'node:fs';
import git from 'isomorphic-git';
import http from 'isomorphic-git/http/node';

await git.push({ fs, http, dir: 'client', url: process.argv[2], ref: 'main' });
EOF
cat > pygit2.push.py << 'EOF'
import sys

import pygit2

pygit2.Repository('client').remotes.create_anonymous(sys.argv[1]).push(['refs/heads/main'])
EOF
cat > dulwich.push.py << 'EOF'
import sys

from dulwich import porcelain

porcelain.push('client', sys.argv[1], 'refs/heads/main')
EOF

# try NAME COMMAND...
try() {
  local name=$1 result=0
  shift
  "$@" "$base/$name.git" > "$name.log" 2>&1 || result=$?
  echo "$name: exit $result, $(grep -cx "$name" pushes) sent, $(git --git-dir="served/$name.git" \
    for-each-ref | wc -l | tr -d ' ') ref on the server"
}
cat > expected << 'EOF'
git: exit 1, 2 sent, 1 ref on the server
isomorphic-git: exit 1, 1 sent, 1 ref on the server
pygit2: exit 1, 1 sent, 1 ref on the server
dulwich: exit 1, 1 sent, 1 ref on the server
git says: [remote rejected]
EOF
git --version
{
  try git ./push.sh
  try isomorphic-git node push.mjs
  try pygit2 python/bin/python pygit2.push.py
  try dulwich python/bin/python dulwich.push.py
  echo "git says: $(grep -o '\[remote rejected\]' git.log)"
} | tee seen
diff expected seen
grep 'remote' git.log
echo "As recorded."
