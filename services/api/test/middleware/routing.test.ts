import { request as httpRequest } from 'node:http';
import { text } from 'node:stream/consumers';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import { expectProblem, sharedApi, startApi } from '../support/api.ts';

const api = await sharedApi();

describe('routing', () => {
  it.each(['/v1', '/v1/unknown', '/v2/me', '/v1/me/', '/V1/ME', '/v1/invoices/%E0%A4%A/extend', '/v1/%00'])(
    'answers not_found for %s',
    async (path) => {
      expectProblem(await api.call('get', path), 404, 'not_found');
    },
  );

  it('answers 405 with Allow to an unsupported method, before any other check', async () => {
    const response = await api.call('put', '/v1/api-keys');
    expectProblem(response, 405, 'method_not_allowed');
    expect(response.headers['allow']).toBe('POST, GET, HEAD');
    expect((await api.call('delete', '/v1/me')).headers['allow']).toBe('GET, HEAD');
  });

  it('keeps a valid X-Request-Id of the caller and replaces any other', async () => {
    const given = await api.call('get', '/v1/unknown').set('X-Request-Id', 'trace-1234.5_6');
    expect(given.headers['x-request-id']).toBe('trace-1234.5_6');
    expect(given.body.request_id).toBe('trace-1234.5_6');
    for (const id of ['short', 'has space in it', '<script>alert(1)</script>', 'x'.repeat(65)]) {
      const replaced = await api.call('get', '/v1/unknown').set('X-Request-Id', id);
      expect(replaced.headers['x-request-id']).toMatch(/^req_[\w-]{16}$/);
    }
  });

  it('allows all origins on public reads only, preflight included', async () => {
    const open = await api.call('get', '/v1/public/fee/BTC').set('Origin', 'https://shop.example');
    expect(open.headers['access-control-allow-origin']).toBe('*');
    expect(open.headers['access-control-allow-credentials']).toBeUndefined();
    const preflight = await api
      .call('options', '/v1/public/donate/x')
      .set({ Origin: 'https://shop.example', 'Access-Control-Request-Method': 'POST' });
    expect(preflight.status).toBe(204);
    expect(preflight.headers['access-control-allow-headers']).toContain('Content-Type');
    const closed = await api.call('get', '/v1/me').set('Origin', 'https://shop.example');
    expect(closed.headers['access-control-allow-origin']).toBeUndefined();
  });

  it('sends security headers and Cache-Control: no-store, and does not name its software', async () => {
    const { headers } = await api.call('get', '/v1/me');
    expect(headers['content-security-policy']).toBe("default-src 'none';frame-ancestors 'none'");
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(headers['strict-transport-security']).toBe('max-age=31536000');
    expect(headers['cache-control']).toBe('no-store');
    expect(headers).not.toHaveProperty('x-powered-by');
    expect(headers).not.toHaveProperty('etag');
  });

  it('reads no body before the credentials are checked', async () => {
    const request = httpRequest(`${api.url}/v1/wallets`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'content-length': '60000' },
    });
    request.flushHeaders();
    const [response]: IncomingMessage[] = await once(request, 'response');
    expect(response?.statusCode).toBe(401);
    expect(JSON.parse(response ? await text(response) : '')).toMatchObject({ code: 'unauthorized' });
    request.destroy();
  });

  it('limits public reads per network, an IPv6 /64 counting as one', async () => {
    const limited = await startApi({ beside: api, env: { PUBLIC_READ_LIMIT_POINTS: '2' } });
    const read = (from: string) => limited.call('get', '/v1/public/fee/BTC', { from });
    const first = await read('2001:db8:1:2::1');
    expect(first.headers['ratelimit-policy']).toBe('"public_read";q=2;w=60');
    await read('2001:db8:1:2:ffff::9');
    expectProblem(await read('2001:db8:1:2::77'), 429, 'rate_limited');
    expect((await read('2001:db8:1:3::1')).status).not.toBe(429);
    await limited.close();
  });

  it('sends Connection: close while the process shuts down', async () => {
    const ending = await startApi({ beside: api });
    ending.closing.abort();
    expect((await ending.call('get', '/v1/me')).headers['connection']).toBe('close');
    await ending.close();
  });
});
