import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Their tests wait 4 s to 10 s for limits of the action that cannot be shortened. */
const LONG = /test\/(run|process)\/(advice|at-most-once|cancel|deadline|proxy)\.test\.ts$/;

/** Starts the files that wait longest first: while they wait, the processors are free for others. */
export class SpreadWaits extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification) => LONG.test(moduleId);
    return (await super.sort(files)).sort((a, b) => Number(isLong(b)) - Number(isLong(a)));
  }
}
