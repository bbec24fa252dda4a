/**
 * The parts of GitHub's responses that the action reads: each shape once, with GitHub's own field
 * names. Fields that other engines leave out or send as null are optional. Each schema is `lazy`,
 * because building all of them takes 5 ms, and many steps never ask GitHub.
 */
import * as z from 'zod/mini';

type Shape<T extends z.ZodMiniType> = DeepReadonly<z.infer<T>>;
type DeepReadonly<T> = T extends object ? { readonly [K in keyof T]: DeepReadonly<T[K]> } : T;

/** A text that may be null or missing, and then becomes `undefined`. */
const text = z.pipe(
  z.nullish(z.string()),
  z.transform((given) => given ?? undefined),
);
const optionalText = z.optional(text);
const textOrEmpty = z.pipe(
  z.nullish(z.string()),
  z.transform((given) => given ?? ''),
);
/** Treats an empty text as missing. */
const textOrMissing = z.optional(
  z.pipe(
    z.nullish(z.string()),
    z.transform((given) => given || undefined),
  ),
);
const sha = z.object({ sha: z.string() });
const label = z.object({ name: z.string() });

/** https://docs.github.com/rest/commits/commits#get-a-commit */
const commitSchema = z.lazy(() =>
  z.object({
    sha: z.string(),
    /** A merge commit has several parents. The first is on the branch that the merge went into. */
    parents: z.nullish(z.array(sha)),
    commit: z.object({
      /** The whole message: subject and body. */
      message: z.string(),
      /** The author in the git commit. */
      author: z.nullish(z.object({ name: z.string() })),
      tree: z.nullish(sha),
    }),
    /** The account. Null if deleted, and an empty object if unknown to GitHub. */
    author: z.nullish(z.object({ login: z.optional(z.string()) })),
  }),
);
export type Commit = Shape<typeof commitSchema>;
export const commitsSchema = z.lazy(() => z.array(commitSchema));
const endSchema = z.lazy(() =>
  z.object({
    sha: z.string(),
    commit: z.nullish(z.object({ tree: z.nullish(sha) })),
    parents: z.nullish(z.array(sha)),
  }),
);
/**
 * A commit as a start or an end of changes.
 * https://docs.github.com/rest/commits/commits#get-a-commit
 */
export const commitEndSchema = z.lazy(() =>
  z.pipe(
    endSchema,
    z.transform(({ sha: id, commit, parents }) => ({
      sha: id,
      parents: (parents ?? []).map((parent) => parent.sha),
      /** The object ID of the root folder. Commits with the same one have the same files. */
      tree: commit?.tree?.sha,
    })),
  ),
);
export type CommitEnd = Shape<typeof commitEndSchema>;
/**
 * The target of an annotated tag: a commit, another tag, or anything else.
 * https://docs.github.com/rest/git/tags#get-a-tag
 */
export const tagObjectSchema = z.lazy(() =>
  z.object({
    object: z.object({ sha: z.string(), type: z.string() }),
  }),
);

/**
 * How many lines of a file changed. `binary`: the file has no lines. `not-given`: GitHub doesn't
 * say, so lines may have changed.
 */
export type ChangedLines =
  | { readonly additions: number; readonly deletions: number }
  | 'binary'
  | 'not-given';
export const NO_LINES: ChangedLines = { additions: 0, deletions: 0 };

/**
 * Git's object IDs of an empty file, with SHA-1 and SHA-256: `git hash-object -t blob /dev/null`.
 */
const EMPTY_FILE = [
  'e69de29bb2d1d6434b8b29ae775ad8c2e48c5391',
  '473a0f4c3be8a93681a267e3b1e9a7dcda1185436fe141f7749120a303721813',
];

/**
 * The changed lines of a file without a patch and counts. They are known only if an empty file was
 * added or removed.
 */
export function uncountedLines(status: string, sha: string | undefined): ChangedLines {
  const isWhole = status === 'added' || status === 'removed';
  return isWhole && EMPTY_FILE.includes(sha ?? '') ? NO_LINES : 'not-given';
}

/**
 * A file with no patch and zero counts is binary, has no changed lines, or lacks its counts. GitHub
 * leaves counts out of long responses, and doesn't document how long these are.
 * https://docs.github.com/rest/commits/commits#compare-two-commits
 */
export const fileSchema = z.lazy(() =>
  z.pipe(
    z.object({
      filename: z.string(),
      /** The name before a rename, or of the file that was copied. */
      previous_filename: optionalText,
      status: z.string(),
      /** The object ID of the file's content at the head, or of the removed content. */
      sha: optionalText,
      additions: z.number(),
      deletions: z.number(),
      patch: textOrMissing,
    }),
    z.transform(({ additions, deletions, ...file }) => {
      const isCounted = file.patch !== undefined || additions + deletions > 0;
      const lines = isCounted ? { additions, deletions } : uncountedLines(file.status, file.sha);
      return { ...file, lines };
    }),
  ),
);
export type ChangedFile = Shape<typeof fileSchema>;

const status = z.lazy(() => z.enum(['ahead', 'behind', 'identical', 'diverged']));
/** https://docs.github.com/rest/commits/commits#compare-two-commits */
export const comparisonSchema = z.lazy(() =>
  z.object({
    status: z.optional(status),
    html_url: z.optional(z.string()),
    merge_base_commit: z.nullish(endSchema),
    total_commits: z.number(),
    commits: commitsSchema,
    files: z.array(fileSchema),
  }),
);
/** A later page, which has no files. */
export const comparisonPageSchema = z.lazy(() => z.object({ commits: commitsSchema }));
export const comparisonEndsSchema = z.lazy(() =>
  z.object({
    status: z.optional(status),
    merge_base_commit: z.nullish(sha),
  }),
);
export type ComparisonStatus = z.infer<typeof status>;

/** https://docs.github.com/rest/pulls/pulls#get-a-pull-request */
export const pullSchema = z.lazy(() =>
  z.object({
    /** `open` (even for a draft) or `closed`. */
    state: z.string(),
    /** `ref` is the branch. It is missing if its repository was deleted. */
    head: z.object({ sha: z.string(), ref: optionalText }),
    /** The branch to merge into. */
    base: z.nullish(z.object({ ref: z.string() })),
    /** ISO 8601. A merged pull request has all of them. */
    created_at: optionalText,
    merged_at: optionalText,
    closed_at: optionalText,
    title: optionalText,
    labels: z.optional(z.array(label)),
    commits: z.optional(z.number()),
    changed_files: z.optional(z.number()),
  }),
);
export type PullRequest = Shape<typeof pullSchema>;

/** https://docs.github.com/rest/pulls/pulls#list-pull-requests-files */
export const pagesSchema = z.lazy(() =>
  z.array(z.object({ filename: z.string(), additions: z.number(), deletions: z.number() })),
);

/** https://docs.github.com/rest/releases/releases#list-releases */
export const releaseSchema = z.lazy(() =>
  z.object({
    tag_name: z.string(),
    draft: z.boolean(),
    prerelease: z.boolean(),
  }),
);
export type Release = Shape<typeof releaseSchema>;
export const refsSchema = z.lazy(() => z.array(z.object({ ref: z.string() })));

/** https://docs.github.com/rest/actions/workflow-runs#get-a-workflow-run */
export const runSchema = z.lazy(() =>
  z.object({
    id: z.number(),
    workflow_id: z.number(),
    run_number: z.number(),
    /** The number of the run's newest attempt. */
    run_attempt: z.nullish(z.number()),
    /** `completed`, `in_progress`, `queued`, `waiting` and others. */
    status: text,
    /** `success`, `failure`, `cancelled`, `skipped` and others, once the run has completed. */
    conclusion: optionalText,
    head_branch: text,
    /** ISO 8601. No step of the run ran later. */
    updated_at: optionalText,
    /** The name of the event that started the run. */
    event: optionalText,
    /** `owner/name`. Differs for a run of a fork, and is null once the fork is deleted. */
    head_repository: z.nullish(z.object({ full_name: z.string() })),
  }),
);
export type WorkflowRun = Shape<typeof runSchema>;
/** `total` is how many runs there are. GitHub lists at most 1,000 of them. */
export const runsSchema = z.lazy(() =>
  z.pipe(
    z.object({ total_count: z.optional(z.number()), workflow_runs: z.array(runSchema) }),
    z.transform(({ total_count: total = 0, workflow_runs: runs }) => ({ total, runs })),
  ),
);
export type WorkflowRunsPage = Shape<typeof runsSchema>;

/**
 * GitHub's workflow job, in one attempt of its run.
 * https://docs.github.com/rest/actions/workflow-jobs
 */
export const workflowJobSchema = z.lazy(() =>
  z.object({
    /** Also the ID of the job's check run. */
    id: z.number(),
    run_id: z.optional(z.number()),
    name: z.string(),
    run_attempt: z.number(),
    status: z.string(),
    /** `success`, `failure`, `cancelled`, `skipped` and others, once the job has completed. */
    conclusion: optionalText,
    /** ISO 8601, once the job has completed. */
    completed_at: optionalText,
    runner_name: text,
  }),
);
export type WorkflowJob = Shape<typeof workflowJobSchema>;
export const workflowJobsSchema = z.lazy(() =>
  z.pipe(
    z.object({ jobs: z.array(workflowJobSchema) }),
    z.transform(({ jobs }) => jobs),
  ),
);

/**
 * `level` is `notice`, `warning` or `failure`.
 * https://docs.github.com/rest/checks/runs#list-check-run-annotations
 */
export const annotationsSchema = z.lazy(() =>
  z.array(
    z.pipe(
      z.object({ annotation_level: textOrEmpty, title: textOrEmpty, message: textOrEmpty }),
      z.transform(({ annotation_level: level, ...texts }) => ({ level, ...texts })),
    ),
  ),
);
export type KeptAnnotation = Shape<typeof annotationsSchema>[number];

/** A file, link or submodule of a commit. */
export interface TreeEntry {
  readonly mode: string;
  readonly sha: string | undefined;
}

/**
 * Every entry of a commit by its path. There may be 100,000, so entries are read without copying
 * them, and keep only the necessary fields. GitHub lists at most 100,000, and sets `truncated` if
 * there are more.
 * https://docs.github.com/rest/git/trees#get-a-tree
 */
export const treeSchema = z.lazy(() =>
  z.pipe(
    z.object({ tree: z.custom<readonly unknown[]>(Array.isArray), truncated: z.boolean() }),
    z.transform(({ tree, truncated }, { issues }) => {
      const entries = new Map<string, TreeEntry>();
      for (const [index, entry] of tree.entries()) {
        if (!isTreeEntry(entry)) {
          issues.push({ code: 'custom', input: entry, path: ['tree', index] });
          break;
        }
        const { path, mode, type, sha: id } = entry;
        if (type !== 'tree') entries.set(path, { mode, sha: id ?? undefined });
      }
      return { entries, truncated };
    }),
  ),
);
export interface Tree {
  readonly entries: ReadonlyMap<string, TreeEntry>;
  readonly truncated: boolean;
}

interface GivenTreeEntry {
  readonly path: string;
  readonly mode: string;
  readonly type: string;
  readonly sha?: string | null;
}

function isTreeEntry(value: unknown): value is GivenTreeEntry {
  if (typeof value !== 'object' || value === null) return false;
  const { path, mode, type, sha: id }: Partial<Record<keyof GivenTreeEntry, unknown>> = value;
  return [path, mode, type, id ?? ''].every((one) => typeof one === 'string');
}

/**
 * A file. An object of another type has none of these fields.
 * https://docs.github.com/graphql/reference/objects#blob
 */
export const blobSchema = z.lazy(() =>
  z.pipe(
    z.object({ text, isBinary: z.nullish(z.boolean()), isTruncated: z.boolean() }),
    z.transform(({ text: content, isBinary, isTruncated }) => ({
      isBinary: isBinary === true,
      /** `undefined` for a binary file, and for one that GitHub would truncate. */
      text: isBinary || isTruncated ? undefined : content,
    })),
  ),
);
export type Blob = Shape<typeof blobSchema>;

/** A pull request. https://docs.github.com/graphql/reference/objects#pullrequest */
export const codePullSchema = z.lazy(() =>
  z.pipe(
    z.object({
      number: z.number(),
      title: z.string(),
      body: textOrEmpty,
      merged: z.boolean(),
      mergedAt: textOrEmpty,
      mergeCommit: z.nullish(z.object({ oid: z.string() })),
      author: z.nullish(z.object({ login: z.string() })),
      labels: z.nullish(z.object({ nodes: z.nullish(z.array(z.nullish(label))) })),
      baseRepository: z.nullish(z.object({ nameWithOwner: z.string() })),
    }),
    z.transform(({ merged, mergeCommit, author, labels, baseRepository, ...pull }) => ({
      /** The body is Markdown as its author wrote it. `mergedAt` is ISO 8601 or empty. */
      ...pull,
      author: author?.login,
      labels: (labels?.nodes ?? []).flatMap((one) => one?.name ?? []),
      isMerged: merged,
      /** Unknown for some seconds after the merge. */
      mergeCommit: mergeCommit?.oid,
      /** `owner/name` */
      repository: baseRepository?.nameWithOwner,
    })),
  ),
);
/** A pull request of this repository. */
export type CodePull = Omit<Shape<typeof codePullSchema>, 'repository'>;

/**
 * The response to a query about a repository. Each alias is an object, or null beside an error. A
 * response with neither data nor errors is invalid.
 */
export const repositorySchema = z
  .object({
    data: z.nullish(z.object({ repository: z.nullish(z.record(z.string(), z.unknown())) })),
    errors: z.nullish(
      z.array(z.object({ type: z.nullish(z.string()), message: z.nullish(z.string()) })),
    ),
  })
  .check(z.refine(({ data, errors }) => Boolean(data) || Boolean(errors?.length)));
/** https://docs.github.com/graphql/reference/objects#commit */
export const pullsOfCommitSchema = z.lazy(() =>
  z.object({
    associatedPullRequests: z.nullish(z.object({ nodes: z.nullish(z.array(z.unknown())) })),
  }),
);
