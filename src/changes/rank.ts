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
// 4. What surrounds a project (`.github/`, linters, formatters, LICENSE, CHANGELOG) comes last.
// 5. Everything else is `source`, or `text` (documentation and configuration).

export type Kind = 'source' | 'text' | 'test' | 'last' | 'bare';

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
  'test tests __tests__ __mocks__ e2e testdata fixture fixtures playground playgrounds benchmark benchmarks',
);
// Not `spec/`: it may hold an OpenAPI document.
const TEST =
  /_test\.(?:go|py|rb|exs|dart)$|^test_.*\.py$|^conftest\.py$|_spec\.rb$|[.-]test\.[cm]?[jt]sx?$|\.(?:spec|stories)\.[cm]?[jt]sx?$|Tests?\.(?:java|kt|cs|swift|php)$/;

const LAST_FOLDER = folders('\\.github');
const LAST =
  /^(?:LICEN[CS]E|CHANGELOG|CHANGES|HISTORY)(?:\.(?:md|mdx|rst|txt|adoc))?$|^\.(?:eslint|prettier|stylelint|markdownlint|oxlint|oxfmt|golangci|rubocop|flake8|clang-format|editorconfig|gitignore|gitattributes|pre-commit-config)|^(?:eslint|prettier|stylelint|biome|oxlint)\.(?:config\.\w+|jsonc?)$/i;

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
  if (LAST_FOLDER.test(path) || LAST.test(name)) return 'last';
  return TEXT.test(name) ? 'text' : 'source';
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

const JS =
  /^export\s+(?:default\s+)?(?:declare\s+)?(?:abstract\s+)?(?:async\s+)?(?:function|class|interface|type|const|let|var|enum|namespace)\b|^(?:module\.)?exports\b.*=/;
const DECLARATIONS: readonly (readonly [extension: RegExp, line: RegExp])[] = [
  [
    /\.d\.[cm]?ts$/,
    /^\s{0,4}(?:export\s+)?(?:default\s+)?(?:declare\s+)?(?:abstract\s+)?(?:function|class|interface|type|const|let|var|enum|namespace)\s+[\w$]/,
  ],
  [/\.(?:[cm]?[jt]sx?|vue|svelte|astro)$/, JS],
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
/** In every language: an optional member, what is deprecated or a default, an environment variable that is read, a command line flag. */
const MEMBER =
  /^ {2,8}(?:readonly )?['"]?[\w$-]+['"]?\?:|@deprecated\b|@default\b|\b(?:process\.env|import\.meta\.env)(?:\.\w|\[)|\b(?:os\.Getenv|os\.LookupEnv|os\.environ|os\.getenv|System\.getenv|std::env::var|ENV\[|ENV\.fetch|env::var)|["'`]--[a-z][\w-]+/;
const PRIVATE = /^\s*(?:private|#|_)/;

/**
 * Tells whether a line of this file declares something, itself (`whole`) or as a part of it
 * (`member`). It takes time linear in the line.
 */
export function declares(path: string): (line: string) => 'whole' | 'member' | undefined {
  const pattern = DECLARATIONS.find(([extension]) => extension.test(path))?.[1] ?? GENERAL;
  return (line) => {
    // No declaration is longer than this, and minified code is one line.
    const text = line.slice(0, 500);
    if (PRIVATE.test(text)) return undefined;
    return pattern.test(text) ? 'whole' : MEMBER.test(text) ? 'member' : undefined;
  };
}

// How the room is shared.
//
// 1. Source files that add or remove a declaration, those with the most first.
// 2. Other source, documentation and configuration.
// 3. Tests. 4. What surrounds the project.
// What a group leaves goes to the next, and what all leave goes back to the first.

/** The part of the room that the first group may have while others want some. */
export const DECLARING_SHARE = 0.85;
/** Tests have at most this much in all, in bytes. */
export const MAX_TESTS_BYTES = 20_000;
/** The part of the room for the declarations of removed files. */
export const REMOVED_SHARE = 0.05;
/** The part of a file's share that the declarations may have of which the patch is cut off. */
export const OUTLINE_SHARE = 0.6;

/** The group of a file, by its kind and by how many lines of its patch declare something. */
export function groupOf(kind: Kind, declarations: number): number {
  if (kind === 'source') return declarations > 0 ? 0 : 1;
  return { text: 1, test: 2, last: 3, bare: 4 }[kind];
}

/** The order in which the patches are made that GitHub does not give, as far as their names tell. */
export const compareWanted = (a: Kind, b: Kind) => groupOf(a, 1) - groupOf(b, 1);
