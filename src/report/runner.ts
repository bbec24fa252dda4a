/** The runner, by the toolkit. */
import * as core from '@actions/core';
import type { Runner } from '../effects.ts';
import { cut, linesOf, logLine } from '../text/escape.ts';

/** GitHub cuts a longer annotation. */
const MAX_ANNOTATION_LENGTH = 4_096;

const ANNOTATE = { notice: core.notice, warning: core.warning, error: core.error };

/**
 * Writes the log, the outputs, and the summary of the step. Lines from outside can't become
 * commands. The runner masks secrets in the log and the summary, but not in outputs: an output that
 * contains one stays empty.
 */
export function createRunner(): Runner {
  const secrets: string[] = [];
  const info = (line: string) => core.info(logLine(line));
  return {
    mask(secret) {
      core.setSecret(secret);
      if (secret !== '') secrets.push(secret);
    },
    info,
    debug(line) {
      core.debug(logLine(line));
    },
    annotate(level, title, message) {
      const lines = linesOf(message).map(logLine).join('\n');
      ANNOTATE[level](cut(lines, MAX_ANNOTATION_LENGTH), { title });
    },
    setOutput(name, value) {
      const isSecret = secrets.some((secret) => value.includes(secret));
      if (isSecret) info(`The output ${name} stays empty, because it contains a secret.`);
      core.setOutput(name, isSecret ? '' : value);
    },
    async writeSummary(markdown) {
      await core.summary.addRaw(markdown).write();
    },
  };
}
