import { describe, expect, it } from 'vitest';
import { readApiConfig } from '../../src/config.ts';

const REQUIRED = {
  DATABASE_URL: 'postgres://db/paywatch',
  REDIS_URL: 'redis://cache',
  PUBLIC_URL: 'https://pay.example/',
  ENCRYPTION_KEYS: `a:${Buffer.alloc(32).toString('base64')}`,
};

describe('the configuration', () => {
  it('has the documented limits by default', () => {
    const { limits, streams } = readApiConfig(REQUIRED);
    expect(limits).toEqual({
      login: { points: 10, windowSeconds: 900 },
      mail_link: { points: 20, windowSeconds: 3600 },
      login_email: { points: 5, windowSeconds: 900 },
      password_change: { points: 10, windowSeconds: 900 },
      account: { points: 300, windowSeconds: 60 },
      project_change: { points: 60, windowSeconds: 600 },
      redelivery: { points: 300, windowSeconds: 600 },
      export: { points: 10, windowSeconds: 600 },
      upload: { points: 40, windowSeconds: 3600 },
      unknown_credential: { points: 300, windowSeconds: 900 },
      register: { points: 20, windowSeconds: 3600 },
      donation_creation: { points: 10, windowSeconds: 600 },
      public_read: { points: 300, windowSeconds: 60 },
      page: { points: 300, windowSeconds: 60 },
      api_key: { points: 200, windowSeconds: 2 },
      project: { points: 800, windowSeconds: 2 },
    });
    expect(streams).toEqual({ perTarget: 50, perNetwork: 200, perReplica: 100_000 });
  });

  it('gives a project four times the limit of a key, unless it has one of its own', () => {
    const raised = { ...REQUIRED, API_KEY_LIMIT_RATE: '1000', API_KEY_LIMIT_BURST: '5000' };
    expect(readApiConfig(raised).limits.project).toEqual({ points: 20_000, windowSeconds: 5 });
    const own = { ...raised, PROJECT_LIMIT_RATE: '10', PROJECT_LIMIT_BURST: '30' };
    expect(readApiConfig(own).limits.project).toEqual({ points: 30, windowSeconds: 3 });
  });

  it('offers the currencies that have a node, on mainnet by default', () => {
    expect(readApiConfig(REQUIRED).offered).toEqual([]);
    const config = readApiConfig({ ...REQUIRED, LTC_NODE_URL: 'http://node', LTC_NETWORK: 'regtest' });
    expect(config.offered).toEqual(['LTC']);
    expect(readApiConfig({ ...REQUIRED, BTC_ESPLORA_URL: 'https://esplora' }).offered).toEqual(['BTC']);
    expect(config.networks).toEqual({ BTC: 'mainnet', LTC: 'regtest' });
  });

  it('removes a trailing slash from PUBLIC_URL', () => {
    expect(readApiConfig(REQUIRED).publicUrl).toBe('https://pay.example');
  });

  it.each([
    ['CONFIRMATIONS_BTC_ORDERS', '0.01:0'],
    ['CONFIRMATIONS_LTC_DONATIONS', '0'],
    ['TRUSTED_PROXIES', '10.0.0.0/8,proxy'],
    ['LOGIN_LIMIT_POINTS', '0'],
    ['DEFAULT_GAP_LIMIT', '100001'],
    ['BTC_NETWORK', 'mars'],
  ])('refuses %s=%s and names it', (name, value) => {
    expect(() => readApiConfig({ ...REQUIRED, [name]: value })).toThrow(
      name.replace(/CONFIRMATIONS_.*/, 'CONFIRMATIONS_'),
    );
  });
});
