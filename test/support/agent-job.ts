import { type AgentJob, type Standing, standingOf } from '../../src/agent/job.ts';

export const PULL = 'https://github.com/acme/docs/pull/7';

export const jobOf = (status = 'active', prLink = ''): AgentJob => ({
  id: 'job_1',
  status,
  prLink,
  repository: 'https://github.com/acme/docs.git',
  ref: 'main',
  json: '{"id":"job_1"}',
});

/** How it stands, as one read says. */
export const shown = (status?: string, prLink?: string): Standing =>
  standingOf(jobOf(status, prLink));
