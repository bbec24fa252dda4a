/** Runs as the report gets them. */
import { readFacts } from '../../../src/github/event.ts';
import type { ReadableDocsPull } from '../../../src/github/pull-requests.ts';
import { type Inputs, readInputs } from '../../../src/inputs.ts';
import type { Ending, Known, Report } from '../../../src/report/ending.ts';
import { changesOf, commitOf, filesOf } from '../changes/given.ts';

export const FACTS = readFacts(
  {
    GITHUB_REPOSITORY: 'acme/app',
    GITHUB_ACTION_REPOSITORY: 'acme/docs-agent-job',
    GITHUB_ACTION_REF: 'v1',
  },
  {},
);

const INPUTS = await readInputs({
  INPUT_PROMPT: 'Update the docs.',
  INPUT_PROJECTID: 'acme',
  INPUT_DRYRUN: 'true',
});

const [skipped, needed] = [commitOf('chore: x', { isSkipped: true }), commitOf('Add x')];
export const CHANGES = changesOf(filesOf(1, ''), {
  compareUrl: 'https://github.com/acme/app/compare/a...b',
  commits: [skipped, needed, needed, skipped, needed],
  files: filesOf(3, ''),
});

export const DOCS_PULL: ReadableDocsPull = {
  number: 7,
  repository: 'acme/docs',
  title: 'Document retries',
  branch: 'docs/retries',
  pages: [
    { path: 'guides/retries.mdx', additions: 12, deletions: 0 },
    { path: 'api/client.mdx', additions: 3, deletions: 1 },
  ],
  pageCount: 2,
};

export type More = Omit<Partial<Known>, 'inputs'> & { readonly inputs?: Partial<Inputs> };

/** A run that has sent a prompt alone, unless `more` says otherwise. */
export const aloneOf = (ending: Ending, { inputs, ...more }: More = {}): Report => ({
  ending,
  facts: FACTS,
  inputs: { ...INPUTS, ...inputs },
  prompt: 'Update the docs.\n\nchanges-0123\n…',
  call: { kind: 'accepted', jobId: 'job_1', rerun: 'sends' },
  ...more,
});

/** One that has sent the changes of a branch. */
export const reportOf = (ending: Ending, { inputs, ...more }: More = {}): Report =>
  aloneOf(ending, {
    call: { kind: 'accepted', jobId: 'job_1', rerun: 'follows' },
    changes: CHANGES,
    codePullRequests: [41, 42],
    ledger: { ref: 'refs/docs-agent/docs%2Eyml/docs/docs/heads/main', scope: 'heads' },
    inputs: { sendsChanges: true, ...inputs },
    isRemembered: true,
    ...more,
  });
