#!/usr/bin/env node
/**
 * A fake of the `gh` calls in the release workflow. Its state is in the file FAKE_GH_STATE:
 * {immutable, refs: {ref: sha}, releases: {tag: {draft, immutable, notes}}, settings: {route: answer},
 * calls: [], fails: []}. A call whose text is in `fails` fails as a server error does; `moves` changes
 * a ref after a call. Rules:
 * https://docs.github.com/rest/git/refs, https://docs.github.com/rest/repos/repos,
 * https://cli.github.com/manual/gh_api, https://cli.github.com/manual/gh_release
 */
'use strict';

const { readFileSync, writeFileSync } = require('node:fs');
const { parseArgs } = require('node:util');

const file = process.env.FAKE_GH_STATE;
const state = JSON.parse(readFileSync(file, 'utf8'));
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    method: { type: 'string', default: 'GET' },
    field: { type: 'string', short: 'f', multiple: true, default: [] },
    typed: { type: 'string', short: 'F', multiple: true, default: [] },
    jq: { type: 'string' },
    json: { type: 'string' },
    repo: { type: 'string' },
    title: { type: 'string' },
    'notes-file': { type: 'string' },
    'exclude-drafts': { type: 'boolean' },
    limit: { type: 'string', default: '30' },
    silent: { type: 'boolean' },
    draft: { type: 'string' },
    'verify-tag': { type: 'boolean' },
  },
  // `--draft` alone creates a draft, and `--draft=false` publishes it.
  args: process.argv.slice(2).map((word) => (word === '--draft' ? '--draft=true' : word)),
});

class Refusal extends Error {}

/** What jq prints for filters like `.object.sha` and `.[].id`. */
function pick(filter, answer) {
  const [first, ...keys] = filter.split('.').filter(Boolean);
  const [each, path] = first === '[]' ? [answer, keys] : [[answer], [first, ...keys]];
  return each.map((entry) => path.reduce((at, key) => at[key], entry)).join('\n');
}

function api(path) {
  const [, , , ...rest] = path.split('/');
  const route = rest.join('/');
  const fields = Object.fromEntries([...values.field, ...values.typed].map((f) => f.split('=')));
  const isSettings = process.env.GH_TOKEN === 'github_pat_settings';
  if (route === 'immutable-releases') {
    if (!isSettings) throw new Refusal('HTTP 403: Resource not accessible by integration');
    if (!state.immutable) throw new Refusal('HTTP 404: Not Found');
    return { enabled: true, enforced_by_owner: false };
  }
  if (isSettings) throw new Refusal('HTTP 403: Resource not accessible by personal access token');
  if (values.method === 'GET' && route in state.settings) return state.settings[route];
  if (values.method === 'POST' && route === 'git/refs') {
    if (fields.ref in state.refs) throw new Refusal('HTTP 422: Reference already exists');
    state.refs[fields.ref] = fields.sha;
    return { ref: fields.ref, object: { sha: fields.sha, type: 'commit' } };
  }
  if (values.method === 'PATCH' && route.startsWith('git/refs/')) {
    const ref = route.slice('git/'.length);
    if (!(ref in state.refs)) throw new Refusal('HTTP 422: Reference does not exist');
    state.refs[ref] = fields.sha;
    return { ref, object: { sha: fields.sha, type: 'commit' } };
  }
  if (route.startsWith('git/ref/')) {
    const sha = state.refs[route.replace('git/ref/', 'refs/')];
    if (sha === undefined) throw new Refusal('HTTP 404: Not Found');
    return { object: { sha, type: 'commit' } };
  }
  if (route.startsWith('releases/tags/')) {
    const release = state.releases[route.slice('releases/tags/'.length)];
    if (release === undefined || release.draft) throw new Refusal('HTTP 404: Not Found');
    return release;
  }
  throw new Refusal(`the fake knows no ${values.method} ${path}`);
}

function release(verb, tag) {
  if (verb === 'list') {
    return Object.entries(state.releases)
      .filter(([, { draft }]) => !(draft && values['exclude-drafts']))
      .slice(0, Number(values.limit))
      .map(([tagName]) => ({ tagName }));
  }
  const found = state.releases[tag];
  if (verb === 'view') {
    if (found === undefined) throw new Refusal('release not found');
    return { isDraft: found.draft };
  }
  if (!values['verify-tag']) throw new Refusal('the tag would be created');
  if (!(`refs/tags/${tag}` in state.refs))
    throw new Refusal(`tag ${tag} doesn't exist in the repo`);
  if (verb === 'create') {
    if (found !== undefined) throw new Refusal('a release with the same tag name already exists');
    const notes = readFileSync(values['notes-file'], 'utf8');
    state.releases[tag] = { draft: values.draft === 'true', immutable: false, notes };
    return {};
  }
  if (found === undefined) throw new Refusal('release not found');
  // Publishing is what makes a release immutable.
  state.releases[tag] = { ...found, draft: false, immutable: state.immutable };
  return {};
}

const call = [
  positionals[0],
  positionals[0] === 'api' ? values.method : '',
  ...positionals.slice(1),
]
  .filter(Boolean)
  .join(' ');
state.calls.push(call);
try {
  if (state.fails.some((part) => call.includes(part))) throw new Refusal('HTTP 502: Bad Gateway');
  const answer =
    positionals[0] === 'api' ? api(positionals[1]) : release(positionals[1], positionals[2]);
  if (!values.silent) {
    const filtered = values.jq === undefined ? JSON.stringify(answer) : pick(values.jq, answer);
    if (filtered !== '') console.log(filtered);
  }
  for (const [after, ref, sha] of state.moves) if (call.includes(after)) state.refs[ref] = sha;
} catch (error) {
  if (!(error instanceof Refusal)) throw error;
  // gh prints the body of an error too, without the filter.
  if (positionals[0] === 'api') console.log(JSON.stringify({ message: error.message }));
  console.error(`gh: ${error.message}`);
  process.exitCode = 1;
} finally {
  writeFileSync(file, JSON.stringify(state));
}
