import { HDKey } from '@scure/bip32';
import { randomBytes } from 'node:crypto';
import { segwitAddress, type Currency } from './regtest-address.ts';

/** A merchant's wallet software: it holds the seed, and exports only the extended public key. */
export type MerchantWallet = {
  currency: Currency;
  xpub: string;
  scriptType: 'p2wpkh';
  derivationPath: string;
  /** The receive address at an index. */
  addressAt(index: number): string;
};

/** BIP 84 account paths, and the prefixes of exported keys: tpub and Ltub. */
const accounts = {
  BTC: { path: "m/84'/1'/0'", versions: { public: 0x043587cf, private: 0x04358394 } },
  LTC: { path: "m/84'/2'/0'", versions: { public: 0x019da462, private: 0x019d9cfe } },
} as const;

/** Creates a regtest wallet with a new seed. */
export function createMerchantWallet(currency: Currency): MerchantWallet {
  const { path, versions } = accounts[currency];
  const account = HDKey.fromMasterSeed(randomBytes(32), versions).derive(path);
  const receive = account.deriveChild(0);
  return {
    currency,
    xpub: account.publicExtendedKey,
    scriptType: 'p2wpkh',
    derivationPath: path,
    addressAt: (index) => {
      const { publicKey } = receive.deriveChild(index);
      if (publicKey === null) throw new Error(`no key at index ${index}`);
      return segwitAddress(currency, publicKey).address;
    },
  };
}
