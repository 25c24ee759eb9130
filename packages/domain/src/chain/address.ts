import { bech32, bech32m, createBase58check } from '@scure/base';
import { CHAINS, CURRENCIES, type Currency, NETWORKS, type Network, type NetworkParams } from './chains.ts';
import { type Checked, accept, refuse } from '../values/checked.ts';
import { sha256 } from './hashes.ts';
import {
  type ScriptParts,
  pubKeyHashScript,
  scriptHashScript,
  splitScript,
  witnessScript,
} from './script.ts';

/** Why an address was refused. */
export type AddressProblemCode =
  | 'address_of_other_network'
  | 'address_of_other_currency'
  | 'address_checksum_mismatch'
  | 'mweb_address'
  | 'unsupported_address'
  | 'malformed_address';

const base58check = createBase58check(sha256);

/**
 * Parses an address of this currency and network into its scriptPubKey (P2PKH, P2SH, P2WPKH, P2WSH, P2TR).
 * Compare by script and never by text: Litecoin writes one P2SH script with either of two version bytes.
 */
export function addressToScript(
  input: string,
  currency: Currency,
  network: Network,
): Checked<Uint8Array, AddressProblemCode> {
  const text = input.trim();
  if (MWEB_PATTERN.test(text)) {
    return refuse('mweb_address', 'MWEB addresses are not supported; use an ordinary address of the wallet.');
  }
  if (text.length > MAX_ADDRESS_CHARACTERS) return MALFORMED;
  const segwit = decodeSegwit(text);
  return segwit === null ? base58Script(text, currency, network) : segwitScript(segwit, currency, network);
}

// BIP 173 allows 90 characters; decoding base58 takes time that is quadratic in the length.
const MAX_ADDRESS_CHARACTERS = 90;
const MWEB_PATTERN = /^(?:ltcmweb|tmweb)1[02-9ac-hj-np-z]+$/i;

const MALFORMED = refuse('malformed_address', 'This is not an address.');
const CHECKSUM_MISMATCH = refuse(
  'address_checksum_mismatch',
  'The address is mistyped or was cut off: its checksum does not match. Copy it again.',
);
const UNSUPPORTED = refuse('unsupported_address', 'Addresses of this kind are not supported.');

function base58Script(
  text: string,
  currency: Currency,
  network: Network,
): Checked<Uint8Array, AddressProblemCode> {
  // Before it is decoded, which takes time that is quadratic in the length.
  if (!/^[1-9A-HJ-NP-Za-km-z]{25,36}$/.test(text)) return MALFORMED;
  const payload = decodeBase58Check(text);
  if (payload === null) return CHECKSUM_MISMATCH;
  const [version = 0] = payload;
  const hash = payload.subarray(1);
  if (hash.length !== 20) return UNSUPPORTED;
  const params = CHAINS[currency].networks[network];
  if (version === params.pubKeyHashVersion) return accept(pubKeyHashScript(hash));
  if (params.scriptHashVersions.includes(version)) return accept(scriptHashScript(hash));
  return refuseForeign(currency, network, (other) => usesVersion(other, version));
}

function usesVersion(params: NetworkParams, version: number): boolean {
  return params.pubKeyHashVersion === version || params.scriptHashVersions.includes(version);
}

function decodeBase58Check(text: string): Uint8Array | null {
  try {
    return base58check.decode(text);
  } catch {
    return null; // A wrong checksum: the characters were checked before.
  }
}

interface SegwitAddress {
  readonly hrp: string;
  readonly words: readonly number[];
  /** The checksum that matched: bech32 for version 0, bech32m for later ones (BIP 350); null if neither did. */
  readonly encoding: 'bech32' | 'bech32m' | null;
}

const SEGWIT_HRPS: readonly string[] = CURRENCIES.flatMap((currency) =>
  NETWORKS.map((network) => CHAINS[currency].networks[network].bech32Hrp),
);

/** Null for a text without the segwit prefix of a known currency. */
function decodeSegwit(text: string): SegwitAddress | null {
  const hrp = text.slice(0, Math.max(0, text.lastIndexOf('1'))).toLowerCase();
  if (!SEGWIT_HRPS.includes(hrp)) return null;
  const old = bech32.decodeUnsafe(text);
  if (old) return { hrp, words: old.words, encoding: 'bech32' };
  const modern = bech32m.decodeUnsafe(text);
  return modern ? { hrp, words: modern.words, encoding: 'bech32m' } : { hrp, words: [], encoding: null };
}

function segwitScript(
  address: SegwitAddress,
  currency: Currency,
  network: Network,
): Checked<Uint8Array, AddressProblemCode> {
  if (address.encoding === null) return CHECKSUM_MISMATCH;
  if (address.hrp !== CHAINS[currency].networks[network].bech32Hrp) {
    return refuseForeign(currency, network, (other) => other.bech32Hrp === address.hrp);
  }
  const [version = 0, ...words] = address.words;
  const program = bech32.fromWordsUnsafe(words);
  if (!program) return MALFORMED;
  // A version 0 address with the later checksum, or the other way round, may have been altered undetected (BIP 350).
  if ((version === 0) !== (address.encoding === 'bech32')) return CHECKSUM_MISMATCH;
  const isStandard =
    version === 0 ? [20, 32].includes(program.length) : version === 1 && program.length === 32;
  return isStandard ? accept(witnessScript(version, program)) : UNSUPPORTED;
}

/**
 * Names the network or currency that the address belongs to. The own currency is checked first, because test networks of both
 * share version bytes.
 */
function refuseForeign(
  currency: Currency,
  network: Network,
  matches: (params: NetworkParams) => boolean,
): Checked<never, AddressProblemCode> {
  const { name, networks } = CHAINS[currency];
  if (NETWORKS.some((other) => matches(networks[other]))) {
    return refuse('address_of_other_network', `This address is for another network than ${name} ${network}.`);
  }
  const owner = CURRENCIES.find((other) => NETWORKS.some((net) => matches(CHAINS[other].networks[net])));
  if (owner === undefined) return UNSUPPORTED;
  return refuse('address_of_other_currency', `This is a ${CHAINS[owner].name} address, not one of ${name}.`);
}

/** Writes the address of a scriptPubKey; null for a script that has none, such as OP_RETURN or a HogEx's own output. */
export function scriptToAddress(script: Uint8Array, currency: Currency, network: Network): string | null {
  const parts = splitScript(script);
  return parts === null
    ? null
    : ADDRESS_OF_SCRIPT[parts.type](parts.hash, CHAINS[currency].networks[network]);
}

type WriteAddress = (hash: Uint8Array, params: NetworkParams) => string;

const ADDRESS_OF_SCRIPT: Readonly<Record<ScriptParts['type'], WriteAddress>> = {
  p2pkh: (hash, params) => base58check.encode(Uint8Array.of(params.pubKeyHashVersion, ...hash)),
  p2sh: (hash, params) => base58check.encode(Uint8Array.of(params.scriptHashVersions[0], ...hash)),
  witness_v0: (hash, params) => bech32.encode(params.bech32Hrp, [0, ...bech32.toWords(hash)]),
  p2tr: (hash, params) => bech32m.encode(params.bech32Hrp, [1, ...bech32m.toWords(hash)]),
};
