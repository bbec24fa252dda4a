#!/usr/bin/env bash
# A push that the server refuses is no error for three of five implementations of git.
#
# Expected: as `git push` does, exit 1 or an exception when a hook on the server declines the push.
# What happens:
#   git            exit 1
#   isomorphic-git throws GitPushError
#   pygit2         remote.push() returns None; only the callback push_update_reference, which does
#                  nothing by default, hears of it
#   dulwich        porcelain.push() returns, after it wrote both "Push to ... successful." and
#                  "Push of ref ... failed: pre-receive hook declined"
#   JGit           call() returns; each RemoteRefUpdate has to be asked for its status
# Versions: isomorphic-git 1.44.19, pygit2 1.21.0, dulwich 1.2.21, JGit 7.8.1, and the git in PATH
# (2.39.5 and 2.55.0).
# Why it matters: an action that uses a library instead of git reports a commit, a tag or a lock
# that nobody has. Branch protection and rulesets refuse in just this way.
# Needs: git with http-backend, npm, Node.js 20 or newer, Python 3 with venv, Maven, Java 17.
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
cat > pom.xml << 'EOF'
<project>
  <modelVersion>4.0.0</modelVersion>
  <groupId>finding</groupId>
  <artifactId>finding</artifactId>
  <version>1</version>
  <dependencies>
    <dependency>
      <groupId>org.eclipse.jgit</groupId>
      <artifactId>org.eclipse.jgit</artifactId>
      <version>7.8.1.202611041320-r</version>
    </dependency>
    <dependency>
      <groupId>org.slf4j</groupId>
      <artifactId>slf4j-nop</artifactId>
      <version>2.0.17</version>
    </dependency>
  </dependencies>
</project>
EOF
mvn --quiet --batch-mode -Dmaven.repo.local="$work/maven" -DoutputDirectory=jars \
  org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies > maven.log

git init --quiet client
git -C client commit --quiet --allow-empty --message one
git -C client branch --force topic
git init --quiet --bare served/r.git
printf '#!/bin/sh\nexit 1\n' > served/r.git/hooks/pre-receive
chmod +x served/r.git/hooks/pre-receive

# Serves the folder `served` by git's own CGI program.
cat > serve.mjs << 'EOF'
import { spawn } from 'node:child_process';
import { createServer } from 'node:http';

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
    const output = Buffer.concat(pieces);
    const end = output.indexOf('\r\n\r\n');
    const type = /content-type: (.*)/i.exec(output.subarray(0, end))?.[1] ?? 'text/plain';
    response.setHeader('content-type', type);
    response.end(output.subarray(end + 4));
  });
});
server.listen(0, '127.0.0.1', () => console.log(server.address().port));
EOF
node serve.mjs > port &
until [ -s port ]; do sleep 0.1; done
url="http://127.0.0.1:$(cat port)/r.git"

cat > push.mjs << 'EOF'
import fs from 'node:fs';
import git from 'isomorphic-git';
import http from 'isomorphic-git/http/node';

await git.push({ fs, http, dir: 'client', url: process.argv[2], ref: 'topic' }).then(
  () => console.log('isomorphic-git: no error'),
  (error) => console.log(`isomorphic-git: ${error.code}`),
);
EOF
cat > push.py << 'EOF'
import io, sys
import pygit2
from dulwich import porcelain

remote = pygit2.Repository('client').remotes.create_anonymous(sys.argv[1])
print('pygit2: no error,', remote.push(['refs/heads/topic']))
output = io.BytesIO()
porcelain.push('client', sys.argv[1], 'refs/heads/topic', outstream=output, errstream=output)
for line in output.getvalue().decode().splitlines():
    if line.startswith('Push'):
        print('dulwich: no error,', line.replace(sys.argv[1], 'URL'))
EOF
cat > Push.java << 'EOF'
import java.io.File;
import org.eclipse.jgit.api.Git;
import org.eclipse.jgit.transport.RefSpec;

class Push {
  public static void main(String[] arguments) throws Exception {
    try (var git = Git.open(new File("client"))) {
      var specification = new RefSpec("refs/heads/topic:refs/heads/topic");
      var results = git.push().setRemote(arguments[0]).setRefSpecs(specification).call();
      for (var result : results) {
        for (var update : result.getRemoteUpdates()) {
          System.out.println("JGit: no error, " + update.getStatus());
        }
      }
    }
  }
}
EOF
cat > expected << 'EOF'
git: exit 1
isomorphic-git: GitPushError
pygit2: no error, None
dulwich: no error, Push to URL successful.
dulwich: no error, Push of ref refs/heads/topic failed: pre-receive hook declined
JGit: no error, REJECTED_OTHER_REASON
refs on the server: 0
EOF
git --version
{
  git -C client push --quiet "$url" topic 2> /dev/null && echo 'git: exit 0' || echo "git: exit $?"
  node push.mjs "$url"
  python/bin/python push.py "$url"
  java -cp 'jars/*' Push.java "$url"
  echo "refs on the server: $(git --git-dir=served/r.git for-each-ref | wc -l | tr -d ' ')"
} | tee seen
diff expected seen
echo "As recorded."
