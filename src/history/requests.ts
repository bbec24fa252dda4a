/** Limits the requests of a search through other runs. */
import type { GitHub } from '../github/github.ts';

export type RunsApi = Pick<
  GitHub,
  'run' | 'runs' | 'workflowJobs' | 'annotations' | 'compareStatus' | 'mergeBase'
>;

/**
 * The most requests of a search through other runs. All runs of a repository share 1,000 requests
 * per hour.
 * https://docs.github.com/rest/using-the-rest-api/rate-limits-for-the-rest-api#primary-rate-limit-for-github_token-in-github-actions
 */
export const MAX_REQUESTS = 120;
const SIZE_OF_A_PAGE = 100;

/** The search has used up its requests. */
export class RequestsSpent extends Error {}

/**
 * Wraps the API so that calls throw `RequestsSpent` after `MAX_REQUESTS` requests. Each page of a
 * list counts. A repeated request counts once, because the step is then waiting and reads nothing
 * further back.
 */
export function limitRequests(api: RunsApi): RunsApi {
  const made = new Set<string>();

  function check(): void {
    if (made.size >= MAX_REQUESTS) throw new RequestsSpent();
  }

  function count(request: string): void {
    if (!made.has(request)) check();
    made.add(request);
  }

  async function* countPages<T>(list: string, pages: AsyncIterable<T>) {
    let page = 0;
    check();
    for await (const entries of pages) {
      page += 1;
      made.add(`${list}, page ${page}`);
      yield entries;
      check();
    }
  }

  return {
    run(id) {
      count(`run ${id}`);
      return api.run(id);
    },
    runs: (workflowId, branch) =>
      countPages(`runs on ${branch ?? 'all branches'}`, api.runs(workflowId, branch)),
    async workflowJobs(id) {
      count(`jobs of ${id}`);
      const jobs = await api.workflowJobs(id);
      const pages = Math.ceil(jobs.length / SIZE_OF_A_PAGE);
      for (let page = 2; page <= pages; page += 1) made.add(`jobs of ${id}, page ${page}`);
      return jobs;
    },
    annotations(id) {
      count(`annotations of ${id}`);
      return api.annotations(id);
    },
    mergeBase(base, head) {
      count(`common commit of ${base} and ${head}`);
      return api.mergeBase(base, head);
    },
    compareStatus(repository, base, head, limitMs) {
      count(`${base} to ${head}`);
      return api.compareStatus(repository, base, head, limitMs);
    },
  };
}
