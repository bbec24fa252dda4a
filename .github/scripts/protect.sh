#!/usr/bin/env bash
# Sets up what protects a release, once, with an administrator's `gh`. The workflow Release checks it.
set -euo pipefail
folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
cd "$folder"
repository=docs-agent/docs-agent-job
gh api --method PUT "repos/$repository/immutable-releases" --silent

# The environment: only these branches, only after somebody else's approval
team="$(gh api orgs/docs-agent/teams/maintainers --jq .id)"
gh api --method PUT "repos/$repository/environments/release" --silent --input - <<JSON
{ "reviewers": [{ "type": "Team", "id": $team }], "prevent_self_review": true, "can_admins_bypass": false,
  "deployment_branch_policy": { "protected_branches": false, "custom_branch_policies": true } }
JSON
for branch in main 'release/v*'; do
  gh api --method POST "repos/$repository/environments/release/deployment-branch-policies" --silent -f name="$branch" -f type=branch
done

# The key that may push tags. No other deploy key may write.
ssh-keygen -q -t ed25519 -N '' -C release -f key
gh repo deploy-key add key.pub --repo "$repository" --title Release --allow-write
gh secret set RELEASE_KEY --repo "$repository" --env release < key

# NAME TARGET REFS RULES [BYPASS]
ruleset() {
  jq --null-input --arg name "$1" --arg target "$2" --argjson refs "$3" --argjson rules "$4" --argjson bypass "${5:-[]}" \
    '{ $name, $target, enforcement: "active", bypass_actors: $bypass, conditions: { ref_name: { include: $refs, exclude: [] } }, $rules }' |
    gh api --method POST "repos/$repository/rulesets" --silent --input -
}
ruleset 'Reviewed branches' branch '["refs/heads/main", "refs/heads/release/v*"]' '[
  { "type": "deletion" }, { "type": "non_fast_forward" },
  { "type": "pull_request", "parameters": { "required_approving_review_count": 1, "require_code_owner_review": true,
    "dismiss_stale_reviews_on_push": true, "require_last_push_approval": true, "required_review_thread_resolution": false } },
  { "type": "required_status_checks", "parameters": { "strict_required_status_checks_policy": false,
    "required_status_checks": [{ "context": "All", "integration_id": 15368 }] } }]'
ruleset 'Reserved branches' branch '["refs/heads/v*", "refs/heads/release/v*"]' '[{ "type": "creation" }]'
ruleset 'Locked tags' tag '["refs/tags/v*"]' '[{ "type": "deletion" }, { "type": "non_fast_forward" }]'
ruleset 'Release tags' tag '["refs/tags/v*"]' '[{ "type": "creation" }, { "type": "update" }]' \
  '[{ "actor_type": "DeployKey", "bypass_mode": "always" }]'
