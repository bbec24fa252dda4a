/** Classifies changed files by path. */
import type { ChangedFile } from '../../github/github.ts';
import type { Selection } from '../find/found.ts';

/**
 * - `bare`: lock files, snapshots, generated, vendored and minified files, and images. Nobody
 *   documents their lines, so only their names are listed.
 * - `project`: what surrounds a project (`.github/`, linters, formatters, LICENSE).
 * - `internal`: what only the project itself can import.
 * - `text`: documentation and configuration.
 */
export type Kind = 'bare' | 'changelog' | 'test' | 'project' | 'internal' | 'text' | 'source';

const names = (list: string) => new Set(list.split(' '));
/** Matches a path that contains one of these folders. */
const folders = (list: string) => new RegExp(`(?:^|/)(?:${list.replaceAll(' ', '|')})/`);

const LOCK_FILES = names(
  'package-lock.json npm-shrinkwrap.json pnpm-lock.yaml yarn.lock bun.lock bun.lockb deno.lock go.sum go.work.sum Cargo.lock poetry.lock uv.lock pdm.lock Pipfile.lock pixi.lock composer.lock Gemfile.lock mix.lock pubspec.lock Podfile.lock Package.resolved packages.lock.json gradle.lockfile flake.lock .terraform.lock.hcl MODULE.bazel.lock',
);
const BARE_FOLDER = folders('__snapshots__ dist \\.licenses vendor third_party node_modules');
const SNAPSHOT = /\.(?:snap|ambr|golden)$|\.approved\.[^.]*$/;
const GENERATED =
  /\.pb\.(?:go|gw\.go|validate\.go|cc|h)$|_pb2?(?:_grpc)?\.(?:py|pyi|js|d\.ts|rb)$|\.min\.(?:js|css)$|\.(?:js|css)\.map$|\.g\.(?:dart|cs)$|^zz_generated|_gen\.go$/;
const BINARY =
  /\.(?:svg|png|jpe?g|gif|webp|avif|ico|icns|bmp|tiff?|pdf|woff2?|ttf|otf|eot|mp[34]|webm|mov|ogg|wav|zip|t?gz|bz2|xz|7z|jar|class|wasm|node|so|dll|dylib|exe|bin)$/i;

const CHANGELOG_FOLDER = folders('\\.changeset changelog\\.d changelogs newsfragments \\.changes');
const CHANGELOG = /^(?:CHANGELOG|CHANGES|HISTORY|NEWS|RELEASES)(?:\.(?:md|rst|txt|adoc))?$/i;

const TEST_FOLDER = folders(
  'test tests __tests__ __tests_[^/]*__ __mocks__ e2e testdata fixture fixtures playground playgrounds benchmark benchmarks',
);
// Excludes `spec/`, which may contain an OpenAPI document.
const TEST =
  /_test\.(?:go|py|rb|exs|dart)$|^test_.*\.py$|^conftest\.py$|_spec\.rb$|[.-]test\.[cm]?[jt]sx?$|\.(?:spec|stories)\.[cm]?[jt]sx?$|Tests?\.(?:java|kt|cs|swift|php)$/;

const PROJECT_FOLDER = folders('\\.github');
const PROJECT =
  /^LICEN[CS]E(?:\.(?:md|mdx|rst|txt|adoc))?$|^\.(?:eslint|prettier|stylelint|markdownlint|oxlint|oxfmt|golangci|rubocop|flake8|clang-format|editorconfig|gitignore|gitattributes|pre-commit-config)|^(?:eslint|prettier|stylelint|biome|oxlint)\.(?:config\.\w+|jsonc?)$/i;

const INTERNAL_FOLDER = folders('internal _internal');

const TEXT =
  /\.(?:md|mdx|markdown|rst|txt|adoc|html?|css|scss|less|json[c5]?|ya?ml|toml|ini|cfg|conf|xml|csv|properties|mod|env)$|^[^.]*$|^\./i;

const nameOf = (path: string) => path.slice(path.lastIndexOf('/') + 1);

/**
 * Returns the first kind that fits a file. `named` are the paths that somebody wrote without a
 * wildcard, which are never `bare`.
 */
export function kindOf(path: string, named: readonly string[]): Kind {
  const name = nameOf(path);
  if (isBare(path, name) && !named.includes(path)) return 'bare';
  if (CHANGELOG_FOLDER.test(path) || CHANGELOG.test(name)) return 'changelog';
  if (TEST_FOLDER.test(path) || TEST.test(name)) return 'test';
  if (PROJECT_FOLDER.test(path) || PROJECT.test(name)) return 'project';
  if (INTERNAL_FOLDER.test(path)) return 'internal';
  return TEXT.test(name) ? 'text' : 'source';
}

const isBare = (path: string, name: string) =>
  LOCK_FILES.has(name) ||
  SNAPSHOT.test(name) ||
  GENERATED.test(name) ||
  BARE_FOLDER.test(path) ||
  BINARY.test(name);

/** Describes for people what a `bare` file is. */
export function bareReason(path: string): string {
  const name = nameOf(path);
  if (LOCK_FILES.has(name)) return 'lock file';
  if (SNAPSHOT.test(name) || path.includes('__snapshots__/')) return 'snapshot';
  return BINARY.test(name) ? 'image or binary file' : 'generated or vendored file';
}

/** Whether git has no lines to show for a file with this name. */
export const isBinaryName = (path: string) => BINARY.test(nameOf(path)) && !path.endsWith('.svg');

/** Whether lines of a file changed, or may have. */
export function hasLines({ filename, lines }: ChangedFile): boolean {
  if (lines === 'binary') return false;
  if (lines === 'not-given') return !isBinaryName(filename);
  return lines.additions + lines.deletions > 0;
}

/** Whether a file without a patch may have lines to show. */
export const lacksPatch = (file: ChangedFile) => file.patch === undefined && hasLines(file);

export interface RankedFile {
  readonly file: ChangedFile;
  readonly kind: Kind;
}

/**
 * The files whose patches are included: the selected ones, and every changelog that still exists.
 */
export function filesWithPatches({ files, selected, named }: Selection): readonly RankedFile[] {
  const isSelected = new Set(selected);
  return files
    .map((file) => ({ file, kind: kindOf(file.filename, named) }))
    .filter(
      ({ file, kind }) =>
        isSelected.has(file) || (kind === 'changelog' && file.status !== 'removed'),
    );
}
