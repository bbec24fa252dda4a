/** How much a test does: less with every change, and everything weekly and before a release. */
export const IS_WEEKLY = process.env['TEST_DOSE'] === 'weekly';

export const dose = (usual: number, weekly: number): number => (IS_WEEKLY ? weekly : usual);

/** Returns every third row of a table with each change, and all of them weekly. */
export const doseOf = <T>(rows: readonly T[]): readonly T[] =>
  IS_WEEKLY ? rows : rows.filter((_, index) => index % 3 === 0);
