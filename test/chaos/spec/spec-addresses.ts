import type { Currency } from '@paywatch/dev/wallet';
import { createBase58check } from '@scure/base';
import { HDKey } from '@scure/bip32';
import { payments, type networks } from 'bitcoinjs-lib';
import { createHash } from 'node:crypto';

/** The script types of wallets, as named by the API. */
export type ScriptType = 'p2pkh' | 'p2sh_p2wpkh' | 'p2wpkh';

/** Derives receive addresses of an extended public key (BIP 32) with other libraries than the product's. */
export type SpecAddresses = {
  addressAt(index: number): string;
  scriptHexAt(index: number): string;
};

const REGTEST = { messagePrefix: '', bip32: { public: 0x043587cf, private: 0x04358394 }, wif: 0xef };
const NETWORKS: Record<Currency, networks.Network> = {
  BTC: { ...REGTEST, bech32: 'bcrt', pubKeyHash: 0x6f, scriptHash: 0xc4 },
  LTC: { ...REGTEST, bech32: 'rltc', pubKeyHash: 0x6f, scriptHash: 0x3a },
};
const base58check = createBase58check((bytes: Uint8Array) => createHash('sha256').update(bytes).digest());
const XPUB = { public: 0x0488b21e, private: 0x0488ade4 };

/** Address `branch/i` of an account's key, whatever its version bytes. */
export function specAddresses(
  currency: Currency,
  xpub: string,
  { scriptType, branch = 0 }: { scriptType: ScriptType; branch?: number },
): SpecAddresses {
  const receive = HDKey.fromExtendedKey(asXpub(xpub), XPUB).deriveChild(branch);
  const at = (index: number) =>
    paymentOf(scriptType, receive.deriveChild(index).publicKey, NETWORKS[currency]);
  return {
    addressAt: (index) => present(at(index).address),
    scriptHexAt: (index) => Buffer.from(present(at(index).output)).toString('hex'),
  };
}

/** Replaces the version bytes, which are not part of the key. */
function asXpub(key: string): string {
  const bytes = Buffer.from(base58check.decode(key));
  bytes.writeUInt32BE(XPUB.public);
  return base58check.encode(bytes);
}

function paymentOf(
  scriptType: ScriptType,
  pubkey: Uint8Array | null,
  network: networks.Network,
): payments.Payment {
  const key = { pubkey: present(pubkey), network };
  if (scriptType === 'p2pkh') return payments.p2pkh(key);
  if (scriptType === 'p2wpkh') return payments.p2wpkh(key);
  return payments.p2sh({ redeem: payments.p2wpkh(key), network });
}

function present<Value>(value: Value | null | undefined): Value {
  if (value === null || value === undefined) throw new Error('the key does not have this address');
  return value;
}
