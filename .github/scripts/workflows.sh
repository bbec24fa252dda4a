#!/usr/bin/env bash
# Lints the workflows of this repository with actionlint and zizmor. The workflows that the README
# and the pages in .github show are linted with actionlint.
set -euo pipefail
cd "$(dirname "$0")/../.."
. .github/scripts/tools.sh

examples="$(mktemp -d)"
trap 'rm -rf "$examples"' EXIT
node test/examples.ts "$examples"

if go_tool actionlint github.com/rhysd/actionlint/cmd/actionlint; then
  "$tools/actionlint" -shellcheck= -pyflakes=
  # It does not know the input `client-id` yet, which replaced `app-id` in v3.1.0 of that action.
  "$tools/actionlint" -shellcheck= -pyflakes= -ignore '"actions/create-github-app-token@v3"' "$examples"/*.yml
  echo "actionlint: no finding in the workflows and $(ls "$examples" | wc -l | tr -d ' ') examples"
else
  echo "SKIPPED actionlint: this machine has no Go to install it with"
fi

if python_tool zizmor; then
  # Offline, because pinned actions need none of the checks that ask GitHub.
  "$tools/zizmor" --offline --pedantic --no-progress --quiet .
else
  echo "SKIPPED zizmor: this machine has no Python to install it with"
fi
