#!/usr/bin/env bash
# `git clone` and `git ls-remote` take a web page, or nothing at all, for an empty repository.
#
# Expected: an error if the server answers 200 with an HTML page (a sign-in, a notice of
# maintenance, a filter of the network) or with an empty body instead of a list of refs.
# What happens: git falls back to the dumb protocol, where a body without a line break is a list
# without refs. ls-remote prints nothing and exits with 0, with --exit-code with 2 as for a branch
# that does not exist; clone warns of an empty repository and exits with 0; fetch and push fail.
# dulwich reads the empty body in the same way, and refuses the page. pygit2 and isomorphic-git
# refuse both.
# Versions: the git in PATH (2.39.5, 2.55.0, next of 2026-08-20), dulwich 1.2.21, pygit2 1.21.0,
# isomorphic-git 1.44.19.
# Why it matters: an action that asks "is this branch, tag or ref still there?" hears that it was
# deleted. Ask for a ref that always exists as well (HEAD), or ask once more.
# Needs: git with support for HTTP, npm, Node.js 20 or newer, Python 3 with venv.
set -euo pipefail
work=$(mktemp -d)
trap 'kill $(jobs -p) 2> /dev/null || true; rm -rf "$work"' EXIT
cd "$work"
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1 no_proxy=127.0.0.1
export GIT_DEFAULT_HASH=sha1 GIT_DEFAULT_REF_FORMAT=files

npm init --yes > init.log
npm install --silent --no-audit --no-fund isomorphic-git@1.44.19
python3 -m venv python
python/bin/pip install --quiet --disable-pip-version-check pygit2==1.21.0 dulwich==1.2.21

cat > serve.mjs << 'EOF'
import { createServer } from 'node:http';

const server = createServer((request, response) => {
  response.setHeader('content-type', 'text/html');
  response.end(request.url.startsWith('/page') ? '<html>Back in five minutes</html>' : '');
});
server.listen(0, '127.0.0.1', () => console.log(server.address().port));
EOF
node serve.mjs > port &
until [ -s port ]; do sleep 0.1; done

cat > list.mjs << 'EOF'
import git from 'isomorphic-git';
import http from 'isomorphic-git/http/node';

console.log(await git.listServerRefs({ http, url: process.argv[2] }));
EOF
cat > pygit2.list.py << 'EOF'
import sys

import pygit2

print(pygit2.init_repository('empty').remotes.create_anonymous(sys.argv[1]).list_heads())
EOF
cat > dulwich.list.py << 'EOF'
import sys

from dulwich import porcelain

print(porcelain.ls_remote(sys.argv[1]).refs)
EOF

# try NAME COMMAND...
try() {
  local name=$1 result=0
  shift
  "$@" > try.log 2>&1 || result=$?
  echo "$body, $name: exit $result"
}
cat > expected << 'EOF'
page, git ls-remote: exit 0
page, git ls-remote --exit-code: exit 2
page, git clone: exit 0
page, git fetch: exit 128
page, isomorphic-git: exit 1
page, pygit2: exit 1
page, dulwich: exit 1
nothing, git ls-remote: exit 0
nothing, git ls-remote --exit-code: exit 2
nothing, git clone: exit 0
nothing, git fetch: exit 128
nothing, isomorphic-git: exit 1
nothing, pygit2: exit 1
nothing, dulwich: exit 0
EOF
git --version
git init --quiet client
for body in page nothing; do
  url="http://127.0.0.1:$(cat port)/$body/r.git"
  try 'git ls-remote' git ls-remote "$url" refs/heads/main
  try 'git ls-remote --exit-code' git ls-remote --exit-code "$url" refs/heads/main
  try 'git clone' git clone "$url" "clone-$body"
  try 'git fetch' git -C client fetch "$url" main
  try isomorphic-git node list.mjs "$url"
  try pygit2 python/bin/python pygit2.list.py "$url"
  try dulwich python/bin/python dulwich.list.py "$url"
done | tee seen
diff expected seen
echo "As recorded."
