/** How much a test does: less with every change, and all of it weekly and before a release. */
export const IS_WEEKLY = process.env['TEST_DOSE'] === 'weekly';

export const dose = (usual: number, weekly: number): number => (IS_WEEKLY ? weekly : usual);
