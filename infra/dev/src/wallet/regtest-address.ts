import { Address, OutScript, p2wpkh, utils } from '@scure/btc-signer';
import { hash160 } from '@scure/btc-signer/utils.js';

/** The currencies that a payer has coins of. */
export type Currency = 'BTC' | 'LTC';

/** Address prefixes on regtest; Litecoin's P2SH addresses have a version byte of their own and Bitcoin's, older one. */
const prefixes = Object.freeze({
  BTC: [{ bech32: 'bcrt', pubKeyHash: 0x6f, scriptHash: 0xc4, wif: 0xef }],
  LTC: [
    { bech32: 'rltc', pubKeyHash: 0x6f, scriptHash: 0x3a, wif: 0xef },
    { bech32: 'rltc', pubKeyHash: 0x6f, scriptHash: 0xc4, wif: 0xef },
  ],
});

/** The scriptPubKey that an address of the regtest network stands for. Throws on an address of any other network. */
export function scriptOf(currency: Currency, address: string): Uint8Array {
  for (const network of prefixes[currency]) {
    const script = tryDecode(network, address);
    if (script !== undefined) return script;
  }
  throw new Error(`${address} is no ${currency} regtest address`);
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

/** A P2WPKH address whose key nobody keeps: where blocks are mined to that should enrich no payer. */
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
