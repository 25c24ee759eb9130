import { type Checked, accept, refuse } from '../values/checked.ts';
import type { Currency, ExtendedKeyPrefix, Network, ScriptType } from '../chain/chains.ts';
import {
  DEFAULT_BRANCH,
  type DerivationPath,
  type DerivationPathProblemCode,
  parseDerivationPath,
  scriptTypeOfPurpose,
} from './derivation-path.ts';
import { type ExtendedKey, type ExtendedKeyProblemCode, parseExtendedKey } from './extended-key.ts';
import { sha256 } from '../chain/hashes.ts';

/** The unchecked input of a wallet registration. */
export interface WalletKeyInput {
  readonly currency: Currency;
  readonly xpub: string;
  readonly scriptType?: ScriptType | undefined;
  readonly derivationPath?: string | undefined;
}

/** Everything that determines the addresses of a wallet. */
export interface WalletKey {
  readonly currency: Currency;
  readonly network: Network;
  readonly scriptType: ScriptType;
  /** The step between the key and its receive addresses: address i has the path `<branch>/i`. */
  readonly branch: number;
  /** The key in its canonical form, with the prefix xpub. */
  readonly xpub: string;
  /** The merchant's path, with `'` for hardened steps; null if none was given. */
  readonly derivationPath: string | null;
  /** Hex. Two wallets have the same identity exactly if they receive at the same addresses, and then share one pool. */
  readonly identity: string;
}

/** Why a wallet's key was refused. */
export type WalletKeyProblemCode =
  ExtendedKeyProblemCode | DerivationPathProblemCode | 'script_type_contradiction';

/** The fields of a registration that a problem can be about, named as on the wire. */
export type WalletKeyField = 'xpub' | 'script_type' | 'derivation_path';

/** The field of the registration that a problem of this code concerns. */
export function fieldOfWalletKeyProblem(code: WalletKeyProblemCode): WalletKeyField {
  return FIELDS[code];
}

const FIELDS: Readonly<Record<WalletKeyProblemCode, WalletKeyField>> = {
  private_key: 'xpub',
  seed_phrase: 'xpub',
  multisig_key: 'xpub',
  unknown_key_format: 'xpub',
  key_of_other_currency: 'xpub',
  key_of_other_network: 'xpub',
  key_checksum_mismatch: 'xpub',
  invalid_key: 'xpub',
  script_type_contradiction: 'script_type',
  malformed_derivation_path: 'derivation_path',
  derivation_index_too_large: 'derivation_path',
  hardened_after_unhardened: 'derivation_path',
  derivation_path_too_deep: 'derivation_path',
};

/**
 * Parses a wallet registration into a normalized key; returns the first problem found.
 *
 * The depth of the key is not compared with the path: some wallets export depth 0 for every key, and the verification address
 * reveals a wrong level anyway.
 */
export function parseWalletKey(
  input: WalletKeyInput,
  network: Network,
): Checked<WalletKey, WalletKeyProblemCode> {
  const parsed = parseExtendedKey(input.xpub, input.currency, network);
  if (!parsed.ok) return parsed;
  const path = input.derivationPath === undefined ? accept(null) : parseDerivationPath(input.derivationPath);
  if (!path.ok) return path;
  const scriptType = resolveScriptType(parsed.value.prefix, input.scriptType, path.value);
  if (!scriptType.ok) return scriptType;
  const { key } = parsed.value;
  const branch = path.value?.branch ?? DEFAULT_BRANCH;
  return accept({
    currency: input.currency,
    network,
    scriptType: scriptType.value,
    branch,
    xpub: key.xpub,
    derivationPath: path.value?.text ?? null,
    identity: walletIdentity(input.currency, scriptType.value, key, branch),
  });
}

/** The script type in order of precedence: the merchant's setting, the prefix, the purpose in the path, then p2pkh. */
function resolveScriptType(
  prefix: ExtendedKeyPrefix,
  requested: ScriptType | undefined,
  path: DerivationPath | null,
): Checked<ScriptType, 'script_type_contradiction'> {
  if (requested !== undefined && prefix.scriptType !== null && prefix.scriptType !== requested) {
    return refuse(
      'script_type_contradiction',
      `A key that begins with ${prefix.prefix} is of script type ${prefix.scriptType}: leave script_type out, or use the xpub form of the key.`,
    );
  }
  const fromPath = path === null ? null : scriptTypeOfPurpose(path);
  return accept(requested ?? prefix.scriptType ?? fromPath ?? 'p2pkh');
}

/**
 * Identifies the address pool of a key. Depth, parent and child number are excluded: they change no address, and wallets write
 * them differently.
 */
function walletIdentity(
  currency: Currency,
  scriptType: ScriptType,
  key: ExtendedKey,
  branch: number,
): string {
  const branchBytes = Buffer.alloc(4);
  branchBytes.writeUInt32BE(branch);
  const label = Buffer.from(`${currency}/${scriptType}/`);
  return sha256(Buffer.concat([label, key.publicKey, key.chainCode, branchBytes])).toString('hex');
}
