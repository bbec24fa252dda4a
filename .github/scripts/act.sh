#!/usr/bin/env bash
# Runs .github/workflows/action.yml in act, a runner engine, on this host without containers.
set -euo pipefail
cd "$(dirname "$0")/../.."
. .github/scripts/tools.sh

if ! go_tool act github.com/nektos/act; then
  echo "SKIPPED act: this machine has no Go to install it with"
  exit 0
fi
# act runs what git tracks, so it gets a clone. Its own files stay out of the home folder.
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
git clone --quiet . "$work/clone"
ln -s "$PWD/node_modules" "$work/clone/node_modules"
cd "$work/clone"
if ! XDG_CACHE_HOME="$work/cache" XDG_CONFIG_HOME="$work/config" "$tools/act" push \
  --workflows .github/workflows/action.yml \
  --platform ubuntu-latest=-self-hosted \
  --action-cache-path "$work/actions" \
  --no-cache-server --env CI=true > "$work/log" 2>&1; then
  cat "$work/log"
  exit 1
fi
echo "act: $(grep -c 'Job succeeded' "$work/log") workflow jobs succeeded"
