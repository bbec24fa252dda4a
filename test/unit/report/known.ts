/** Runs as the report gets them. */
import type { AgentJob } from '../../../src/agent/job.ts';
import type { ChangesOverview } from '../../../src/changes/run-changes.ts';
import type { ReadableDocsPull } from '../../../src/github/pull-requests.ts';
import type { Known } from '../../../src/report/ending.ts';

export const FACTS: Known['facts'] = { serverUrl: 'https://github.com', repository: 'acme/app' };

type Inputs = NonNullable<Known['inputs']>;

const INPUTS: Inputs = {
  task: { kind: 'create', instruction: 'Update the docs.' },
  projectId: 'acme',
  since: '',
  timeoutMs: 1_800_000,
  sendsChanges: false,
};

export const PULL = 'https://github.com/acme/docs/pull/7';

export const jobOf = (status = 'active', prLink = ''): AgentJob => ({
  id: 'job_1',
  status,
  prLink,
  repository: 'https://github.com/acme/docs.git',
  ref: 'main',
  json: '{"id":"job_1"}',
});

export const CHANGES: ChangesOverview = {
  from: 'a'.repeat(40),
  to: 'b'.repeat(40),
  compareUrl: 'https://github.com/acme/app/compare/a...b',
  commits: 5,
  skippedCommits: 2,
  files: 3,
  selectedFiles: 1,
};

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

type More = Omit<Partial<Known>, 'inputs'> & { readonly inputs?: Partial<Inputs> };

/** A run that has sent a prompt alone, unless `more` says otherwise. */
export const aloneOf = ({ inputs, ...more }: More = {}): Known => ({
  facts: FACTS,
  inputs: { ...INPUTS, ...inputs },
  prompt: 'Update the docs.\n\nchanges-0123\n…',
  call: { kind: 'accepted', jobId: 'job_1', rerun: 'follows' },
  ledger: { ref: 'refs/docs-agent/docs%2Eyml/docs/docs/prompts', scope: 'prompts' },
  ...more,
});

/** One that has sent the changes of a branch. */
export const knownOf = ({ inputs, ...more }: More = {}): Known =>
  aloneOf({
    changes: CHANGES,
    codePullRequests: [41, 42],
    ledger: { ref: 'refs/docs-agent/docs%2Eyml/docs/docs/heads/main', scope: 'heads' },
    inputs: { sendsChanges: true, ...inputs },
    ...more,
  });
