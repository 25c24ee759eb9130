import { bech32, bech32m, createBase58check } from '@scure/base';
import type { Currency, Network } from '../../src/chain/chains.ts';
import { sha256 } from '../../src/chain/hashes.ts';

/** The prefixes of addresses, written down apart from the table that the product uses. */
const PREFIXES: Record<Currency, Record<Network, { hrp: string; p2pkh: number; p2sh: number }>> = {
  BTC: {
    mainnet: { hrp: 'bc', p2pkh: 0, p2sh: 5 },
    testnet: { hrp: 'tb', p2pkh: 0x6f, p2sh: 196 },
    regtest: { hrp: 'bcrt', p2pkh: 0x6f, p2sh: 196 },
  },
  LTC: {
    mainnet: { hrp: 'ltc', p2pkh: 48, p2sh: 50 },
    testnet: { hrp: 'tltc', p2pkh: 0x6f, p2sh: 58 },
    regtest: { hrp: 'rltc', p2pkh: 0x6f, p2sh: 58 },
  },
};

/** A kind of address, by the length of its hash and the bytes around it in the scriptPubKey. */
export const ADDRESS_KINDS = {
  p2pkh: { bytes: 20, head: [0x76, 0xa9, 20], tail: [0x88, 0xac] },
  p2sh: { bytes: 20, head: [0xa9, 20], tail: [0x87] },
  p2wpkh: { bytes: 20, head: [0, 20], tail: [] },
  p2wsh: { bytes: 32, head: [0, 32], tail: [] },
  p2tr: { bytes: 32, head: [0x51, 32], tail: [] },
};
export type AddressKind = keyof typeof ADDRESS_KINDS;

/** The scriptPubKey, put together byte by byte (BIP 16, 141, 341). */
export function otherScript(kind: AddressKind, hash: Uint8Array): Uint8Array {
  const { head, tail } = ADDRESS_KINDS[kind];
  return Uint8Array.of(...head, ...hash, ...tail);
}

/** The address, encoded by @scure/base instead of bitcoinjs-lib. */
export function otherAddress(
  kind: AddressKind,
  hash: Uint8Array,
  currency: Currency,
  network: Network,
): string {
  const { hrp, p2pkh, p2sh } = PREFIXES[currency][network];
  if (kind === 'p2pkh') return createBase58check(sha256).encode(Uint8Array.of(p2pkh, ...hash));
  if (kind === 'p2sh') return createBase58check(sha256).encode(Uint8Array.of(p2sh, ...hash));
  if (kind === 'p2tr') return bech32m.encode(hrp, [1, ...bech32m.toWords(hash)]);
  return bech32.encode(hrp, [0, ...bech32.toWords(hash)]);
}
