#!/usr/bin/env bash
# A git server made of dulwich answers `ok` to a push that lost a race, and drops it.
#
# Expected: of two pushes that start from the same commit the server takes one. It refuses the other
# one, as git's own server does, and the client exits with 1.
# What happens: dulwich compares and sets the ref, so the branch keeps what came first, but it does
# not look at what the comparison gave and reports `ok`. git prints the new commit, exits with 0,
# and the commit is on no branch. Deleting a ref that has moved meanwhile is `ok` in the same way.
# The race is made certain by a pre-push hook: git runs it after it has read the server's refs.
# Versions: dulwich 1.2.21 (dulwich.web), and the git in PATH (2.39.5 and 2.55.0).
# Why it matters: whatever uses a push as a lock or a compare-and-swap (state in a ref, notes,
# release tags) has two winners on such a server. Read the ref back, or test against git's own
# server.
# Needs: git 2.28 or newer, Python 3 with venv.
set -euo pipefail
work=$(mktemp -d)
trap 'kill $(jobs -p) 2> /dev/null || true; rm -rf "$work"' EXIT
cd "$work"
export GIT_CONFIG_GLOBAL="$work/gitconfig" GIT_CONFIG_NOSYSTEM=1 no_proxy=127.0.0.1
export GIT_DEFAULT_HASH=sha1 GIT_DEFAULT_REF_FORMAT=files
git config --global user.name 'A Person'
git config --global user.email person@example.com
python3 -m venv python
python/bin/pip install --quiet --disable-pip-version-check dulwich==1.2.21

cat > serve.py << 'EOF'
from wsgiref.simple_server import WSGIRequestHandler, make_server

from dulwich.repo import Repo
from dulwich.server import DictBackend
from dulwich.web import make_wsgi_chain


class Quiet(WSGIRequestHandler):
    def log_message(self, *arguments):
        pass


application = make_wsgi_chain(DictBackend({'/r.git': Repo('dulwich.git')}))
server = make_server('127.0.0.1', 0, application, handler_class=Quiet)
print(server.server_port, flush=True)
server.serve_forever()
EOF

# race NAME URL REFSPEC: what the first writer hears if the second one pushes while it does.
race() {
  local name=$1 url=$2 refspec=$3 branch=${3#*:} result=0 winner=nobody
  printf '#!/bin/sh\nunset GIT_DIR\ngit -C "%s" push --quiet --force "%s" HEAD:%s\n' \
    "$work/second" "$url" "$branch" > first/.git/hooks/pre-push
  chmod +x first/.git/hooks/pre-push
  git -C first push --quiet "$url" "$refspec" > push.log 2>&1 || result=$?
  for writer in first second; do
    [ "$(git ls-remote "$url" "$branch" | cut -f1)" != "$(git -C "$writer" rev-parse HEAD)" ] ||
      winner=$writer
  done
  echo "$name, $refspec: exit $result for the first writer, $branch is the $winner writer's"
}

for server in git dulwich; do
  git init --quiet --bare --initial-branch=main "$server.git"
done
git init --quiet --initial-branch=main first
git -C first commit --quiet --allow-empty --message start
for server in git dulwich; do
  git -C first push --quiet "$work/$server.git" main main:gone
done
git clone --quiet "$work/git.git" second
for writer in first second; do
  git -C "$writer" commit --quiet --allow-empty --message "by the $writer writer"
done
python/bin/python serve.py > port 2> server.log &
until [ -s port ]; do sleep 0.1; done

cat > expected << 'EOF'
git, HEAD:main: exit 1 for the first writer, main is the second writer's
git, :gone: exit 1 for the first writer, gone is the second writer's
dulwich, HEAD:main: exit 0 for the first writer, main is the second writer's
dulwich, :gone: exit 0 for the first writer, gone is the second writer's
EOF
git --version
{
  race git "$work/git.git" HEAD:main
  race git "$work/git.git" :gone
  race dulwich "http://127.0.0.1:$(cat port)/r.git" HEAD:main
  race dulwich "http://127.0.0.1:$(cat port)/r.git" :gone
} | tee seen
diff expected seen
echo "As recorded."
