#!/usr/bin/env bash
# Repositories with the formats of git 3.0 read as empty, or with ids that do not exist.
#
# Expected: an implementation of git that does not know a repository's `extensions.refStorage` or
# `extensions.objectFormat` refuses it. Format 1 of a repository demands that.
# What happens, with one commit on `main` that `git log` shows:
#   reftable  isomorphic-git  no branches, and `.invalid` as the current one: reftable leaves that
#                             in the file HEAD for old programs
#             gitoxide        no branches, no HEAD
#             dulwich         reads it
#             pygit2          refuses it
#   SHA-256   JGit            HEAD and `main` are the first 40 digits of the 64
#             isomorphic-git  lists `main`, but finds no commit there
#             dulwich         reads it
#             pygit2, gitoxide refuse it
# Versions: isomorphic-git 1.44.19, gitoxide 0.4.1 from PyPI (gix 0.89), dulwich 1.2.21, pygit2
# 1.21.0, JGit 7.8.1. git 2.55.0 reads the three repositories.
# Why it matters: both are announced as defaults of git 3.0; git 2.45 and 2.29 can make them. A tool
# that reads the checkout with such a library sees no branches, or passes a wrong id on to an API.
# Needs: git 2.29 or newer, npm, Node.js 20 or newer, Python 3 with venv, Maven, Java 17.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
export GIT_CONFIG_GLOBAL="$work/gitconfig" GIT_CONFIG_NOSYSTEM=1 GIT_DEFAULT_REF_FORMAT=files
git config --global user.name 'A Person'
git config --global user.email person@example.com

npm init --yes > init.log
npm install --silent --no-audit --no-fund isomorphic-git@1.44.19
python3 -m venv python
python/bin/pip install --quiet --disable-pip-version-check dulwich==1.2.21 gitoxide==0.4.1 \
  pygit2==1.21.0
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

# JGit converts to reftable, because git before 2.45 cannot write it.
cat > Jgit.java << 'EOF'
import java.io.File;
import org.eclipse.jgit.internal.storage.file.FileRepository;

class Jgit {
  public static void main(String[] arguments) throws Exception {
    try (var repository = new FileRepository(new File(arguments[0], ".git"))) {
      if (arguments.length > 1) {
        repository.convertRefStorage(arguments[1], false, false);
        return;
      }
      System.out.println("JGit: " + repository.exactRef("HEAD").getLeaf().getName() + " is "
          + repository.resolve("HEAD").name().length() + " digits");
    }
  }
}
EOF
for format in sha1 sha256; do
  git init --quiet --object-format="$format" --initial-branch=main "$format"
  git -C "$format" commit --quiet --allow-empty --message one
done
cp -R sha1 reftable
java -cp 'jars/*' Jgit.java reftable reftable

cat > isomorphic.mjs << 'EOF'
import fs from 'node:fs';
import git from 'isomorphic-git';

const dir = process.argv[2];
const branches = await git.listBranches({ fs, dir });
const current = await git.currentBranch({ fs, dir });
const commits = await git.log({ fs, dir }).then((log) => log.length, (error) => error.code);
const names = branches.join(' ') || '-';
console.log(`isomorphic-git: branches ${names}, current ${current}, commits ${commits}`);
EOF
cat > read.py << 'EOF'
import sys

import dulwich.repo
import gitoxide
import pygit2


def read(name, open, describe):
    try:
        repository = open(sys.argv[1])
    except Exception:
        print(f"{name}: refuses it")
    else:
        print(f"{name}: {describe(repository)}")


def of_gitoxide(repository):
    head = "found" if repository.head_id else "missing"
    return f"branches {len(repository.branches())}, HEAD {head}"


def of_dulwich(repository):
    branches = repository.refs.as_dict(b"refs/heads")
    return f"branches {len(branches)}, HEAD of {len(repository.head())} digits"


read("gitoxide", gitoxide.open, of_gitoxide)
read("dulwich", dulwich.repo.Repo, of_dulwich)
read("pygit2", pygit2.Repository, lambda repository: f"branches {len(list(repository.branches))}")
EOF
cat > expected << 'EOF'
== sha1
isomorphic-git: branches main, current main, commits 1
gitoxide: branches 1, HEAD found
dulwich: branches 1, HEAD of 40 digits
pygit2: branches 1
JGit: refs/heads/main is 40 digits
== reftable
isomorphic-git: branches -, current .invalid, commits NotFoundError
gitoxide: branches 0, HEAD missing
dulwich: branches 1, HEAD of 40 digits
pygit2: refuses it
JGit: refs/heads/main is 40 digits
== sha256
isomorphic-git: branches main, current main, commits NotFoundError
gitoxide: refuses it
dulwich: branches 1, HEAD of 64 digits
pygit2: refuses it
JGit: refs/heads/main is 40 digits
EOF
for format in sha1 reftable sha256; do
  echo "== $format"
  node isomorphic.mjs "$format"
  python/bin/python read.py "$format"
  java -cp 'jars/*' Jgit.java "$format"
done | tee seen
diff expected seen
echo "As recorded."
