#!/usr/bin/env bash
# Lints the workflows of this repository, and those that the README and the pages in .github show,
# with actionlint and zizmor.
set -euo pipefail
cd "$(dirname "$0")/../.."
. .github/scripts/tools.sh

examples=.work/examples
node .github/scripts/examples.mjs "$examples"

if go_tool actionlint github.com/rhysd/actionlint/cmd/actionlint; then
  "$tools/actionlint" -shellcheck= -pyflakes=
  # It does not know the input `client-id` yet, which replaced `app-id` in v3.1.0 of that action, nor
  # `queue`: https://github.blog/changelog/2026-05-07-github-actions-concurrency-groups-now-allow-larger-queues
  "$tools/actionlint" -shellcheck= -pyflakes= -ignore '"actions/create-github-app-token@v3"' \
    -ignore 'unexpected key "queue" for "concurrency" section' "$examples"/*.yml
  echo "actionlint: no finding in the workflows and $(ls "$examples" | wc -l | tr -d ' ') examples"
else
  echo "SKIPPED actionlint: this machine has no Go to install it with"
fi

if python_tool zizmor; then
  # Offline, because pinned actions need none of the checks that ask GitHub.
  "$tools/zizmor" --offline --pedantic --no-progress --quiet .
  "$tools/zizmor" --offline --no-progress --quiet --config .github/scripts/tools/examples.yml "$examples"/*.yml
else
  echo "SKIPPED zizmor: this machine has no Python to install it with"
fi
