/** The runner, by the toolkit. */
import * as core from '@actions/core';
import type { Runner } from '../effects.ts';
import { linesOf, logLine } from '../text/escape.ts';

const ANNOTATE = { notice: core.notice, warning: core.warning, error: core.error };

/**
 * Writes the log, the outputs, and the summary of the step. Lines from outside can't become
 * commands. The runner masks secrets in the log and the summary, but not in outputs: an output that
 * contains one stays empty.
 */
export function createRunner(): Runner {
  const secrets: string[] = [];
  return {
    mask(secret) {
      core.setSecret(secret);
      secrets.push(secret);
    },
    info(line) {
      core.info(logLine(line));
    },
    debug(line) {
      core.debug(logLine(line));
    },
    annotate(level, title, message) {
      ANNOTATE[level](linesOf(message).map(logLine).join('\n'), { title });
    },
    setOutput(name, value) {
      const isSecret = secrets.some((secret) => value.includes(secret));
      if (isSecret) core.info(`The output ${name} stays empty, because it contains a secret.`);
      core.setOutput(name, isSecret ? '' : value);
    },
    async writeSummary(markdown) {
      await core.summary.addRaw(markdown).write();
    },
  };
}
