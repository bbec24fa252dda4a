/**
 * An hour of waiting in a few seconds: real requests to a service on loopback, and a clock on which
 * a sleep takes no time. Prints the memory and the handles that are left.
 */
import { createHttp } from '../../src/effects/http.ts';
import { run } from '../../src/run.ts';
import { FACTS, fakeEffects } from '../support/fakes.ts';

const http = createHttp({ credentials: [] });
const effects = fakeEffects(() => ({ kind: 'lost', error: '' }));
let reads = 0;
const settled = () => {
  globalThis.gc?.();
  return process.memoryUsage();
};
const start = settled();
let early = start;
await run(
  {
    prompt: 'x',
    projectId: 'local-project',
    adminApiKey: 'mint_local_0123456789abcdef',
    baseUrl: process.argv[2] ?? '',
    timeout: '1h',
  },
  FACTS,
  {
    ...effects,
    http: {
      ...http,
      async send(request) {
        reads += 1;
        // The first reads load and compile code.
        if (reads === 60) early = settled();
        return http.send(request);
      },
    },
  },
);
const late = settled();
http.close();
setImmediate(() => {
  const handles = process
    .getActiveResourcesInfo()
    .filter((name) => !/^(PipeWrap|TTYWrap|Immediate|FSReqCallback)$/.test(name));
  console.log(JSON.stringify({ reads, start, early, late, handles }));
});
