import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Their tests wait for limits of the action that cannot be shortened: for 30 s, and about 10 s. */
const LONGEST = /e2e\/(follow|rerun)\.test\.ts$/;
const LONG = /e2e\/(deadline|at-most-once|proxy|reading|changes\/release)\.test\.ts$/;
/** So many other files run for each that waits. */
const OTHERS = 3;

/**
 * Starts the files that wait longest first, so that they do not end long after all others. While
 * they wait, the processors are free, so the other files that wait are spread among those that do
 * not.
 */
export class SpreadWaits extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const longest = sorted.filter(({ moduleId }) => LONGEST.test(moduleId));
    const long = sorted.filter(({ moduleId }) => LONG.test(moduleId));
    const others = sorted.filter((file) => !longest.includes(file) && !long.includes(file));
    const spread = long.flatMap((file) => [file, ...others.splice(0, OTHERS)]);
    return [...longest, ...spread, ...others];
  }
}
