import { describe, expect, test } from 'vitest';
import { readWatcherConfig } from '../src/config.ts';

const REQUIRED = {
  DATABASE_URL: 'postgres://localhost/paywatch',
  REDIS_URL: 'redis://localhost',
  PUBLIC_URL: 'https://pay.example',
};
const read = (env: Record<string, string>) => readWatcherConfig({ ...REQUIRED, ...env });

describe('the sources of a chain', () => {
  test('are nodes, of which the first publishes, and Esplora servers', () => {
    const { chains } = read({
      BTC_NODE_URL: 'http://u:p@a:8332, http://u:p@b:8332',
      BTC_NODE_ZMQ_URL: 'tcp://a:28332,tcp://a:28333',
      BTC_ESPLORA_URL: 'https://mempool.space/api',
    });
    expect(chains).toEqual([
      {
        currency: 'BTC',
        nodes: [
          { url: 'http://u:p@a:8332', zmqEndpoints: ['tcp://a:28332', 'tcp://a:28333'] },
          { url: 'http://u:p@b:8332', zmqEndpoints: [] },
        ],
        esploraUrls: ['https://mempool.space/api'],
        secondSourceAbove: null,
      },
    ]);
  });

  test('may be an Esplora server alone; a currency without any is not watched', () => {
    const { chains } = read({ LTC_ESPLORA_URL: 'https://litecoinspace.org/api' });
    expect(chains.map(({ currency }) => currency)).toEqual(['LTC']);
    expect(read({}).chains).toEqual([]);
  });

  test('that are not URLs are refused without being echoed', () => {
    for (const [name, value] of [
      ['BTC_NODE_URL', 'u:hidden@a:8332'],
      ['LTC_ESPLORA_URL', 'ftp://a'],
      ['BTC_NODE_ZMQ_URL', 'http://a:28332'],
    ] as const) {
      expect(() => read({ [name]: value })).toThrow(new RegExp(`${name}: must be a list of URLs`));
      expect(() => read({ [name]: value })).not.toThrow(/hidden/);
    }
  });
});

describe('the limit of the second source', () => {
  const two = { LTC_NODE_URL: 'http://a:9332,http://b:9332' };

  test('is given in coins', () => {
    const { chains } = read({ ...two, SECOND_SOURCE_ABOVE_LTC: '12.5' });
    expect(chains[0]?.secondSourceAbove).toBe(1_250_000_000n);
  });

  test('is refused if it is not an amount', () => {
    expect(() => read({ ...two, SECOND_SOURCE_ABOVE_LTC: '1e3' })).toThrow(/SECOND_SOURCE_ABOVE_LTC/);
  });

  test('is refused without a second source: orders would wait forever', () => {
    for (const env of [
      {},
      { LTC_NODE_URL: 'http://a:9332' },
      { LTC_NODE_URL: 'http://a:9332,http://u:p@a:9332' },
    ]) {
      expect(() => read({ ...env, SECOND_SOURCE_ABOVE_LTC: '1' })).toThrow(/needs two sources/);
    }
  });
});
