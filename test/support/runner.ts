import type { Level, Runner } from '../../src/effects.ts';

/** A runner that keeps what it is given, unescaped and unmasked. */
export class RecordingRunner implements Runner {
  readonly masked: string[] = [];
  readonly log: string[] = [];
  readonly debugLog: string[] = [];
  readonly annotations: { level: Level; title: string; message: string }[] = [];
  readonly outputs = new Map<string, string>();
  /** The last one that was written. */
  summary = '';

  mask(secret: string): void {
    this.masked.push(secret);
  }

  info(line: string): void {
    this.log.push(line);
  }

  debug(line: string): void {
    this.debugLog.push(line);
  }

  annotate(level: Level, title: string, message: string): void {
    this.annotations.push({ level, title, message });
  }

  setOutput(name: string, value: string): void {
    this.outputs.set(name, value);
  }

  async writeSummary(markdown: string): Promise<void> {
    this.summary = markdown;
  }
}
