#!/usr/bin/env bash
# Runs .github/workflows/action.yml in act, a runner engine, on this host without containers.
set -euo pipefail
cd "$(dirname "$0")/../.."
. .github/scripts/tools.sh

if ! go_tool act github.com/nektos/act; then
  echo "SKIPPED act: this machine has no Go to install it with"
  exit 0
fi
# act runs what git tracks, so it gets a clone. Its own files stay out of the home folder. There may
# be no network, so git finds the repository on GitHub, for the ledger, on this disk.
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
git clone --quiet . "$work/clone"
git clone --quiet --bare . "$work/github/acme/app.git"
git -C "$work/clone" remote set-url origin https://github.com/acme/app
mkdir "$work/bin"
cat > "$work/bin/git" << END
#!/bin/bash
for name in \${!GIT_CONFIG_KEY_*} \${!GIT_CONFIG_VALUE_*}; do
  export "\$name=\${!name//https:\/\/github.com/$work/github}"
done
GIT_ALLOW_PROTOCOL=file exec '$(command -v git)' "\$@"
END
chmod +x "$work/bin/git"
# Installing other packages there would empty this folder.
if git diff --quiet HEAD -- package-lock.json; then
  ln -s "$PWD/node_modules" "$work/clone/node_modules"
fi
cd "$work/clone"
if ! XDG_CACHE_HOME="$work/cache" XDG_CONFIG_HOME="$work/config" "$tools/act" push \
  --workflows .github/workflows/action.yml \
  --platform ubuntu-latest=-self-hosted \
  --action-cache-path "$work/actions" \
  --no-cache-server --env CI=true --env "PATH=$work/bin:$PATH" > "$work/log" 2>&1; then
  cat "$work/log"
  exit 1
fi
echo "act: $(grep -c 'Job succeeded' "$work/log") workflow jobs succeeded"
