#!/usr/bin/env bash
# ncc --license lists one version of a package, and which license that is depends on import order.
#
# Expected: each package whose code is in the bundle is in licenses.txt with its own license.
# What happens: packages are told apart by name alone. With argparse 1 (MIT) and argparse 2
# (Python-2.0) in a bundle, the file has the one that is imported first. A bundle of the toolkit has
# two versions of @actions/http-client, because @actions/github brings an older one, and one entry.
# Versions: @vercel/ncc 0.45.0, argparse 1.0.10 and 2.0.1, @actions/core 3.0.1, @actions/github
# 9.1.1.
# Why it matters: dist/licenses.txt is how most actions give the notices that the licenses of their
# packages ask for. Compare it with `npm ls --all` when two majors of a package are bundled.
# Needs: npm, Node.js 20 or newer.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
npm init --yes > init.log
npm install --silent --no-audit --no-fund @vercel/ncc@0.45.0 argparse1@npm:argparse@1.0.10 \
  argparse2@npm:argparse@2.0.1 @actions/core@3.0.1 @actions/github@9.1.1

# bundle NAME MODULE...
bundle() {
  local name=$1 module count=0
  shift
  for module in "$@"; do
    count=$((count + 1))
    echo "import * as module$count from '$module'; console.log(module$count);"
  done > "$name.mjs"
  node_modules/.bin/ncc build "$name.mjs" --quiet --license licenses.txt --out "$name"
}
# has NAME TEXT: whether the bundle holds code of one version only.
has() { grep -q "$2" "$1/index.mjs" && echo yes || echo no; }

cat > expected << 'EOF'
one-two: holds version 1: yes, version 2: yes; listed: argparse MIT
two-one: holds version 1: yes, version 2: yes; listed: argparse Python-2.0
toolkit: copies of @actions/http-client: 2; listed: 1
EOF
{
  bundle one-two argparse1 argparse2
  bundle two-one argparse2 argparse1
  for name in one-two two-one; do
    echo "$name: holds version 1: $(has $name 'ActionContainer.prototype'), version 2:" \
      "$(has $name "Port of python's argparse module"); listed:" \
      "$(grep -x -A 1 argparse $name/licenses.txt | xargs)"
  done
  bundle toolkit @actions/core @actions/github
  echo "toolkit: copies of @actions/http-client:" \
    "$(grep -c 'Redirect from HTTPS to HTTP protocol' toolkit/index.mjs); listed:" \
    "$(grep -cx @actions/http-client toolkit/licenses.txt)"
} | tee seen
diff expected seen
echo "As recorded."
