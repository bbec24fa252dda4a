import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Their tests wait 10 s and longer, mostly for limits of the action that cannot be shortened. */
const LONGEST_WAITS =
  /e2e\/(follow|rerun|deadline|at-most-once|proxy|reading|changes\/release)\.test\.ts$/;

/**
 * Starts the files that wait longest first, so that they do not end long after all others. Vitest
 * does so too, but only where it has run before.
 */
export class LongestWaitsFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const waits = ({ moduleId }: TestSpecification) => Number(LONGEST_WAITS.test(moduleId));
    return sorted.toSorted((a, b) => waits(b) - waits(a));
  }
}
