/** A limit on the requests of a look through other runs. */
import type { GitHub } from '../github/github.ts';

export type RunsApi = Pick<GitHub, 'run' | 'runs' | 'workflowJobs' | 'annotations' | 'statusOf'>;

/**
 * A look through other runs makes at most this many requests to GitHub. All runs of a repository share
 * 1,000 requests an hour.
 * https://docs.github.com/rest/using-the-rest-api/rate-limits-for-the-rest-api#primary-rate-limit-for-github_token-in-github-actions
 */
export const MAX_REQUESTS = 120;
const SIZE_OF_A_PAGE = 100;

/** No more requests may be made. */
export class RequestsSpent extends Error {}

/** Counts requests: one for each page of a list. */
export class Requests {
  #made = 0;

  /** The same API. Once `MAX_REQUESTS` were made, each call throws `RequestsSpent`. */
  limit(api: RunsApi): RunsApi {
    return {
      run: (id) => this.#ask(() => api.run(id)),
      runs: (workflowId, branch) => this.#pages(api.runs(workflowId, branch)),
      workflowJobs: async (id) => {
        const jobs = await this.#ask(() => api.workflowJobs(id));
        this.#made += Math.max(0, Math.ceil(jobs.length / SIZE_OF_A_PAGE) - 1);
        return jobs;
      },
      annotations: (id) => this.#ask(() => api.annotations(id)),
      statusOf: (...of) => this.#ask(() => api.statusOf(...of)),
    };
  }

  async #ask<T>(ask: () => Promise<T>): Promise<T> {
    this.#check();
    this.#made += 1;
    return ask();
  }

  async *#pages<T>(pages: AsyncIterable<T>) {
    this.#check();
    for await (const page of pages) {
      this.#made += 1;
      yield page;
      this.#check();
    }
  }

  #check(): void {
    if (this.#made >= MAX_REQUESTS) throw new RequestsSpent();
  }
}
