import {
  address as bitcoinjsAddress,
  opcodes,
  payments,
  script as bitcoinjsScript,
  type Payment,
} from 'bitcoinjs-lib';
import { CHAINS, CURRENCIES, type Currency, NETWORKS, type Network, type NetworkParams } from './chains.ts';
import { type Checked, accept, refuse } from '../values/checked.ts';

/** Why an address was refused. */
export type AddressProblemCode =
  | 'address_of_other_network'
  | 'address_of_other_currency'
  | 'address_checksum_mismatch'
  | 'mweb_address'
  | 'unsupported_address'
  | 'malformed_address';

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
  return hasSegwitPrefix(text)
    ? segwitScript(text, currency, network)
    : base58Script(text, currency, network);
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
  const decoded = decodeBase58Check(text);
  if (typeof decoded === 'string') return decoded === 'other_length' ? UNSUPPORTED : CHECKSUM_MISMATCH;
  const { version, hash } = decoded;
  const params = CHAINS[currency].networks[network];
  if (version === params.pubKeyHashVersion) return acceptOutput(payments.p2pkh({ hash }));
  if (params.scriptHashVersions.includes(version)) return acceptOutput(payments.p2sh({ hash }));
  return refuseForeign(currency, network, (other) => usesVersion(other, version));
}

function acceptOutput({ output }: Payment): Checked<Uint8Array, AddressProblemCode> {
  if (output === undefined) throw new Error('bitcoinjs-lib returned no script for an address');
  return accept(output);
}

function usesVersion(params: NetworkParams, version: number): boolean {
  return params.pubKeyHashVersion === version || params.scriptHashVersions.includes(version);
}

/** `other_length`: the checksum matches, but what it protects is no version with a hash of 20 bytes. */
function decodeBase58Check(text: string): bitcoinjsAddress.Base58CheckResult | 'other_length' | 'mistyped' {
  try {
    return bitcoinjsAddress.fromBase58Check(text);
  } catch (error) {
    return error instanceof TypeError ? 'other_length' : 'mistyped';
  }
}

const SEGWIT_HRPS: readonly string[] = CURRENCIES.flatMap((currency) =>
  NETWORKS.map((network) => CHAINS[currency].networks[network].bech32Hrp),
);

/** Whether the text has the segwit prefix of a known currency. */
function hasSegwitPrefix(text: string): boolean {
  return SEGWIT_HRPS.includes(text.slice(0, Math.max(0, text.lastIndexOf('1'))).toLowerCase());
}

function segwitScript(
  text: string,
  currency: Currency,
  network: Network,
): Checked<Uint8Array, AddressProblemCode> {
  const decoded = decodeSegwit(text);
  if (decoded === null) return CHECKSUM_MISMATCH;
  const { prefix, version, data } = decoded;
  if (prefix !== CHAINS[currency].networks[network].bech32Hrp) {
    return refuseForeign(currency, network, (other) => other.bech32Hrp === prefix);
  }
  if (version === 0 && data.length === 20) return acceptOutput(payments.p2wpkh({ hash: data }));
  if (version === 0 && data.length === 32) return acceptOutput(payments.p2wsh({ hash: data }));
  // Not `payments.p2tr`, which needs a library for the curve to check that somebody can spend it.
  if (version === 1 && data.length === 32) return accept(bitcoinjsScript.compile([opcodes.OP_1, data]));
  return UNSUPPORTED;
}

/** Null if neither checksum matches, or that of another version (BIP 350): the address may be mistyped. */
function decodeSegwit(text: string): bitcoinjsAddress.Bech32Result | null {
  try {
    return bitcoinjsAddress.fromBech32(text);
  } catch {
    return null;
  }
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
