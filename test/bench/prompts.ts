import { findChanges } from '../../src/changes/find/find-changes.ts';
import { type Kind, kindOf } from '../../src/changes/patches/kinds.ts';
import { withMissingPatches } from '../../src/changes/patches/make-patches.ts';
import { MAX_BLOCK_BYTES } from '../../src/changes/write/block.ts';
import { composePrompt } from '../../src/changes/write/compose-prompt.ts';
import { clock } from '../../src/effects/clock.ts';
import { createHttp } from '../../src/effects/http.ts';
import { createGitHub } from '../../src/github/rest.ts';
import { parseInputs } from '../../src/inputs/inputs.ts';
import { FACTS, RecordingRunner } from '../support/fakes.ts';
import { GitHistory } from '../support/git-history.ts';
import { GitHubService } from '../support/github-service.ts';

/** The prompt for a range (`base..head`) of a clone with `changes: diff`, and what is in it. */
export async function measurePrompt(folder: string, range: string) {
  const git = new GitHistory(folder);
  const [base = '', head = ''] = range.split('..');
  const since = git.sha(base);
  const sha = git.sha(head);
  await using service = await GitHubService.start({ commits: [], git });
  const http = createHttp([]);
  const [token, name] = ['t', 'workflow_dispatch'];
  const event = { name, payload: {}, ref: 'refs/heads/main', sha, repository: 'acme/app' };
  const runner = new RecordingRunner();
  const effects = { http, clock, runner, signal: new AbortController().signal };
  const limits = { token, deadline: Number.MAX_SAFE_INTEGER, timeoutMs: 3_600_000 };
  const github = createGitHub(
    { ...effects, ...limits },
    { facts: FACTS, apiUrl: service.url, graphqlUrl: service.graphqlUrl, event },
  );
  const raw = { prompt: 'x', projectId: 'p', adminApiKey: 'mint_0123456789', githubToken: token };
  const inputs = parseInputs({ ...raw, changes: 'diff', since }, FACTS, (text) => text);
  const startedAt = performance.now();
  const source = { github: async () => github, lookedAtBy: 'unknown' as const, permissions: [] };
  const start = undefined;
  const found = await findChanges({ ...inputs, ...source, start });
  const { clean } = runner;
  if (found.kind !== 'known') throw new Error(found.kind);
  const context = { ...source, inputs, effects, deadline: limits.deadline };
  const whole = await withMissingPatches(context, found, 'unknown');
  const { prompt } = composePrompt('x', whole, { ...inputs, clean, addTo: undefined });
  const ms = performance.now() - startedAt;
  http.close();
  const bytes = Buffer.byteLength(prompt);
  return { prompt, bytes, requests: service.requests.length, ms, groups: groupsIn(prompt) };
}

/** The bytes of the patches of each kind of files, and their part of the room that all patches had. */
function groupsIn(prompt: string) {
  const [, patches = ''] =
    /\npatches:\n([\s\S]*?)(?:\n\n(?:no room|files \()|\nchanges-\w+\n$)/.exec(prompt) ?? [];
  const room = MAX_BLOCK_BYTES - Buffer.byteLength(prompt) + Buffer.byteLength(patches);
  const groups = new Map<Kind, number>();
  for (const patch of patches.split(/^(?==== )/m).filter((text) => text !== '')) {
    const kind = kindOf(patch.slice('=== '.length, patch.indexOf('\n')), []);
    groups.set(kind, (groups.get(kind) ?? 0) + Buffer.byteLength(patch));
  }
  return [...groups].map(([kind, bytes]) => ({ kind, bytes, share: bytes / room }));
}
