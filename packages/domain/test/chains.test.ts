import { createBase58check } from '@scure/base';
import { describe, expect, test } from 'vitest';
import { CHAINS, CURRENCIES, NETWORKS } from '../src/chains.ts';
import { sha256 } from '../src/hashes.ts';

const everyNetwork = CURRENCIES.flatMap((currency) =>
  NETWORKS.map((network) => [currency, network] as const),
);

test('nothing in the table of chains can be changed', () => {
  const isFrozen = (value: unknown): boolean =>
    typeof value !== 'object' ||
    value === null ||
    (Object.isFrozen(value) && Object.values(value).every(isFrozen));
  expect(isFrozen(CHAINS)).toBe(true);
});

test.each(everyNetwork)(
  'every key prefix of %s %s is what its version bytes look like',
  (currency, network) => {
    for (const { prefix, version } of CHAINS[currency].networks[network].extendedKeyPrefixes) {
      for (const fill of [0x00, 0xff]) {
        const payload = Buffer.alloc(78, fill);
        payload.writeUInt32BE(version);
        expect(createBase58check(sha256).encode(payload).slice(0, 4)).toBe(prefix);
      }
    }
  },
);

function prefixes(currency: 'BTC' | 'LTC', network: 'mainnet' | 'regtest'): string[] {
  return CHAINS[currency].networks[network].extendedKeyPrefixes.map((known) => known.prefix);
}

describe('accepted key prefixes', () => {
  test('on mainnet are those of the interface, Ltub and Mtub for Litecoin only', () => {
    expect(prefixes('BTC', 'mainnet')).toEqual(['xpub', 'ypub', 'zpub']);
    expect(prefixes('LTC', 'mainnet')).toEqual(['xpub', 'ypub', 'zpub', 'Ltub', 'Mtub']);
  });

  test('on test networks are those of mainnet and of the test networks', () => {
    expect(prefixes('BTC', 'regtest')).toEqual(['xpub', 'ypub', 'zpub', 'tpub', 'upub', 'vpub']);
    expect(prefixes('LTC', 'regtest')).toEqual([
      ...prefixes('LTC', 'mainnet'),
      'tpub',
      'upub',
      'vpub',
      'ttub',
    ]);
  });
});
