/** A GitHub for tests that are about git alone. */
import { FakeGitHub } from './github.ts';

export type { GitFault } from './git-handler.ts';
export type GitServer = FakeGitHub;
export const startGitServer = (): Promise<GitServer> => FakeGitHub.start('o/r');
