import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { clock } from '../../../src/effects/clock.ts';
import { noSignals } from '../../support/system.ts';

test('a sleep ends early when it is cancelled, and the clock still works', async () => {
  const started = clock.now();
  await clock.sleep(60_000, AbortSignal.timeout(20));
  expect(clock.now() - started).toBeLessThan(30_000);
  await clock.sleep(5, new AbortController().signal);
  expect(clock.date()).toBeGreaterThan(Date.UTC(2026, 0, 1));
  expect(clock.random()).toBeLessThan(1);
});

test('a pause is never shorter than it was asked to be, in fractions of a millisecond too', async () => {
  const { signal } = new AbortController();
  const early: number[] = [];
  for (let ms = 0.05; ms < 4; ms += 0.37) {
    const start = clock.now();
    await clock.sleep(ms, signal);
    if (clock.now() - start < ms) early.push(ms);
  }
  expect(early).toEqual([]);
});

// Node sees signals only where it looks for input, which a timer that is due and a single immediate
// come before. The worker that runs tests gets no signals, so a process of its own is asked.
test.skipIf(noSignals !== undefined)('every signal that has come is handled', () => {
  const script = `
    import { readFile } from 'node:fs';
    import { clock } from ${JSON.stringify(new URL('../../../src/effects/clock.ts', import.meta.url))};
    let seen = 0;
    process.on('SIGUSR2', () => { seen += 1; });
    for (let n = 1; n <= 50; n += 1) {
      await new Promise((resolve) => readFile('/dev/null', async () => {
        process.kill(process.pid, 'SIGUSR2');
        await clock.handleSignals();
        if (seen !== n) process.exit(1);
        resolve();
      }));
    }`;
  const { status } = spawnSync(process.execPath, ['--input-type=module', '-e', script]);
  expect(status).toBe(0);
});
