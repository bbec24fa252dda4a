/** The core by itself: a prompt becomes a pull request's link. */
import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { begin } from '../../../src/core/begin.ts';
import { isCalling, type Tell } from '../../../src/core/core-context.ts';
import { follow } from '../../../src/core/follow.ts';
import { send } from '../../../src/core/send.ts';
import { nothingKnown } from '../../../src/report/ending.ts';
import { reportOn } from '../../../src/report/report.ts';
import { answer, FACTS, fakeEffects } from '../../support/fakes.ts';

test('begins, sends, follows and reports without changes, history or GitHub', async () => {
  const done = { id: 'job_1', status: 'completed', prLink: 'https://github.com/a/b/pull/1' };
  const effects = fakeEffects(({ method }) =>
    method === 'POST' ? answer(201, { id: 'job_1', status: 'active' }) : answer(200, done),
  );
  let known = nothingKnown(FACTS);
  const tell: Tell = (learned) => {
    known = { ...known, ...learned };
  };
  const raw = { prompt: 'x', projectId: 'p', adminApiKey: 'mint_0123456789' };
  const begun = await begin(raw, FACTS, effects, tell, false);
  if (begun.kind !== 'begun' || !isCalling(begun.context)) throw new Error(begun.kind);
  const { job } = await send(begun.context, { kind: 'create', prompt: 'x' });
  const { ending } = await follow(begun.context, job, { isSingleRead: false });
  const result = { ...known, ending, rerunEffect: undefined, tookMs: 0, endedAtMs: 0 };
  const { outputs, isFailure } = reportOn(result, effects.runner.clean);
  expect(isFailure).toBe(false);
  expect(outputs).toMatchObject({ prNumber: '1', jobId: 'job_1', outcome: 'pull-request' });
});

test('imports no file of another layer, however far its imports are followed', () => {
  const source = resolve(import.meta.dirname, '../../../src');
  const seen = new Set(['begin', 'send', 'follow'].map((name) => join(source, `core/${name}.ts`)));
  for (const file of seen) {
    const imports = readFileSync(file, 'utf8').matchAll(/ from '(\.[^']+\.ts)'/g);
    for (const [, path = ''] of imports) seen.add(resolve(dirname(file), path));
  }
  expect(seen.size).toBeGreaterThan(25);
  const others = [...seen].filter((file) =>
    /[\\/](?:changes|history|github|steps)[\\/]/.test(file.slice(source.length)),
  );
  expect(others).toEqual([]);
});
