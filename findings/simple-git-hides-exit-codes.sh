#!/usr/bin/env bash
# simple-git resolves when git exits with 1 or 2 and says nothing, so both answers look the same.
#
# Expected: a promise that rejects, or a value that differs, when git's answer is its exit code.
# What happens: an exit code counts as a failure only if something was written to stderr. Commands
# that answer by their exit code alone resolve to "" for yes and for no.
# Versions: simple-git 4.0.2, and the git in PATH (2.39.5 and 2.55.0).
# Why it matters: `merge-base --is-ancestor`, `diff --quiet` and `ls-remote --exit-code` are how an
# action asks "is it merged?", "did anything change?" and "is the branch still there?". Each gets
# the same answer always. Give simple-git an `errors` function that looks at the exit code.
# Needs: git, npm, Node.js 20 or newer.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
export GIT_CONFIG_GLOBAL="$work/gitconfig" GIT_CONFIG_NOSYSTEM=1
git config --global user.name 'A Person'
git config --global user.email person@example.com
npm init --yes > init.log
npm install --silent --no-audit --no-fund simple-git@4.0.2

git init --quiet repository
for content in one two; do
  echo "$content" > repository/file
  git -C repository add file
  git -C repository commit --quiet --message "$content"
done

cat > ask.mjs << 'EOF'
import { spawnSync } from 'node:child_process';
import { simpleGit } from 'simple-git';

const byDefault = simpleGit('repository');
const withErrors = simpleGit('repository', {
  errors: (error, { exitCode }) => error ?? (exitCode === 0 ? undefined : Buffer.from('failed')),
});
for (const command of [
  'merge-base --is-ancestor HEAD~1 HEAD',
  'merge-base --is-ancestor HEAD HEAD~1',
  'diff --quiet HEAD HEAD',
  'diff --quiet HEAD~1 HEAD',
  'ls-remote --exit-code . HEAD',
  'ls-remote --exit-code . refs/heads/none',
]) {
  const words = command.split(' ');
  const { status } = spawnSync('git', words, { cwd: 'repository' });
  const ask = (git) => git.raw(words).then(() => 'resolves', () => 'rejects');
  const answers = `by default ${await ask(byDefault)}, with errors ${await ask(withErrors)}`;
  console.log(`${command}: git exits with ${status}; ${answers}`);
}
EOF
cat > expected << 'EOF'
merge-base --is-ancestor HEAD~1 HEAD: git exits with 0; by default resolves, with errors resolves
merge-base --is-ancestor HEAD HEAD~1: git exits with 1; by default resolves, with errors rejects
diff --quiet HEAD HEAD: git exits with 0; by default resolves, with errors resolves
diff --quiet HEAD~1 HEAD: git exits with 1; by default resolves, with errors rejects
ls-remote --exit-code . HEAD: git exits with 0; by default resolves, with errors resolves
ls-remote --exit-code . refs/heads/none: git exits with 2; by default resolves, with errors rejects
EOF
node ask.mjs | tee seen
diff expected seen
echo "As recorded."
