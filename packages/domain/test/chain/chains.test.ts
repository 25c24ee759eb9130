import { createBase58check } from '@scure/base';
import { describe, expect, test } from 'vitest';
import { CHAINS, CURRENCIES, networkOfGenesis, NETWORKS, NODE_CHAIN_NAMES } from '../../src/chain/chains.ts';
import { sha256 } from '../../src/chain/hashes.ts';

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

test.each(everyNetwork)('every key prefix of %s %s matches its version bytes', (currency, network) => {
  for (const { prefix, version } of CHAINS[currency].networks[network].extendedKeyPrefixes) {
    for (const fill of [0x00, 0xff]) {
      const payload = Buffer.alloc(78, fill);
      payload.writeUInt32BE(version);
      expect(createBase58check(sha256).encode(payload).slice(0, 4)).toBe(prefix);
    }
  }
});

function prefixes(currency: 'BTC' | 'LTC', network: 'mainnet' | 'regtest'): string[] {
  return CHAINS[currency].networks[network].extendedKeyPrefixes.map((known) => known.prefix);
}

describe('accepted key prefixes', () => {
  test('on mainnet are those of the specification; Ltub and Mtub for Litecoin only', () => {
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

/** What the nodes' own chainparams.cpp say, written down apart from the table that is tested. */
const FACTS = {
  BTC: {
    mainnet: {
      p2pkh: 0,
      p2sh: [5],
      hrp: 'bc',
      genesis: ['000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f'],
    },
    testnet: {
      p2pkh: 111,
      p2sh: [196],
      hrp: 'tb',
      genesis: [
        '000000000933ea01ad0ee984209779baaec3ced90fa3f408719526f8d77f4943',
        '00000000da84f2bafbbc53dee25a72ae507ff4914b867c565be350b0da8bf043',
        '00000008819873e925422c1ff0f99f7cc9bbb232af63a077a480a3633bee1ef6',
      ],
    },
    regtest: {
      p2pkh: 111,
      p2sh: [196],
      hrp: 'bcrt',
      genesis: ['0f9188f13cb7b2c71f2a335e3a4fc328bf5beb436012afca590b1a11466e2206'],
    },
  },
  LTC: {
    mainnet: {
      p2pkh: 48,
      p2sh: [50, 5],
      hrp: 'ltc',
      genesis: ['12a765e31ffd4059bada1e25190f6e98c99d9714d334efa41a195a7e7e04bfe2'],
    },
    testnet: {
      p2pkh: 111,
      p2sh: [58, 196],
      hrp: 'tltc',
      genesis: ['4966625a4b2851d9fdee139e56211a0d88575f59ed816ff5e6a63deb4e3e29a0'],
    },
    regtest: {
      p2pkh: 111,
      p2sh: [58, 196],
      hrp: 'rltc',
      genesis: ['530827f38f93b43ed12af0b3ad25a288dc02ed74d6d7857862df51fc56c416f9'],
    },
  },
} as const;

test.each(everyNetwork)(
  '%s %s has the version bytes, prefixes and genesis blocks of its nodes',
  (currency, network) => {
    const { p2pkh, p2sh, hrp, genesis } = FACTS[currency][network];
    expect(CHAINS[currency].networks[network]).toMatchObject({
      pubKeyHashVersion: p2pkh,
      scriptHashVersions: p2sh,
      bech32Hrp: hrp,
      genesisHashes: genesis,
    });
    for (const hash of genesis) {
      expect(networkOfGenesis(currency, hash)).toBe(network);
      expect(networkOfGenesis(currency === 'BTC' ? 'LTC' : 'BTC', hash)).toBeNull();
    }
  },
);

test('network names match those that nodes report', () => {
  expect(NODE_CHAIN_NAMES).toEqual({
    mainnet: ['main'],
    testnet: ['test', 'testnet4', 'signet'],
    regtest: ['regtest'],
  });
});

test('payment URIs have the scheme of their currency', () => {
  expect([CHAINS.BTC.uriScheme, CHAINS.LTC.uriScheme]).toEqual(['bitcoin', 'litecoin']);
});

test('every public network has its own explorer; regtest has none', () => {
  const urls = everyNetwork.map(([currency, network]) => {
    const { addressExplorerUrl, transactionExplorerUrl } = CHAINS[currency].networks[network];
    return [currency, network, addressExplorerUrl, transactionExplorerUrl];
  });
  expect(urls).toEqual([
    ['BTC', 'mainnet', 'https://mempool.space/address/{address}', 'https://mempool.space/tx/{txid}'],
    [
      'BTC',
      'testnet',
      'https://mempool.space/testnet4/address/{address}',
      'https://mempool.space/testnet4/tx/{txid}',
    ],
    ['BTC', 'regtest', null, null],
    ['LTC', 'mainnet', 'https://litecoinspace.org/address/{address}', 'https://litecoinspace.org/tx/{txid}'],
    [
      'LTC',
      'testnet',
      'https://litecoinspace.org/testnet/address/{address}',
      'https://litecoinspace.org/testnet/tx/{txid}',
    ],
    ['LTC', 'regtest', null, null],
  ]);
});

test('prefixes imply the script types of SLIP 132; prefixes of plain keys imply none', () => {
  const types = CHAINS.LTC.networks.regtest.extendedKeyPrefixes.map(({ prefix, scriptType }) => [
    prefix,
    scriptType,
  ]);
  expect(Object.fromEntries(types)).toEqual({
    xpub: null,
    ypub: 'p2sh_p2wpkh',
    zpub: 'p2wpkh',
    Ltub: null,
    Mtub: 'p2sh_p2wpkh',
    tpub: null,
    upub: 'p2sh_p2wpkh',
    vpub: 'p2wpkh',
    ttub: null,
  });
});
