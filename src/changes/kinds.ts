/** Classifies changed files by their path. */

/**
 * Nobody documents the lines of a `bare` file, so it is named without a patch. `project` is what
 * surrounds a project, and `internal` what only the project itself can import.
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

/** Returns the first kind that fits a file. */
export function kindOf(path: string): Kind {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const isBare =
    LOCK_FILES.has(name) ||
    SNAPSHOT.test(name) ||
    GENERATED.test(name) ||
    BARE_FOLDER.test(path) ||
    BINARY.test(name);
  if (isBare) return 'bare';
  if (CHANGELOG_FOLDER.test(path) || CHANGELOG.test(name)) return 'changelog';
  if (TEST_FOLDER.test(path) || TEST.test(name)) return 'test';
  if (PROJECT_FOLDER.test(path) || PROJECT.test(name)) return 'project';
  if (INTERNAL_FOLDER.test(path)) return 'internal';
  return TEXT.test(name) ? 'text' : 'source';
}
