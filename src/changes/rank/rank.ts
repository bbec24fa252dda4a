import type { ChangedFile } from '../../github/github.ts';

/**
 * Which of the changed files a writer of documentation needs to read, when not everything fits. The
 * rules were measured: what the maintainers of public projects then wrote into their own docs was
 * looked for in the prompt. `npm run bench` measures it again.
 */

// The kinds of files. The first one that fits counts.
//
// 1. A file that `paths` names without a wildcard is what somebody asked for. It is never `bare`.
// 2. Lock files, snapshots, generated, vendored and minified files, and images are `bare`: nobody
//    writes about their lines, so they are named without a patch.
// 3. Tests.
// 4. Changelogs: what they say is told before the commits, so they have no patch.
// 5. What surrounds a project (`.github/`, linters, formatters, LICENSE) comes last.
// 6. What only the project itself can import is for `insider`s.
// 7. Everything else is `source`, or `text` (documentation and configuration).

export type Kind = 'source' | 'text' | 'insider' | 'test' | 'changelog' | 'last' | 'bare';

const names = (list: string) => new Set(list.split(' '));
/** Matches a path with one of these folders in it, up to the end of the folder. */
const folders = (list: string) => new RegExp(`^(?:.*?/)??(?:${list.replaceAll(' ', '|')})/`);

const LOCK_FILES = names(
  'package-lock.json npm-shrinkwrap.json pnpm-lock.yaml yarn.lock bun.lock bun.lockb deno.lock go.sum go.work.sum Cargo.lock poetry.lock uv.lock pdm.lock Pipfile.lock pixi.lock composer.lock Gemfile.lock mix.lock pubspec.lock Podfile.lock Package.resolved packages.lock.json gradle.lockfile flake.lock .terraform.lock.hcl MODULE.bazel.lock',
);
const BARE_FOLDER = folders('__snapshots__ dist \\.licenses vendor third_party node_modules');
const SNAPSHOT = /\.(?:snap|ambr|golden)$|\.approved\.[^.]*$/;
const GENERATED =
  /\.pb\.(?:go|gw\.go|validate\.go|cc|h)$|_pb2?(?:_grpc)?\.(?:py|pyi|js|d\.ts|rb)$|\.min\.(?:js|css)$|\.(?:js|css)\.map$|\.g\.(?:dart|cs)$|^zz_generated|_gen\.go$/;
const BINARY =
  /\.(?:svg|png|jpe?g|gif|webp|avif|ico|icns|bmp|tiff?|pdf|woff2?|ttf|otf|eot|mp[34]|webm|mov|ogg|wav|zip|t?gz|bz2|xz|7z|jar|class|wasm|node|so|dll|dylib|exe|bin)$/i;

const TEST_FOLDER = folders(
  'test tests __tests__ __tests_[^/]*__ __mocks__ e2e testdata fixture fixtures playground playgrounds benchmark benchmarks',
);
// Not `spec/`: it may hold an OpenAPI document.
const TEST =
  /_test\.(?:go|py|rb|exs|dart)$|^test_.*\.py$|^conftest\.py$|_spec\.rb$|[.-]test\.[cm]?[jt]sx?$|\.(?:spec|stories)\.[cm]?[jt]sx?$|Tests?\.(?:java|kt|cs|swift|php)$/;

const CHANGELOG_FOLDER = folders('\\.changeset changelog\\.d changelogs newsfragments \\.changes');
const CHANGELOG = /^(?:CHANGELOG|CHANGES|HISTORY|NEWS|RELEASES)(?:\.(?:md|rst|txt|adoc))?$/i;

const INSIDER_FOLDER = folders('internal _internal');

const LAST_FOLDER = folders('\\.github');
const LAST =
  /^LICEN[CS]E(?:\.(?:md|mdx|rst|txt|adoc))?$|^\.(?:eslint|prettier|stylelint|markdownlint|oxlint|oxfmt|golangci|rubocop|flake8|clang-format|editorconfig|gitignore|gitattributes|pre-commit-config)|^(?:eslint|prettier|stylelint|biome|oxlint)\.(?:config\.\w+|jsonc?)$/i;

const TEXT =
  /\.(?:md|mdx|markdown|rst|txt|adoc|html?|css|scss|less|json[c5]?|ya?ml|toml|ini|cfg|conf|xml|csv|properties|lock|mod|env)$|^[^.]*$|^\.[^.]*$/i;

const nameOf = (path: string) => path.slice(path.lastIndexOf('/') + 1);

/** The kind of a file. `named` are the paths that somebody wrote down without a wildcard. */
export function kindOf(path: string, named: readonly string[] = []): Kind {
  const name = nameOf(path);
  const isBare =
    LOCK_FILES.has(name) || SNAPSHOT.test(name) || GENERATED.test(name) || BARE_FOLDER.test(path);
  if (!named.includes(path) && (isBare || BINARY.test(name))) return 'bare';
  if (TEST_FOLDER.test(path) || TEST.test(name)) return 'test';
  if (CHANGELOG_FOLDER.test(path) || CHANGELOG.test(name)) return 'changelog';
  if (LAST_FOLDER.test(path) || LAST.test(name)) return 'last';
  if (INSIDER_FOLDER.test(path) && !named.includes(path)) return 'insider';
  return openKindOf(path);
}

/** The kind of a file that anybody may use. */
const openKindOf = (path: string) => (TEXT.test(nameOf(path)) ? 'text' : 'source');

/** Whether this is documentation, by its name. */
export const isDocs = (path: string) =>
  /\.(?:mdx?|markdown|rst|adoc)$/i.test(path) && kindOf(path) === 'text';

/** The part of the changed source lines that makes a project one that has its source in there. */
const INSIDERS_OF_AN_APPLICATION = 0.9;

/**
 * Tells the kind of each of the selected files. Where nearly all of the changed source is for
 * insiders, it is source like any other: an application may have all of its code there. `pause` is
 * called after each file. It may wait, or throw to stop.
 */
export async function kindsOf(
  { selected, named }: SelectedFiles,
  pause: () => Promise<void>,
): Promise<KindIn> {
  // There may be 100,000 files, and each is asked for many times.
  const kinds = new Map<string, Kind>();
  let [inside, all] = [0, 0];
  for (const { filename, additions, deletions } of selected) {
    await pause();
    const kind = kindOf(filename, named);
    kinds.set(filename, kind);
    if (!(kind === 'source' || kind === 'insider') || openKindOf(filename) === 'text') continue;
    all += additions + deletions;
    if (kind === 'insider') inside += additions + deletions;
  }
  const isApplication = inside > 0 && inside >= INSIDERS_OF_AN_APPLICATION * all;
  return (path) => {
    const kind = kinds.get(path) ?? kindOf(path, named);
    return kind === 'insider' && isApplication ? openKindOf(path) : kind;
  };
}

/** Tells the kind of a file by its path. */
export type KindIn = (path: string) => Kind;

interface SelectedFiles {
  readonly selected: readonly ChangedFile[];
  readonly named: readonly string[];
}

/** What a `bare` file is, for people. */
export function bareReason(path: string): string {
  const name = nameOf(path);
  if (LOCK_FILES.has(name)) return 'lock file';
  if (SNAPSHOT.test(name) || path.includes('__snapshots__/')) return 'snapshot';
  return BINARY.test(name) ? 'image or binary file' : 'generated or vendored file';
}

/** Whether git has no lines to show of a file with this name. */
export const isBinaryName = (path: string) => BINARY.test(nameOf(path)) && !path.endsWith('.svg');

/**
 * The folder that stands for this test or bare file in a list: that of tests, of generated files, or
 * the one it lies in. It ends with a slash, and is empty at the top.
 */
export function groupFolderOf(path: string): string {
  const found = BARE_FOLDER.exec(path) ?? TEST_FOLDER.exec(path);
  return found?.[0] ?? path.slice(0, path.lastIndexOf('/') + 1);
}

// What declares something that others can use, in a line without its `+` or `-`.

const JS_FILE = /\.(?:[cm]?[jt]sx?|vue|svelte|astro)$/;
const JS =
  /^export\s+(?:type\s+)?\*|^export\s+(?:default\s+)?(?:declare\s+)?(?:abstract\s+)?(?:async\s+)?(?:function|class|interface|type|const|let|var|enum|namespace)\b|^(?:module\.)?exports\b.*=/;
const DECLARATIONS: readonly (readonly [extension: RegExp, line: RegExp])[] = [
  [
    /\.d\.[cm]?ts$/,
    /^export\s+(?:type\s+)?\*|^\s{0,4}(?:export\s+)?(?:default\s+)?(?:declare\s+)?(?:abstract\s+)?(?:function|class|interface|type|const|let|var|enum|namespace)\s+[\w$]/,
  ],
  [JS_FILE, JS],
  [
    /\.go$/,
    /^func (?:\([^)]*\) )?[A-Z]|^(?:type|var|const) [A-Z]|^\t(?:[A-Z]\w*(?:, [A-Z]\w*)*\s+[\w*[\]().]|[A-Z]\w*\s*=|[A-Z]\w*\()/,
  ],
  [/\.pyi?$/, /^\s{0,4}(?:async )?(?:def|class) (?!_)/],
  [/\.rb$/, /^\s*(?:def|class|module) /],
  [/\.exs?$/, /^\s*(?:def|defmodule|defmacro) /],
  [/\.rs$/, /^\s*pub\b(?!\()/],
  [/\.(?:java|cs)$/, /^\s*(?:public|protected) /],
  [
    /\.php$/,
    /^\s*(?:(?:abstract|final|readonly) )*(?:public (?:static )?function|class|interface|trait|enum) /,
  ],
  [/\.swift$/, /^\s*(?:@\w+ )*(?:public|open) /],
  [
    /\.(?:kts?|scala)$/,
    /^\s{0,40}(?!.*\b(?:private|internal)\b)(?:\w+ )*(?:fun|def|class|interface|object|trait) /,
  ],
  [/\.proto$/, /^\s*(?:message|service|rpc|enum) /],
  [/\.(?:graphqls?|gql)$/, /^(?:extend )?(?:type|input|enum|interface) /],
];
/** For a language that is not known. */
const GENERAL =
  /^\s{0,4}(?:export|pub|public|protected|func|fun|fn|def|class|interface|struct|trait|module|type|enum)\b.*\w/;
/** An environment variable that is read, or a command line flag: users of any code may meet these. */
const ENV_OR_FLAG =
  /\b(?:process\.env|import\.meta\.env)(?:\.\w|\[)|\b(?:os\.Getenv|os\.LookupEnv|os\.environ|os\.getenv|System\.getenv|std::env::var|ENV\[|ENV\.fetch|env::var)|[eE][nN][vV]\w{0,20}\(["'`][A-Z][A-Z0-9]*_[A-Z0-9_]+["'`]|["'`]--[a-z][\w-]+/;
/** In every language: an optional member, what is deprecated or a default. */
const MEMBER = /^ {2,8}(?:readonly )?['"]?[\w$-]+['"]?\?:|@deprecated\b|@default\b/;
const PRIVATE = /^\s*(?:private|#|_)/;

/** No declaration is longer than this, and minified code is one line. In UTF-16 units. */
const MAX_LINE_LENGTH = 500;

/** Whether one of the changed lines of a patch holds an environment variable or a flag. */
export const isForUsers = (lines: readonly string[]) =>
  lines.some((line) => /^[+-]/.test(line) && ENV_OR_FLAG.test(line.slice(0, MAX_LINE_LENGTH)));

/** What a line declares, itself (`whole`) or as a part of it (`member`): so many names. */
export interface Declared {
  readonly what: 'whole' | 'member';
  readonly names: number;
}

/**
 * Tells of each line of a patch, in their order, what it declares: `undefined` for nothing. It takes
 * time linear in the line.
 */
export function declares(path: string): (line: string) => Declared | undefined {
  const pattern = DECLARATIONS.find(([extension]) => extension.test(path))?.[1] ?? GENERAL;
  const exportedBy = JS_FILE.test(path) ? exportedNames() : () => 0;
  return (line) => {
    const names = exportedBy(line.slice(0, MAX_LINE_LENGTH));
    const text = line.slice(1, MAX_LINE_LENGTH).trimEnd();
    if (line.startsWith('@@') || PRIVATE.test(text)) return undefined;
    if (names > 0) return { what: 'whole', names };
    if (pattern.test(text)) return { what: 'whole', names: 1 };
    return MEMBER.test(text) || ENV_OR_FLAG.test(text) ? { what: 'member', names: 1 } : undefined;
  };
}

/** The braces of an `export`, up to their end or that of the line. */
const EXPORT_LIST = /^export\s+(?:type\s+)?\{([^}]*)(\}?)/;
const EXPORTED_NAME = /^(?:type\s+)?[\w$]+(?:\s+as\s+(?:[\w$]+|'[^']*'|"[^"]*"))?$/;

/** How many names a line of a patch has in the braces of an `export`, which may begin lines before. */
function exportedNames(): (line: string) => number {
  let isInside = false;
  return (line) => {
    // Behind the numbers of a hunk git names the last line before it that begins with a letter.
    const text = line.startsWith('@@') ? line.replace(/^@@[^@]*@@ ?/, '') : line.slice(1);
    const [, first, end] = EXPORT_LIST.exec(text) ?? [];
    if (first !== undefined) isInside = end === '';
    else if (!isInside || line.startsWith('@@')) isInside = false;
    const list = first ?? (isInside ? text : '');
    if (first === undefined && text.includes('}')) isInside = false;
    const [code = ''] = list.split(/\}|\/[/*]/, 1);
    const names = code.split(',').map((name) => name.trim());
    return line.startsWith('@@') ? 0 : names.filter((name) => EXPORTED_NAME.test(name)).length;
  };
}

// How the room is shared.
//
// 0. Source files that add or remove a declaration.
// 1. Other source, documentation and configuration.
// 2. What only insiders can use. 3. Tests. 4. What surrounds the project.
// Within a group the room is shared evenly, and the files with the fewest declarations drop out first.
// What a group leaves goes to the next, and what all leave goes back to the first.

/** The part of the room that the first group may have while others want some. */
export const DECLARING_SHARE = 0.85;
/** In how many groups files are. */
export const GROUPS = 5;
/** The groups that have at most so much in all, in bytes: what only insiders can use, and tests. */
export const MAX_GROUP_BYTES: Readonly<Record<number, number>> = { 2: 20_000, 3: 20_000 };
/** The part of the room for the declarations of removed files. */
export const REMOVED_SHARE = 0.05;
/** The part of a file's share that the declarations may have of which the patch is cut off. */
export const OUTLINE_SHARE = 0.6;

/**
 * The group of a file, by its kind and by how many lines of its patch declare something. Changelogs
 * and bare files take no room for patches; `compareWanted` ranks them as well.
 */
export function groupOf(kind: Kind, declarations: number): number {
  if (kind === 'source') return declarations > 0 ? 0 : 1;
  return { text: 1, insider: 2, test: 3, last: 4, changelog: 0, bare: 5 }[kind];
}

/** The order in which the patches are made that GitHub does not give, as far as their names tell. */
export const compareWanted = (a: Kind, b: Kind) => groupOf(a, 1) - groupOf(b, 1);
