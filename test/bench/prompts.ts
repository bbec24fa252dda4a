import { findChanges, skipReason } from '../../src/changes/find/changes.ts';
import { composePrompt, tellChanges } from '../../src/changes/write/prompt.ts';
import { clock } from '../../src/effects/clock.ts';
import { createHttp } from '../../src/effects/http.ts';
import { createGitHub } from '../../src/github/rest.ts';
import { parseInputs } from '../../src/inputs/inputs.ts';
import { FACTS, RecordingRunner } from '../support/fakes.ts';
import { GitHistory } from '../support/git-history.ts';
import { type FakeFile, GitHubService } from '../support/github-service.ts';

/**
 * What is in the prompt for a range (`base..head`) of a clone with `changes: diff`: added exported
 * declarations, and names that are new in the maintainers' own documentation. Git is the judge.
 */
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
  const pause = async () => undefined;
  const source = { github: async () => github, isNextRunLooking: false, pause };
  const start = undefined;
  const found = await findChanges({ ...inputs, ...source, start });
  const { clean } = runner;
  const told = tellChanges(found, { ...inputs, skipReason: skipReason(found), start, clean });
  const options = { ...inputs, ...source, clock, clean, addTo: undefined };
  const { prompt } = await composePrompt('x', found, told, options);
  const ms = performance.now() - startedAt;
  http.close();
  const mergeBase = git.git('merge-base', since, sha).trim();
  const files = git.files(mergeBase, sha);
  return {
    prompt,
    declarations: declarationsIn(prompt, files),
    names: namesIn(prompt, files, docsAt(git, mergeBase)),
    bytes: Buffer.byteLength(prompt),
    requests: service.requests.length,
    ms,
  };
}

const TEST =
  /(?:^|\/)(?:internal|_internal|tests?|__tests__|__tests_\w+__|__mocks__|e2e|testdata|fixtures?|playgrounds?|benchmarks?|dist|vendor)\/|_test\.\w+$|[.-](?:test|spec)\.[cm]?[jt]sx?$|\.pb\.go$/;
const EXPORTED: readonly (readonly [file: RegExp, line: RegExp])[] = [
  [
    /\.[cm]?[jt]sx?$/,
    /^\s*export (?:declare )?(?:abstract )?(?:async )?(?:function|class|interface|type|const|let|enum|namespace) \w/,
  ],
  [/\.go$/, /^(?:func (?:\([^)]*\) )?|type |var |const )[A-Z]/],
  [/\.py$/, /^(?: {4})?(?:async )?(?:def|class) [a-zA-Z]/],
];

const linesOf = ({ patch = '' }: FakeFile, mark: string) =>
  patch.split('\n').flatMap((line) => (line.startsWith(mark) ? [line.slice(1).trimEnd()] : []));

const shareOf = (all: readonly string[], isFound: (one: string) => boolean) => ({
  found: all.filter(isFound).length,
  all: all.length,
});

/** The declarations that are new in a file, and whether their line is in the prompt. */
function declarationsIn(prompt: string, files: readonly FakeFile[]) {
  const lines = new Set(prompt.split('\n'));
  const added = files.flatMap((file) => {
    const pattern = EXPORTED.find(([name]) => name.test(file.filename))?.[1];
    if (pattern === undefined || TEST.test(file.filename) || isDocs(file)) return [];
    const removed = new Set(linesOf(file, '-'));
    return linesOf(file, '+').filter((line) => pattern.test(line) && !removed.has(line));
  });
  return shareOf(added, (line) => lines.has(`+${line}`));
}

const isDocs = ({ filename }: FakeFile) => /\.(?:mdx?|rst)$|(?:^|\/)docs?\//i.test(filename);
const isChangelog = ({ filename }: FakeFile) =>
  /(?:changelog|changes|releases?)[^/]*$/i.test(filename);

/** Every documentation of a commit, as one text. */
const docsAt = (git: GitHistory, commit: string) =>
  git.git('grep', '-h', '-I', '`', commit, '--', '*.md', '*.mdx', '*.rst');

const NAME = /`([\w$][\w$.-]{2,60})(?:\(\))?`/g;
const namesOf = (text: string) => new Set(Array.from(text.matchAll(NAME), ([, name = '']) => name));

/** Names in backticks that are new in all documentation and occur in changed source. */
function namesIn(prompt: string, files: readonly FakeFile[], oldDocs: string) {
  const docs = files.filter(
    (file) => isDocs(file) && /\.(?:mdx?|rst)$/.test(file.filename) && !isChangelog(file),
  );
  const old = namesOf(oldDocs);
  const wordsOf = (text: string) => new Set(text.match(/[\w$]+(?:[.-][\w$]+)*/g));
  const isSource = /\.(?:[cm]?[jt]sx?|go|py|rs)$/;
  const source = files.filter(
    (file) => !isDocs(file) && !TEST.test(file.filename) && isSource.test(file.filename),
  );
  const changed = wordsOf(source.flatMap((file) => linesOf(file, '+')).join('\n'));
  const added = [...namesOf(docs.flatMap((file) => linesOf(file, '+')).join('\n'))].filter(
    (name) => !old.has(name) && changed.has(name),
  );
  const docsPaths = new Set(files.filter(isDocs).map(({ filename }) => filename));
  const outside = prompt
    .split(/^(?==== )/m)
    .filter(
      (part) => !(part.startsWith('=== ') && docsPaths.has(part.slice(4, part.indexOf('\n')))),
    )
    .join('\n');
  const told = wordsOf(outside);
  return shareOf(added, (name) => told.has(name));
}
