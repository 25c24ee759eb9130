import { startShippedBalancer, type ShippedBalancer } from '@paywatch/dev/servers';
import { waitUntil } from '@paywatch/dev/testing';
import { CLIENT_WINDOW_MS } from '@paywatch/domain/requests';
import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { randomAddress, sharedApi, startApi } from '../support/api.ts';

const LOGIN_LIMIT = 3;
const env = {
  LOGIN_LIMIT_POINTS: String(LOGIN_LIMIT),
  LOGIN_EMAIL_LIMIT_POINTS: '10000',
  // Trusts only the balancer: the test clients connect from the rest of 127.0.0.0/8.
  TRUSTED_PROXIES: '127.0.0.1',
};
const api = await sharedApi({ env });
const [ALICE, BOB] = ['127.0.0.2', '127.0.0.3'] as const;

describe('two clients behind one proxy, in front of the shipped balancer', () => {
  const balancers: ShippedBalancer[] = [];
  beforeAll(async () => {
    const inner = await startShippedBalancer(
      { port: Number(new URL(api.url).port) },
      { TRUSTED_UPSTREAMS: '127.0.0.1' },
    );
    // The proxy in front is one more HAProxy: it appends to X-Forwarded-For as any TLS proxy does.
    const front = await startShippedBalancer({ port: inner.port });
    balancers.push(front, inner);
    await waitUntil(async () => (await login(ALICE, {})) !== 503, { what: 'the API behind two balancers' });
  });
  afterAll(async () => {
    for (const balancer of balancers) await balancer.stop();
  });

  it('have their own login limit, and cannot get another one with a forged X-Forwarded-For', async () => {
    const statuses = [];
    for (let turn = 0; turn <= LOGIN_LIMIT; turn += 1)
      statuses.push(await login(ALICE, { 'x-forwarded-for': randomAddress() }));
    expect(statuses.at(-1)).toBe(429);
    expect(await login(BOB)).toBe(401);
  });

  async function login(localAddress: string, headers: Record<string, string> = {}): Promise<number> {
    const sent = request({
      port: balancers[0]?.port,
      host: '127.0.0.1',
      localAddress,
      agent: false,
      method: 'POST',
      path: '/v1/auth/login',
      headers: { 'content-type': 'application/json', ...headers },
    });
    sent.end(JSON.stringify({ email: 'nobody@example.com', password: 'wrong horse battery' }));
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    response.resume();
    return response.statusCode ?? 0;
  }
});

describe('the warning that all clients share one address', () => {
  it.each([
    ['comes where all of a hundred requests came from one address', 100, '203.0.113.1', true],
    ['does not come where one came from another', 100, '203.0.113.2', false],
    ['does not come after fewer requests', 98, '203.0.113.1', false],
  ])('%s', async (_, requests, last, isExpected) => {
    const clock = { nowMs: () => now };
    let now = Date.now();
    const replica = await startApi({ env: { TRUSTED_PROXIES: '127.0.0.0/8' }, beside: api, clock });
    const ask = (from: string) => replica.call('get', '/v1/openapi.json', { from });
    for (let turn = 1; turn < requests; turn += 1) await ask('203.0.113.1');
    await ask(last);
    expect(isWarned(replica.logLines)).toBe(false);
    now += CLIENT_WINDOW_MS;
    await ask('203.0.113.3');
    expect(isWarned(replica.logLines)).toBe(isExpected);
    expect(replica.logLines.join('')).not.toContain('203.0.113.');
    await replica.close();
  });
});

function isWarned(lines: readonly string[]): boolean {
  return lines.some((line) => line.includes('all requests of ten minutes came from one address'));
}
