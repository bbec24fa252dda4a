/**
 * `npm run check` runs this: the rooms of `src/`, what each may import, and what keeps them to it.
 * `--write` (`npm run fix`) writes the part that Biome enforces into `biome.json`.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import {
  isArrowFunction,
  isCallExpression,
  isClassDeclaration,
  isEnumDeclaration,
  isExportDeclaration,
  isFunctionDeclaration,
  isFunctionExpression,
  isIdentifier,
  isImportDeclaration,
  isImportTypeNode,
  isInterfaceDeclaration,
  isModuleDeclaration,
  isNoSubstitutionTemplateLiteral,
  isStringLiteral,
  isTypeAliasDeclaration,
  isVariableStatement,
  type Node,
  type SourceFile,
  SyntaxKind,
} from 'typescript/unstable/ast';
import { API } from 'typescript/unstable/sync';

/** A name that ends in `/` stands for all files below that folder. */
type Names = readonly string[];

interface Room {
  /** What its files may import of `src/`. They may always import each other. */
  readonly files: Names;
  /** What they may import besides, with `import type` only. */
  readonly types?: Names;
  /** Packages and parts of Node. A file of a package is named by its path from the root. */
  readonly packages?: Names;
}

const SHARED = ['model/', 'text/'];
/** The interfaces of the effects, and how to retry. */
const EFFECTS = [...SHARED, 'effects/effects.ts', 'effects/retry.ts'];
/** And what is known of GitHub. */
const GITHUB = [...EFFECTS, 'github/github.ts'];

/** What stands side by side. Only what joins them imports several. */
const JOINED = ['inputs/', 'history/', 'changes/', 'agent/', 'report/'];

/** Each room of `src/`, and each file beside them. */
export const ROOMS: Readonly<Record<string, Room>> = {
  'index.ts': {
    files: [...['run.ts', ...JOINED, ...SHARED, 'effects/', 'github/']],
  },
  'run.ts': { files: ['steps/', ...JOINED, ...GITHUB] },
  // What one step of the run does with several of the rooms below.
  'steps/': { files: [...JOINED, ...GITHUB] },
  'inputs/': { files: EFFECTS, packages: ['zod/mini'] },
  'history/': { files: GITHUB, packages: ['node:crypto', 'zod/mini'] },
  'changes/find/': { files: GITHUB, packages: ['zod/mini'] },
  'changes/rank/': { files: ['changes/find/', ...GITHUB], packages: ['diff/lib/patch/create.js'] },
  'changes/write/': {
    files: ['changes/find/', 'changes/rank/', ...GITHUB],
    // What of the inputs makes a prompt.
    types: ['inputs/inputs.ts'],
    packages: ['node:crypto'],
  },
  'agent/': { files: EFFECTS, packages: ['zod/mini'] },
  'github/': {
    files: [...SHARED, 'effects/'],
    packages: ['node:fs', 'node_modules/@actions/github/lib/context.js', 'zod/mini'],
  },
  'report/': {
    // The default of an input, and the page where one is set.
    files: ['inputs/inputs.ts', ...EFFECTS],
    // GitHub's link to a file in a pull request holds a hash of its path.
    packages: ['node:crypto'],
  },
  'effects/': {
    files: SHARED,
    packages: [
      ...['fs', 'fs/promises', 'http', 'https', 'net', 'path', 'stream', 'timers/promises'].map(
        (name) => `node:${name}`,
      ),
      ...['command', 'file-command', 'summary'].map(
        (name) => `node_modules/@actions/core/lib/${name}.js`,
      ),
      '@actions/http-client/lib/proxy',
    ],
  },
  'model/': { files: [] },
  'text/': { files: [] },
};

/** Rooms that are no drawers: what is in them is used by two rooms at least. */
const OF_SEVERAL = ['model/', 'text/'];

/** The only files that may use what is real: the environment, the clock, the network. */
const REAL = ['index.ts', 'effects/', 'github/context.ts'];

const CLOCK = 'Use the clock that is passed in.';

/** What is real, and what to use instead. */
const REAL_GLOBALS = {
  process: 'The environment is read in index.ts and effects/ only.',
  setTimeout: CLOCK,
  setInterval: CLOCK,
  setImmediate: CLOCK,
  queueMicrotask: CLOCK,
  performance: CLOCK,
  fetch: 'Use the http that is passed in.',
  console: 'Use the runner that is passed in.',
  require: 'Import instead.',
  globalThis: 'Name what is used.',
  global: 'Name what is used.',
};
const REAL_PROPERTIES = ['Date.now', 'Math.random', 'AbortSignal.timeout'];

/** The `overrides` of `biome.json`. */
export function biomeOverrides() {
  const entries = REAL_PROPERTIES.map((name) => {
    const [object, property] = name.split('.');
    return { object, property, message: CLOCK };
  });
  const rule = (options: object) => ({ level: 'error', options });
  return [
    {
      includes: ['src/**', ...REAL.map((name) => `!src/${name.replace(/\/$/, '/**')}`)],
      linter: {
        rules: {
          style: { noRestrictedGlobals: rule({ deniedGlobals: REAL_GLOBALS }) },
          nursery: { noJsRestrictedProperties: rule({ entries }) },
        },
      },
    },
  ];
}

const isAmong = (path: string, names: Names) =>
  names.some((name) => (name.endsWith('/') ? path.startsWith(name) : path === name));

/** The room of a path below `src/`. */
const roomOf = (path: string) => Object.keys(ROOMS).find((room) => isAmong(path, [room]));

/** Whether a file of a room may import another file. Both are paths below `src/`. */
export function mayImport(room: string, target: string, isType: boolean): boolean {
  const { files = [], types = [] } = ROOMS[room] ?? {};
  return isAmong(target, [room, ...files]) || (isType && isAmong(target, types));
}

/**
 * What is wrong with the sources in `root`: `src/…:line: sentence`. TypeScript says what they
 * import, so that no spelling is overlooked.
 */
export function problemsIn(root: string): readonly string[] {
  const problems: string[] = [];
  const paths = readdirSync(join(root, 'src'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) =>
      posix(join(entry.parentPath, entry.name)).slice(posix(join(root, 'src/')).length),
    )
    .sort();
  const sources = parse(root);
  /** Which rooms import a file. */
  const importers = new Map(paths.map((path) => [path, new Set<string>()]));
  /** Where a name of a function or type was declared first. */
  const declared = new Map<string, string>();
  for (const path of paths) {
    const say = (line: number, sentence: string) =>
      problems.push(`src/${path}:${line}: ${sentence}`);
    const source = sources.get(posix(resolve(root, 'src', path)));
    const room = roomOf(path);
    if (source === undefined) {
      say(1, 'TypeScript does not read this file.');
      continue;
    }
    if (room === undefined) {
      say(1, 'It is in no room of .github/scripts/rooms.ts.');
      continue;
    }
    const lineOf = (node: Node) =>
      source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1;
    for (const specifier of source.imports) {
      const text = textOf(specifier) ?? '';
      const target = targetOf(root, path, text);
      if (importers.has(target)) {
        importers.get(target)?.add(room.split('/')[0] ?? '');
        if (mayImport(room, target, isTypeImport(specifier))) continue;
      } else if (ROOMS[room]?.packages?.includes(target)) continue;
      say(lineOf(specifier), `${room} may not import '${text}'.`);
    }
    if (source.referencedFiles.length + source.typeReferenceDirectives.length > 0) {
      say(1, 'Import instead of `/// <reference>`.');
    }
    visit(source, (node) => {
      if (isModuleDeclaration(node)) say(lineOf(node), 'Import instead of `declare module`.');
      const isImport = isCallExpression(node) && node.expression.kind === SyntaxKind.ImportKeyword;
      const [argument] = isImport ? node.arguments : [];
      if (argument !== undefined && textOf(argument) === undefined) {
        say(lineOf(node), 'Write what is imported as one string.');
      }
    });
    for (const name of new Set(namesIn(source))) {
      const first = declared.get(name);
      if (first === undefined) declared.set(name, path);
      else say(1, `\`${name}\` stands in src/${first} as well. Name each by what it is.`);
    }
  }
  for (const [path, rooms] of importers) {
    if (isAmong(path, OF_SEVERAL) && rooms.size < 2) {
      problems.push(`src/${path}:1: Only one room uses it: move it there.`);
    }
  }
  return problems;
}

/** The sources of the project, by their absolute paths. */
function parse(root: string): ReadonlyMap<string, SourceFile> {
  const api = new API({ cwd: root });
  try {
    const [project] = api
      .updateSnapshot({ openProjects: [join(root, 'tsconfig.json')] })
      .getProjects();
    const sources = new Map<string, SourceFile>();
    for (const name of project?.rootFiles ?? []) {
      const source = project?.program.getSourceFile(name);
      if (source !== undefined) sources.set(posix(name), source);
    }
    return sources;
  } finally {
    api.close();
  }
}

/** What a specifier means: a path below `src/`, one from the root, or the name of a package. */
function targetOf(root: string, importer: string, specifier: string): string {
  if (!/^\.{1,2}\//.test(specifier)) return specifier;
  const path = posix(resolve(root, 'src', dirname(importer), specifier));
  const base = `${posix(resolve(root))}/`;
  return path.startsWith(base) ? path.slice(base.length).replace(/^src\//, '') : specifier;
}

function isTypeImport({ parent }: Node): boolean {
  if (isImportDeclaration(parent)) {
    return parent.importClause?.phaseModifier === SyntaxKind.TypeKeyword;
  }
  if (isExportDeclaration(parent)) return parent.isTypeOnly;
  return isImportTypeNode(parent.parent) && !parent.parent.isTypeOf;
}

/** The names of a file's own functions and types, without those inside them. */
function namesIn(source: SourceFile): readonly string[] {
  const isNamed = [
    isFunctionDeclaration,
    isClassDeclaration,
    isInterfaceDeclaration,
    isTypeAliasDeclaration,
    isEnumDeclaration,
  ];
  return source.statements.flatMap((statement) => {
    if (isVariableStatement(statement)) {
      return statement.declarationList.declarations.flatMap(({ name, initializer }) => {
        const isFunction =
          initializer !== undefined &&
          (isArrowFunction(initializer) || isFunctionExpression(initializer));
        return isFunction && isIdentifier(name) ? [name.text] : [];
      });
    }
    return isNamed.flatMap((is) => (is(statement) && statement.name ? [statement.name.text] : []));
  });
}

const textOf = (node: Node) =>
  isStringLiteral(node) || isNoSubstitutionTemplateLiteral(node) ? node.text : undefined;

function visit(node: Node, look: (node: Node) => void): void {
  look(node);
  node.forEachChild((child) => visit(child, look));
}

const posix = (path: string) => path.replaceAll('\\', '/');

if (import.meta.main) {
  const settings = JSON.parse(readFileSync('biome.json', 'utf8'));
  const overrides = biomeOverrides();
  const isWritten = JSON.stringify(settings.overrides) === JSON.stringify(overrides);
  if (!isWritten && process.argv.includes('--write')) {
    writeFileSync('biome.json', `${JSON.stringify({ ...settings, overrides }, null, 2)}\n`);
  } else {
    const problems = problemsIn(process.cwd());
    const all = isWritten
      ? problems
      : [...problems, 'biome.json: It is not what .github/scripts/rooms.ts says: `npm run fix`.'];
    for (const problem of all) console.error(problem);
    if (all.length > 0) process.exitCode = 1;
  }
}
