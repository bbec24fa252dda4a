#!/usr/bin/env bash
# Checks the tags that a release moves, which are v1, v2 and so on: each is on its newest release, and
# no release has its name. Published, such a release is immutable, and its tag never moves again.
# Needs GITHUB_REPOSITORY and GH_TOKEN, and VERSION if a version is being released.
# https://docs.github.com/code-security/concepts/supply-chain-security/immutable-releases
set -euo pipefail

# Tags that a release locked, each with its commit, or "deleted". The errors below and RELEASING.md
# say when to add a line like this one: v1 0123456789abcdef0123456789abcdef01234567
locked='
'

VERSION="${VERSION:-}"

is_ok=true
fail() {
  echo "::error title=Release::$1"
  is_ok=false
}

tags="$(gh api --paginate "repos/$GITHUB_REPOSITORY/git/matching-refs/tags/v" \
  --jq '.[] | "\(.ref | ltrimstr("refs/tags/")) \(.object.sha)"')"
# A token that may write sees drafts too: https://docs.github.com/rest/releases/releases#list-releases
releases="$(gh api --paginate "repos/$GITHUB_REPOSITORY/releases?per_page=100" \
  --jq '.[] | "\(if .draft then "draft" elif .immutable then "immutable" else "mutable" end) \(.tag_name)"')"

commit_of() { awk -v tag="$1" '$1 == tag { print $2 }' <<< "$tags"; }

# The published versions of a major tag, the newest last
versions_of() {
  sed -En "s/^(im)?mutable ($1\.[0-9]+\.[0-9]+)$/\2/p" <<< "$releases" | sort --version-sort
}

# The kind of each release that has the name of a tag
kinds_of() { awk -v tag="$1" '$2 == tag { print $1 }' <<< "$releases"; }

is_version() {
  local version
  for version in $(versions_of "$1"); do
    if [ "$2" = "$(commit_of "$version")" ]; then return; fi
  done
  return 1
}

check_releases() {
  local major="$1" at="$2" kind
  for kind in $(kinds_of "$major"); do
    if [ "$kind" != immutable ]; then
      fail "There is a $kind release with the name of the tag $major. Once GitHub makes it immutable, it locks $major for ever. Find out who made it. Delete it and keep the tag, with \"gh release delete $major --repo $GITHUB_REPOSITORY --yes\", and run this again."
    elif is_version "$major" "$at"; then
      fail "$major is locked on $at for ever, because somebody published an immutable release with its name. Everyone who uses @$major stays on that commit. Do not delete the release, because that unlocks nothing. Add the line \"$major $at\" to .github/scripts/major-tags.sh, and release the next major version. See .github/RELEASING.md, \"If a release locks a major tag\"."
    fi
  done
}

check_commit() {
  local major="$1" at="$2" newest before
  newest="$(versions_of "$major" | tail -n 1)"
  if [ "$at" = "$(commit_of "$newest")" ]; then return; fi
  # An earlier attempt of this run may have published its version, and not have moved the tag.
  before="$(versions_of "$major" | awk -v version="$VERSION" '$0 != version' | tail -n 1)"
  if [ "$newest" = "$VERSION" ] && [ "$at" = "$(commit_of "$before")" ]; then return; fi
  if [ -n "$at" ] && ! is_version "$major" "$at"; then
    fail "$major is on $at, which is no release. Everyone who uses @$major runs that commit. The ruleset \"Release tags\" lets only the release move tags, so somebody changed that ruleset or has the key. Do what .github/RELEASING.md says under \"If a tag was moved\"."
  elif [[ "$(kinds_of "$major")" != *immutable* ]]; then
    fail "$major is on ${at:-no commit}, and not on its newest release, $newest. Press \"Re-run failed jobs\" in the run of the workflow Release that released $newest."
  fi
}

for major in $(printf '%s\n' "$tags" "$releases" | sed -En 's/^([a-z]+ )?(v[0-9]+).*/\2/p' | sort --unique); do
  at="$(commit_of "$major")"
  if grep --quiet --fixed-strings --line-regexp "$major ${at:-deleted}" <<< "$locked"; then
    [ "${VERSION%%.*}" != "$major" ] ||
      fail "$major is locked, so $VERSION would not reach those who use @$major. Release it under the next major version. See .github/RELEASING.md, \"If a release locks a major tag\"."
    continue
  fi
  check_releases "$major" "$at"
  check_commit "$major" "$at"
done
[ "$is_ok" = true ]
