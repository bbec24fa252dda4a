import { describe, expect, test, vi } from 'vitest';
import { createHttp } from '../../../src/effects/http.ts';
import { AgentService } from '../../support/agent-service.ts';
import { requestTo } from '../../support/fakes.ts';
import { FarHost } from '../../support/far-host.ts';
import { skipWhen } from '../../support/system.ts';
import { tls, trustAuthority } from '../../support/tls.ts';

// https://github.com/nodejs/node/issues/54359
describe('a host of which one address takes a second to connect to, and another has no route, is reached:', () => {
  skipWhen(
    process.platform === 'linux' ? undefined : 'only Linux drops connections past a short queue',
  );

  const WRITE = { method: 'POST', body: '{}' } as const;
  test.each([
    { what: 'an API by a read', name: 'agent.test', given: {}, says: 'GET' },
    { what: 'an API by a write', name: 'github.test', given: WRITE, says: 'POST' },
  ])('$what', async ({ name, given, says }) => {
    using _trust = trusted();
    await using far = await FarHost.start(true);
    far.answerTo(name);
    const response = await createHttp([]).send(requestTo(`https://${name}:${far.port}/`, given));
    expect(response).toMatchObject({ status: 200, body: { text: says } });
  });

  test('a proxy, by a read over http', async () => {
    await using far = await FarHost.start(false);
    far.answerTo('proxy.test');
    using _proxy = environment('http_proxy', `http://proxy.test:${far.port}`);
    const response = await createHttp([]).send(requestTo('http://agent.test/'));
    expect(response).toMatchObject({ status: 200, body: { text: 'GET' } });
  });

  test('a proxy, by a write through a tunnel', async () => {
    using _trust = trusted();
    await using service = await AgentService.start({ tls });
    await using far = await FarHost.start(false);
    far.answerTo('proxy.test');
    using _proxy = environment('https_proxy', `http://proxy.test:${far.port}`);
    await createHttp([]).send(requestTo(`https://agent.test:${service.port}/x`, WRITE));
    expect(service.requests.map(({ method }) => method)).toEqual(['POST']);
  });
});

const trusted = () => ({ [Symbol.dispose]: trustAuthority() });

function environment(name: string, value: string) {
  vi.stubEnv(name, value);
  return { [Symbol.dispose]: () => void vi.unstubAllEnvs() };
}
