import { Address, OutScript, p2wpkh, utils } from '@scure/btc-signer';
import { hash160 } from '@scure/btc-signer/utils.js';

/** The currencies of payers. */
export type Currency = 'BTC' | 'LTC';

/** Address prefixes on regtest. Litecoin's P2SH addresses have two version bytes: their own, and the older one of Bitcoin. */
const prefixes = Object.freeze({
  BTC: [{ bech32: 'bcrt', pubKeyHash: 0x6f, scriptHash: 0xc4, wif: 0xef }],
  LTC: [
    { bech32: 'rltc', pubKeyHash: 0x6f, scriptHash: 0x3a, wif: 0xef },
    { bech32: 'rltc', pubKeyHash: 0x6f, scriptHash: 0xc4, wif: 0xef },
  ],
});

/** Returns the scriptPubKey of a regtest address. Throws for an address of another network. */
export function scriptOf(currency: Currency, address: string): Uint8Array {
  for (const network of prefixes[currency]) {
    const script = tryDecode(network, address);
    if (script !== undefined) return script;
  }
  throw new Error(`${address} is not a ${currency} regtest address`);
}

/** The P2WPKH address and scriptPubKey of a public key. */
export function segwitAddress(
  currency: Currency,
  publicKey: Uint8Array,
): { address: string; script: Uint8Array } {
  const { address, script } = p2wpkh(publicKey, prefixes[currency][0]);
  if (address === undefined) throw new Error('the public key has no P2WPKH address');
  return { address, script };
}

/** Returns a P2WPKH address without a known key, for blocks whose reward no payer should get. */
export function unownedAddress(currency: Currency): string {
  const hash = hash160(utils.randomPrivateKeyBytes());
  return Address(prefixes[currency][0]).encode({ type: 'wpkh', hash });
}

function tryDecode(network: (typeof prefixes)['BTC'][number], address: string): Uint8Array | undefined {
  try {
    return OutScript.encode(Address(network).decode(address));
  } catch {
    return undefined;
  }
}
