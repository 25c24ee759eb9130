import { HDKey } from '@scure/bip32';
import { createBase58check } from '@scure/base';
import {
  CANONICAL_XPUB_VERSION,
  CHAINS,
  type Currency,
  type ExtendedKeyPrefix,
  MULTISIG_KEY_PREFIXES,
  NETWORKS,
  type Network,
} from '../chain/chains.ts';
import { type Checked, accept, refuse } from '../values/checked.ts';
import { findSecret } from '../contract/fields/secret-text.ts';
import { sha256 } from '../chain/hashes.ts';

/** An extended public key (BIP 32), whatever its prefix was. */
export interface ExtendedKey {
  /** Steps from the wallet's seed; 3 for an account of BIP 44, 49 or 84. */
  readonly depth: number;
  /** The first four bytes of the parent key's hash; 0 at depth 0. */
  readonly parentFingerprint: number;
  /** The last step; 2147483648 or more if hardened. */
  readonly childNumber: number;
  /** 32 bytes. */
  readonly chainCode: Uint8Array;
  /** 33 bytes, compressed. */
  readonly publicKey: Uint8Array;
  /** The key with the prefix xpub: equal keys have equal texts, whatever prefix they were pasted with. */
  readonly xpub: string;
}

/** Why a pasted key was refused. */
export type ExtendedKeyProblemCode =
  | 'private_key'
  | 'seed_phrase'
  | 'multisig_key'
  | 'unknown_key_format'
  | 'key_of_other_currency'
  | 'key_of_other_network'
  | 'key_checksum_mismatch'
  | 'invalid_key';

const base58check = createBase58check(sha256);

/**
 * Parses a pasted extended public key and returns its prefix as well. A private key or seed phrase is refused before any other
 * check. No message quotes the input.
 */
export function parseExtendedKey(
  input: string,
  currency: Currency,
  network: Network,
): Checked<{ readonly key: ExtendedKey; readonly prefix: ExtendedKeyPrefix }, ExtendedKeyProblemCode> {
  const text = input.trim();
  const secret = refuseSecret(text);
  if (secret !== null) return secret;
  const prefix = CHAINS[currency].networks[network].extendedKeyPrefixes.find((known) =>
    text.startsWith(known.prefix),
  );
  if (prefix === undefined) return refusePrefix(text, currency, network);
  const payload = decodeBase58Check(text);
  if (payload === null) {
    return refuse(
      'key_checksum_mismatch',
      'The key is mistyped or was cut off: its checksum does not match. Copy it again.',
    );
  }
  if (payload.length !== PAYLOAD_BYTES) return INVALID_KEY;
  // A private key is written after one zero byte, where a public key has 2 or 3.
  if (payload[PUBLIC_KEY_AT] === 0) return PRIVATE_KEY;
  if (readUint32(payload, 0) !== prefix.version) return INVALID_KEY;
  const key = decodePayload(payload);
  return key === null ? INVALID_KEY : accept({ key, prefix });
}

const PRIVATE_KEY = refuse(
  'private_key',
  'This is a private key. Paywatch needs the extended public key only, which begins with xpub, ypub or zpub. Never give a private key to anyone; if its wallet holds money, move the money to a new wallet.',
);
const SEED_PHRASE = refuse(
  'seed_phrase',
  'This looks like a seed phrase. Paywatch needs the extended public key only, which begins with xpub, ypub or zpub. Never give a seed phrase to anyone; if its wallet holds money, move the money to a new wallet.',
);
const INVALID_KEY = refuse('invalid_key', 'This is not a valid extended public key.');

function refuseSecret(text: string): typeof PRIVATE_KEY | typeof SEED_PHRASE | null {
  const kind = findSecret(text);
  if (kind === null) return null;
  return kind === 'private_key' ? PRIVATE_KEY : SEED_PHRASE;
}

function refusePrefix(
  text: string,
  currency: Currency,
  network: Network,
): Checked<never, ExtendedKeyProblemCode> {
  const { name, networks } = CHAINS[currency];
  const accepted = networks[network].extendedKeyPrefixes.map((known) => known.prefix).join(', ');
  const hasPrefixOf = (other: Currency, otherNetwork: Network): boolean =>
    CHAINS[other].networks[otherNetwork].extendedKeyPrefixes.some((known) => text.startsWith(known.prefix));
  if (MULTISIG_KEY_PREFIXES.some((prefix) => text.startsWith(prefix))) {
    return refuse(
      'multisig_key',
      'Keys of multisig wallets are not supported: use a wallet with a single signature.',
    );
  }
  if (NETWORKS.some((other) => hasPrefixOf(currency, other))) {
    return refuse(
      'key_of_other_network',
      `This key is for another network; ${name} ${network} takes ${accepted}.`,
    );
  }
  if (hasPrefixOf('LTC', 'regtest')) {
    return refuse('key_of_other_currency', `This key is for Litecoin; ${name} takes ${accepted}.`);
  }
  return refuse(
    'unknown_key_format',
    `Must be an extended public key and nothing else; it begins with ${accepted}.`,
  );
}

const PAYLOAD_BYTES = 78;
const PUBLIC_KEY_AT = 45;
// 82 bytes are 111 or 112 characters in base58. Decoding takes time that is quadratic in the length.
const MAX_KEY_CHARACTERS = 112;

function decodeBase58Check(text: string): Uint8Array | null {
  if (text.length > MAX_KEY_CHARACTERS) return null;
  try {
    return base58check.decode(text);
  } catch {
    return null; // A wrong character or a wrong checksum; the library's message would quote the key.
  }
}

// version(4) depth(1) parent fingerprint(4) child number(4) chain code(32) public key(33), see BIP 32.
function decodePayload(payload: Uint8Array): ExtendedKey | null {
  const depth = payload[4] ?? 0;
  const parentFingerprint = readUint32(payload, 5);
  const childNumber = readUint32(payload, 9);
  const chainCode = payload.slice(13, PUBLIC_KEY_AT);
  const publicKey = payload.slice(PUBLIC_KEY_AT);
  if (depth > MAX_DEPTH) return null;
  try {
    const { publicExtendedKey: xpub } = new HDKey({
      versions: { private: 0, public: CANONICAL_XPUB_VERSION },
      depth,
      parentFingerprint,
      index: childNumber,
      chainCode,
      publicKey,
    });
    return { depth, parentFingerprint, childNumber, chainCode, publicKey, xpub };
  } catch {
    return null; // Not a point of the curve, or a master key with a parent; the cause may quote the key.
  }
}

// The depth is one byte, and a receive address lies two steps below the key.
const MAX_DEPTH = 253;

function readUint32(bytes: Uint8Array, offset: number): number {
  return new DataView(bytes.buffer, bytes.byteOffset).getUint32(offset);
}
