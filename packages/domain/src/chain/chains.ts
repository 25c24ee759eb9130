import { COINS, type Coin, type Currency } from '../values/coins.ts';

export { CURRENCIES, type Currency } from '../values/coins.ts';

/** The networks a currency can run on; a deployment uses one for each currency. */
export const NETWORKS = ['mainnet', 'testnet', 'regtest'] as const;
/** `testnet` also stands for signet and testnet4, which share its addresses and key prefixes. */
export type Network = (typeof NETWORKS)[number];

/** The names that nodes of both currencies use for the networks, in `chain` of getblockchaininfo. */
export const NODE_CHAIN_NAMES: Readonly<Record<Network, readonly string[]>> = Object.freeze({
  mainnet: ['main'],
  testnet: ['test', 'testnet4', 'signet'],
  regtest: ['regtest'],
});

/** The script types that receive addresses are derived for. */
export const SCRIPT_TYPES = ['p2pkh', 'p2sh_p2wpkh', 'p2wpkh'] as const;
/** How an address is derived from a public key: BIP 44, BIP 49 and BIP 84, in this order. */
export type ScriptType = (typeof SCRIPT_TYPES)[number];

/** One prefix of extended public keys. */
export interface ExtendedKeyPrefix {
  /** The first four characters of the key's base58 form. */
  readonly prefix: string;
  /** The four version bytes as a big-endian number. */
  readonly version: number;
  /** The script type that the prefix implies (SLIP 132); null if it implies none. */
  readonly scriptType: ScriptType | null;
}

/** What differs between the networks of one currency. */
export interface NetworkParams {
  /** Version byte of P2PKH addresses. */
  readonly pubKeyHashVersion: number;
  /** Version bytes of P2SH addresses: the one that is written, then those that are only accepted. */
  readonly scriptHashVersions: readonly [number, ...number[]];
  /** Human-readable part of segwit addresses (BIP 173). */
  readonly bech32Hrp: string;
  /** Hashes of the genesis block in display hex, which identify the chain and the currency. */
  readonly genesisHashes: readonly string[];
  /** The extended public keys that are accepted. */
  readonly extendedKeyPrefixes: readonly ExtendedKeyPrefix[];
  /** URL of an explorer page for an address; `{address}` stands for it. Null without a public explorer. */
  readonly addressExplorerUrl: string | null;
  /** URL of an explorer page for a transaction; `{txid}` stands for its id. Null without a public explorer. */
  readonly transactionExplorerUrl: string | null;
}

/** Everything that differs between the currencies. */
export interface ChainParams extends Coin {
  /** The scheme of payment URIs (BIP 21). */
  readonly uriScheme: 'bitcoin' | 'litecoin';
  readonly networks: Readonly<Record<Network, NetworkParams>>;
}

// Version bytes: BIP 32 and SLIP 132; Ltub, Mtub and ttub come from Litecoin wallets and were never standardized.
const XPUB: ExtendedKeyPrefix = { prefix: 'xpub', version: 0x0488b21e, scriptType: null };
const MAINNET_KEYS = [
  XPUB,
  { prefix: 'ypub', version: 0x049d7cb2, scriptType: 'p2sh_p2wpkh' },
  { prefix: 'zpub', version: 0x04b24746, scriptType: 'p2wpkh' },
] as const;
const LITECOIN_KEYS = [
  { prefix: 'Ltub', version: 0x019da462, scriptType: null },
  { prefix: 'Mtub', version: 0x01b26ef6, scriptType: 'p2sh_p2wpkh' },
] as const;
const TEST_KEYS = [
  { prefix: 'tpub', version: 0x043587cf, scriptType: null },
  { prefix: 'upub', version: 0x044a5262, scriptType: 'p2sh_p2wpkh' },
  { prefix: 'vpub', version: 0x045f1cf6, scriptType: 'p2wpkh' },
] as const;
const LITECOIN_TEST_KEYS = [{ prefix: 'ttub', version: 0x0436f6e1, scriptType: null }] as const;

/** The version bytes of the canonical form of every key, whatever its prefix was. */
export const CANONICAL_XPUB_VERSION = XPUB.version;

/** Prefixes of multisig public keys (SLIP 132), whose addresses cannot be derived from one key alone. */
export const MULTISIG_KEY_PREFIXES: readonly string[] = Object.freeze(['Ypub', 'Zpub', 'Upub', 'Vpub']);

const BITCOIN: ChainParams = {
  ...COINS.BTC,
  uriScheme: 'bitcoin',
  networks: {
    mainnet: {
      pubKeyHashVersion: 0x00,
      scriptHashVersions: [0x05],
      bech32Hrp: 'bc',
      genesisHashes: ['000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f'],
      extendedKeyPrefixes: MAINNET_KEYS,
      addressExplorerUrl: 'https://mempool.space/address/{address}',
      transactionExplorerUrl: 'https://mempool.space/tx/{txid}',
    },
    testnet: {
      pubKeyHashVersion: 0x6f,
      scriptHashVersions: [0xc4],
      bech32Hrp: 'tb',
      genesisHashes: [
        // testnet3, testnet4, signet
        '000000000933ea01ad0ee984209779baaec3ced90fa3f408719526f8d77f4943',
        '00000000da84f2bafbbc53dee25a72ae507ff4914b867c565be350b0da8bf043',
        '00000008819873e925422c1ff0f99f7cc9bbb232af63a077a480a3633bee1ef6',
      ],
      extendedKeyPrefixes: [...MAINNET_KEYS, ...TEST_KEYS],
      addressExplorerUrl: 'https://mempool.space/testnet4/address/{address}',
      transactionExplorerUrl: 'https://mempool.space/testnet4/tx/{txid}',
    },
    regtest: {
      pubKeyHashVersion: 0x6f,
      scriptHashVersions: [0xc4],
      bech32Hrp: 'bcrt',
      genesisHashes: ['0f9188f13cb7b2c71f2a335e3a4fc328bf5beb436012afca590b1a11466e2206'],
      extendedKeyPrefixes: [...MAINNET_KEYS, ...TEST_KEYS],
      addressExplorerUrl: null,
      transactionExplorerUrl: null,
    },
  },
};

// Litecoin added new P2SH versions because its first ones equal Bitcoin's; wallets still use either for one script.
const LITECOIN: ChainParams = {
  ...COINS.LTC,
  uriScheme: 'litecoin',
  networks: {
    mainnet: {
      pubKeyHashVersion: 0x30,
      scriptHashVersions: [0x32, 0x05],
      bech32Hrp: 'ltc',
      genesisHashes: ['12a765e31ffd4059bada1e25190f6e98c99d9714d334efa41a195a7e7e04bfe2'],
      extendedKeyPrefixes: [...MAINNET_KEYS, ...LITECOIN_KEYS],
      addressExplorerUrl: 'https://litecoinspace.org/address/{address}',
      transactionExplorerUrl: 'https://litecoinspace.org/tx/{txid}',
    },
    testnet: {
      pubKeyHashVersion: 0x6f,
      scriptHashVersions: [0x3a, 0xc4],
      bech32Hrp: 'tltc',
      genesisHashes: ['4966625a4b2851d9fdee139e56211a0d88575f59ed816ff5e6a63deb4e3e29a0'],
      extendedKeyPrefixes: [...MAINNET_KEYS, ...LITECOIN_KEYS, ...TEST_KEYS, ...LITECOIN_TEST_KEYS],
      addressExplorerUrl: 'https://litecoinspace.org/testnet/address/{address}',
      transactionExplorerUrl: 'https://litecoinspace.org/testnet/tx/{txid}',
    },
    regtest: {
      pubKeyHashVersion: 0x6f,
      scriptHashVersions: [0x3a, 0xc4],
      bech32Hrp: 'rltc',
      genesisHashes: ['530827f38f93b43ed12af0b3ad25a288dc02ed74d6d7857862df51fc56c416f9'],
      extendedKeyPrefixes: [...MAINNET_KEYS, ...LITECOIN_KEYS, ...TEST_KEYS, ...LITECOIN_TEST_KEYS],
      addressExplorerUrl: null,
      transactionExplorerUrl: null,
    },
  },
};

/** The only table of differences between currencies and networks; deeply frozen. */
export const CHAINS: Readonly<Record<Currency, ChainParams>> = deepFreeze({ BTC: BITCOIN, LTC: LITECOIN });

/** The network of a currency with this genesis block (display hex); null if it is unknown. */
export function networkOfGenesis(currency: Currency, genesisHash: string): Network | null {
  const { networks } = CHAINS[currency];
  return NETWORKS.find((network) => networks[network].genesisHashes.includes(genesisHash)) ?? null;
}

function deepFreeze<Value extends object>(value: Value): Value {
  for (const inner of Object.values(value)) {
    if (typeof inner === 'object' && inner !== null) deepFreeze(inner);
  }
  return Object.freeze(value);
}
