/** A Node whose agents know no proxies, which other engines may have. */
import { expect, test } from 'vitest';
import { annotations, runAction } from '../support/action.ts';
import { AgentService } from '../support/agent-service.ts';
import { ForwardProxy } from '../support/proxy.ts';
import { AUTHORITY_FILE, tls } from '../support/tls.ts';

test('without support for proxies no request goes around the proxy, and the error names the version that is needed', async () => {
  await using service = await AgentService.start({ tls });
  await using proxy = await ForwardProxy.start();
  const result = await runAction({
    inputs: { prompt: 'x', wait: 'false', baseUrl: `https://agent.test:${service.port}` },
    env: {
      NODE_EXTRA_CA_CERTS: AUTHORITY_FILE,
      NODE_OPTIONS: `--import=${new URL('../support/no-proxy-agents.mjs', import.meta.url)}`,
      https_proxy: `http://user:hunter2@${proxy.host}`,
    },
  });
  expect([service.connections, proxy.connections]).toEqual([0, 0]);
  expect([result.exitCode, result.outputs['outcome'], result.stderr]).toEqual([1, 'error', '']);
  expect(annotations(result).at(-1)).toMatch(
    /^error: No agent job was created: .*Node\.js [\d.]+ cannot use the proxy of the runner: version 24\.5 is needed`\)\. Use an `http:\/\/` or `https:\/\/` proxy and Node\.js 24\.5 or later/,
  );
});
