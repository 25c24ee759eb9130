import type { networks } from 'bitcoinjs-lib';
import type { Currency, Network } from '../../src/chain/chains.ts';

const bip32 = { public: 0x0488b21e, private: 0x0488ade4 };
const test = { messagePrefix: '', bip32, pubKeyHash: 0x6f, wif: 0xef };

/** The networks as bitcoinjs-lib wants them, written down apart from the table that they test. */
const NETWORKS: Record<Currency, Record<Network, networks.Network>> = {
  BTC: {
    mainnet: { messagePrefix: '', bip32, bech32: 'bc', pubKeyHash: 0, scriptHash: 5, wif: 0x80 },
    testnet: { ...test, bech32: 'tb', scriptHash: 196 },
    regtest: { ...test, bech32: 'bcrt', scriptHash: 196 },
  },
  LTC: {
    mainnet: { messagePrefix: '', bip32, bech32: 'ltc', pubKeyHash: 48, scriptHash: 50, wif: 0xb0 },
    testnet: { ...test, bech32: 'tltc', scriptHash: 58 },
    regtest: { ...test, bech32: 'rltc', scriptHash: 58 },
  },
};

/** The network of a currency in the form of bitcoinjs-lib. */
export function bitcoinjsNetwork(currency: Currency, network: Network): networks.Network {
  return NETWORKS[currency][network];
}
