/** Reads and lists the changed files, and cuts their patches to what fits. */
import { type ChangedFile, diffOf, type FileDiff, SUBMODULE } from '../git/diff.ts';
import type { Repository } from '../git/repository.ts';
import { escapeInvisibleButTabs } from '../text/escape.ts';
import { pluralize } from '../text/words.ts';
import { bytesOf, firstFiles, firstOf, lineBytes, oneLine, shareOf } from './lines.ts';

const MAX_LINES = 300;
const MAX_PATH_LENGTH = 1_000;

const isBare = ({ path, oldMode, mode }: ChangedFile) =>
  oldMode === SUBMODULE || mode === SUBMODULE || kindOf(path) === 'bare';

/** The files with counts and patches, but for the bare ones, whose contents are not even fetched. */
export async function readFiles(
  repo: Repository,
  files: readonly ChangedFile[],
): Promise<readonly FileDiff[]> {
  const unread = { additions: 0, deletions: 0, isGenerated: false, patch: '' };
  const bare = files.filter(isBare).map((file) => ({ ...file, ...unread }));
  const read = files.filter((file) => !isBare(file));
  return [...(await diffOf(repo, read)), ...bare].sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** For example `7 of 10 changed files, selected by paths:`. */
export function filesHeading(all: number, selected: number, listed: number): string {
  // A file that was renamed and changed is two of the selected ones, and one of the listed.
  const files = pluralize(all - (selected - listed), 'changed file');
  return selected < all ? `${listed} of ${files}, selected by paths:` : `${files}:`;
}

export const fileLines = (files: readonly FileDiff[], maxBytes: number) =>
  firstFiles(files.map(fileLine), MAX_LINES, maxBytes);

const shownPath = (path: string) => oneLine(path, MAX_PATH_LENGTH);

function fileLine(file: FileDiff): string {
  const { path, previous, status, oldMode, oldId, mode, id, additions, deletions } = file;
  const from = previous === undefined ? '' : `${shownPath(previous)} -> `;
  const counts = additions + deletions > 0 ? ` (+${additions} -${deletions})` : '';
  const commits = [...(oldMode === SUBMODULE ? [oldId] : []), ...(mode === SUBMODULE ? [id] : [])];
  const shown = commits.map((commit) => commit.slice(0, 12)).join(' -> ');
  const of = shown === '' ? '' : ` (submodule ${shown})`;
  return `- ${status} ${from}${shownPath(path)}${counts}${of}`;
}

/** In the order in which they take up room, with the most bytes where not everything fits. */
const GROUPS: readonly (readonly [kind: Kind, maxBytes: number])[] = [
  ['changelog', 20_000],
  ['rest', Number.POSITIVE_INFINITY],
  ['aside', 20_000],
];
/** A patch that is cut to less is of no use, so it leaves its room to others. */
const MIN_BYTES = 300;

type FilePatch = ReturnType<typeof patchesOf>[number];

function patchesOf(diffs: readonly FileDiff[], room: number) {
  const changing = diffs.filter(({ isGenerated, status }) => !isGenerated && status !== 'removed');
  const patches = changing.map(({ path, patch, additions, deletions }) => {
    const kind = kindOf(path);
    // Of a changelog, the added lines say what is new.
    const isChangelog = kind === 'changelog';
    // Git may have given none.
    const isWhole = patch !== '' && patch.length <= room;
    const given = patch.slice(0, room).split('\n');
    // One that is cut ends in the middle of a line.
    if (!isWhole) given.pop();
    const kept = isChangelog ? given.filter((line) => line.startsWith('+')) : given;
    const shown = kept.map((line) => escapeInvisibleButTabs(line.replace(/\r$/, '')));
    const lines = [`=== ${shownPath(path)}`, ...shown];
    const changed = isChangelog ? additions : additions + deletions;
    const bytes = isWhole ? bytesOf(lines) : Number.POSITIVE_INFINITY;
    return { path, kind, lines, changed, bytes };
  });
  return patches.filter(({ changed }) => changed > 0);
}

/**
 * The patches that fit in `room` bytes, and a line for each file whose patch has no room. Those of a
 * group are cut to one length, and the room that it leaves goes to the next.
 */
export function patchLines(diffs: readonly FileDiff[], room: number) {
  const patches = patchesOf(diffs, room);
  const areAllWhole = patches.reduce((sum, { bytes }) => sum + bytes, 0) <= room;
  let lines: readonly string[] = [];
  let withoutRoom: readonly string[] = [];
  for (const [kind, maxBytes] of GROUPS) {
    const left = room - bytesOf(lines);
    const most = areAllWhole ? left : Math.min(left, maxBytes);
    const group = patches.filter((patch) => patch.kind === kind);
    // Each of these gets MIN_BYTES or is whole.
    const chosen = firstOf(group, ({ bytes }) => Math.min(bytes, MIN_BYTES), most);
    const sizes = chosen.map(({ bytes }) => bytes);
    const share = shareOf(sizes, most);
    const shown = chosen.map((patch) => cutPatch(patch, share));
    lines = [...lines, ...shown.flat()];
    const others = group.filter((_, index) => !shown[index]?.length);
    withoutRoom = [...withoutRoom, ...others.map(({ path }) => `- ${shownPath(path)}`)];
  }
  return { lines, withoutRoom };
}

const noteOf = (missing: number) => `[cut: ${pluralize(missing, 'changed line')} missing]`;

/** The first lines that fit in `maxBytes`. Nothing if no changed line is among them. */
function cutPatch({ lines, bytes, changed }: FilePatch, maxBytes: number): readonly string[] {
  if (bytes <= maxBytes) return lines;
  const kept = firstOf(lines, lineBytes, maxBytes - lineBytes(noteOf(changed)));
  const shown = kept.filter((line) => /^[+-]/.test(line)).length;
  if (shown === 0) return [];
  // What is missing may only be unchanged lines.
  return shown === changed ? kept : [...kept, noteOf(changed - shown)];
}

/**
 * Nobody documents the lines of a `bare` file, so it is named without a patch, and few those of an
 * `aside`: tests, and what surrounds a project.
 */
type Kind = 'bare' | 'changelog' | 'rest' | 'aside';

const names = (list: string) => new Set(list.split(' '));
const folders = (list: string) => new RegExp(`(?:^|/)(?:${list.replaceAll(' ', '|')})/`);

const LOCK_FILES = names(
  'package-lock.json npm-shrinkwrap.json pnpm-lock.yaml yarn.lock bun.lock bun.lockb deno.lock go.sum go.work.sum Cargo.lock poetry.lock uv.lock pdm.lock Pipfile.lock pixi.lock composer.lock Gemfile.lock mix.lock pubspec.lock Podfile.lock Package.resolved packages.lock.json gradle.lockfile flake.lock .terraform.lock.hcl MODULE.bazel.lock',
);
const BARE_FOLDER = folders('__snapshots__ dist \\.licenses vendor third_party node_modules');
const SNAPSHOT = /\.(?:snap|ambr|golden)$|\.approved\.[^.]*$/;
const GENERATED_NAME =
  /\.pb\.(?:go|gw\.go|validate\.go|cc|h)$|_pb2?(?:_grpc)?\.(?:py|pyi|js|d\.ts|rb)$|\.min\.(?:js|css)$|\.(?:js|css)\.map$|\.g\.(?:dart|cs)$|^zz_generated|_gen\.go$/;
const BINARY =
  /\.(?:svg|png|jpe?g|gif|webp|avif|ico|icns|bmp|tiff?|pdf|woff2?|ttf|otf|eot|mp[34]|webm|mov|ogg|wav|zip|t?gz|bz2|xz|7z|jar|class|wasm|node|so|dll|dylib|exe|bin)$/i;

const CHANGELOG_FOLDER = folders('\\.changeset changelog\\.d changelogs newsfragments \\.changes');
const CHANGELOG = /^(?:CHANGELOG|CHANGES|HISTORY|NEWS|RELEASES)(?:\.(?:mdx?|rst|txt|adoc))?$/i;

const ASIDE_FOLDER = folders(
  '\\.github test tests __tests__ __tests_[^/]*__ __mocks__ e2e testdata fixture fixtures playground playgrounds benchmark benchmarks',
);
// Excludes `spec/`, which may contain an OpenAPI document.
const TEST =
  /_test\.(?:go|py|rb|exs|dart)$|^test_.*\.py$|^conftest\.py$|_spec\.rb$|[.-]test\.[cm]?[jt]sx?$|\.(?:spec|stories)\.[cm]?[jt]sx?$|Tests?\.(?:java|kt|cs|swift|php)$/;

const PROJECT =
  /^LICEN[CS]E(?:\.(?:md|mdx|rst|txt|adoc))?$|^\.(?:eslint|prettier|stylelint|markdownlint|oxlint|oxfmt|golangci|rubocop|flake8|clang-format|editorconfig|gitignore|gitattributes|pre-commit-config)|^(?:eslint|prettier|stylelint|biome|oxlint)\.(?:config\.\w+|jsonc?)$/i;

export function kindOf(path: string): Kind {
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (LOCK_FILES.has(name) || BARE_FOLDER.test(path)) return 'bare';
  if ([SNAPSHOT, GENERATED_NAME, BINARY].some((pattern) => pattern.test(name))) return 'bare';
  if (CHANGELOG_FOLDER.test(path) || CHANGELOG.test(name)) return 'changelog';
  if (ASIDE_FOLDER.test(path) || TEST.test(name) || PROJECT.test(name)) return 'aside';
  return 'rest';
}
