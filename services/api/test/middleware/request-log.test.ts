import { OPERATIONS } from '@paywatch/domain/contract';
import { waitUntil } from '@paywatch/dev/testing';
import { describe, expect, it } from 'vitest';
import { openAccount, openApiKey, sharedApi } from '../support/api.ts';
import { openStream } from '../support/stream-client.ts';

const api = await sharedApi();

type Line = { level: number; msg: string; request_id: string; status: number; path: string };

/** The lines about one request. */
async function linesOf(requestId: string): Promise<Line[]> {
  const lines = () => api.logLines.filter((line) => line.includes(requestId));
  await waitUntil(() => lines().length > 0, { what: 'the request in the log', everyMs: 5 });
  return lines().map((line) => JSON.parse(line));
}

describe('the request log', () => {
  it.each([
    [200, 'info', 30, '/v1/openapi.json', null],
    [404, 'warn', 40, '/v1/public/donate/unknown-token', OPERATIONS.getDonationLink.path],
    [401, 'warn', 40, '/v1/stats', OPERATIONS.getStats.path],
  ])('has one line for a response with %i, of level %s', async (status, _, level, path, pattern) => {
    const { headers } = await api.call('get', path).expect(status);
    const lines = await linesOf(String(headers['x-request-id']));
    expect(lines).toMatchObject([{ level, status, path: pattern, msg: 'request completed' }]);
  });

  it('has one line for an unexpected error, of level error, without its message from the database', async () => {
    const account = await openAccount(api);
    await api.store.sql`alter table overlay_donations rename to overlay_donations_away`;
    const { headers } = await api.call('post', '/v1/overlay/test', { session: account.session });
    await api.store.sql`alter table overlay_donations_away rename to overlay_donations`;
    const lines = await linesOf(String(headers['x-request-id']));
    expect(lines).toMatchObject([
      { level: 50, status: 500, msg: 'request failed', code: 'internal_error', error: { code: '42P01' } },
    ]);
    expect(JSON.stringify(lines)).not.toContain('overlay_donations');
  });

  it('names the pattern of a path and holds no token, key, password, body or header', async () => {
    const account = await openAccount(api);
    const apiKey = await openApiKey(api, account);
    const body = { email: 'canary@example.com', password: 'canary-password' };
    await api.call('post', '/v1/auth/login', { body });
    await api.call('get', '/v1/stats', { apiKey });
    await api.call('delete', '/v1/api-keys/canarykey', { session: account.session });
    await api.call('get', `/v1/public/donate/${account.donateToken}`);
    const overlay = `/v1/public/overlay/${account.overlayToken}/events?last_event_id=canary`;
    (await openStream(`${api.url}${overlay}`)).close();
    await api.call('post', '/v1/wallets', { apiKey, body: { currency: 'BTC', xpub: 'xprv-canary' } });
    const isLogged = () => api.logLines.some((line) => line.includes(OPERATIONS.streamOverlay.path));
    await waitUntil(isLogged, { what: 'the stream in the log', everyMs: 5 });
    const log = api.logLines.join('');
    const [, , secret] = apiKey.split('_');
    for (const canary of [account.session, secret, account.donateToken, account.overlayToken, 'canary']) {
      expect(log).not.toContain(canary);
    }
    expect(log).toContain(`"path":"${OPERATIONS.revokeApiKey.path}"`);
    expect(log).toContain('"code":"key_not_found"');
  });
});
