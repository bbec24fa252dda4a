// Import by path, because the toolkit's index also loads an HTTP client, which is most of its size
// and start-up time (.github/CONTRIBUTING.md).
import { closeSync, openSync, statSync } from 'node:fs';
import { issueCommand } from '../../node_modules/@actions/core/lib/command.js';
import {
  issueFileCommand,
  prepareKeyValueMessage,
} from '../../node_modules/@actions/core/lib/file-command.js';
import { summary } from '../../node_modules/@actions/core/lib/summary.js';
import { MAX_MESSAGE_LENGTH } from '../model/annotation.ts';
import { messageOf, RunError } from '../model/run-error.ts';
import { cut, logLine, quote, shortenQuotes } from '../text/escape.ts';
import { redact, type Secret, secretOf } from '../text/secrets.ts';
import type { Runner } from './effects.ts';

const MIN_SECRET_LENGTH = 6;

type RunnerOptions = Readonly<{ isDebug: boolean; proxyCredentials?: readonly string[] }>;

/**
 * Writes the runner's log, outputs and summary. Removes secrets from everything it writes, because
 * other engines mask less than the runner, and none masks outputs.
 */
export function createRunner({ isDebug, proxyCredentials = [] }: RunnerOptions): Runner {
  // A shorter secret could be part of an ordinary word, and removing it would corrupt IDs.
  const isRemoved = (secret: string) => secret.length >= MIN_SECRET_LENGTH;
  const passwords = proxyCredentials.map(secretOf);
  const secrets: Secret[] = [];
  const clean = (text: string) => redact(text, secrets);
  const shown = (message: string) => shortenQuotes(clean(message));
  return {
    mask(secret) {
      issueCommand('add-mask', {}, secret);
      if (isRemoved(secret)) secrets.push(secretOf(secret));
    },
    clean,
    redact: (text) => redact(text, [...secrets, ...passwords]),
    info(line) {
      process.stdout.write(`${logLine(shown(line))}\n`);
    },
    debug(line) {
      if (isDebug) issueCommand('debug', {}, logLine(shown(line())));
    },
    annotate(level, title, message) {
      const lines = shown(message).split('\n').map(logLine).join('\n');
      issueCommand(level, { title }, cut(lines, MAX_MESSAGE_LENGTH));
    },
    checkOutputs() {
      const path = process.env['GITHUB_OUTPUT'];
      try {
        if (!path) throw new Error('the environment variable GITHUB_OUTPUT is not set');
        if (!statSync(path).isFile()) throw new Error('GITHUB_OUTPUT is not a file');
        closeSync(openSync(path, 'r+'));
      } catch (cause) {
        const message = `The runner's file for outputs cannot be written (${quote(messageOf(cause))}), so no agent job was created. Check the environment variable \`GITHUB_OUTPUT\` and the disk of the runner.`;
        throw new RunError('The outputs cannot be written', message, { cause });
      }
    },
    setOutput(name, value) {
      const isLeftOut = clean(value) !== value;
      issueFileCommand('OUTPUT', prepareKeyValueMessage(name, isLeftOut ? '' : value));
      return isLeftOut;
    },
    async writeSummary(markdown) {
      await summary.addRaw(clean(markdown)).write();
    },
  };
}
