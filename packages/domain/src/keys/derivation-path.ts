import { type Checked, accept, refuse } from '../values/checked.ts';
import type { ScriptType } from '../chain/chains.ts';

/** Indexes from here on are hardened: they cannot be derived from a public key (BIP 32). */
export const HARDENED_OFFSET = 0x80000000;

/** The origin of a key and the branch of its receive addresses, as one path. */
export interface DerivationPath {
  /** The normalized path, with `'` for hardened steps: `m/84'/0'/0'`. */
  readonly text: string;
  /** The hardened steps from the wallet's seed to the key, without the hardened bit. */
  readonly origin: readonly number[];
  /** The unhardened step whose children are the receive addresses. */
  readonly branch: number;
}

/** Why a derivation path was refused. */
export type DerivationPathProblemCode =
  | 'malformed_derivation_path'
  | 'derivation_index_too_large'
  | 'hardened_after_unhardened'
  | 'derivation_path_too_deep';

/** The receive branch of BIP 44, for paths that name none. */
export const DEFAULT_BRANCH = 0;

// The longest standard origin, BIP 48, has four steps. The limit is well above it and keeps nonsense out of the database.
const MAX_ORIGIN_STEPS = 10;
const STEPS_PATTERN = /^m(?:\/(?:0|[1-9][0-9]{0,9})['hH]?)*$/;

/**
 * Parses the origin of a key, hardened steps only, optionally followed by its one unhardened receive branch:
 * `m/84'/0'/0'` or `m/84h/0h/0h/0`. `'`, `h` and `H` all mark a hardened step.
 */
export function parseDerivationPath(input: string): Checked<DerivationPath, DerivationPathProblemCode> {
  const text = input.trim();
  // Such a long text cannot be a path, so it is not matched.
  if (text.length > 255 || !STEPS_PATTERN.test(text)) return MALFORMED;
  const steps = text.split('/').slice(1).map(parseStep);
  if (steps.some((step) => step.index >= HARDENED_OFFSET)) {
    return refuse('derivation_index_too_large', 'Each step of the path must be below 2147483648.');
  }
  const origin = steps.filter((step) => step.isHardened);
  const branches = steps.filter((step) => !step.isHardened);
  return checkOrder(steps, origin, branches);
}

const MALFORMED = refuse('malformed_derivation_path', "Must look like m/84'/0'/0' or m/84'/0'/0'/0.");

interface Step {
  readonly index: number;
  readonly isHardened: boolean;
}

function parseStep(text: string): Step {
  const isHardened = /['hH]$/.test(text);
  return { index: Number(isHardened ? text.slice(0, -1) : text), isHardened };
}

function checkOrder(
  steps: readonly Step[],
  origin: readonly Step[],
  branches: readonly Step[],
): Checked<DerivationPath, DerivationPathProblemCode> {
  if (steps.slice(origin.length).some((step) => step.isHardened)) {
    return refuse(
      'hardened_after_unhardened',
      "A hardened step after an unhardened one cannot be derived from a public key; put the hardened steps first, as in m/84'/0'/0'/0.",
    );
  }
  if (branches.length > 1 || origin.length > MAX_ORIGIN_STEPS) {
    return refuse(
      'derivation_path_too_deep',
      "Must end at the account, such as m/84'/0'/0', or one unhardened step further, at its receive branch; leave out the index of the address.",
    );
  }
  return accept({
    text: ['m', ...steps.map((step) => `${step.index}${step.isHardened ? "'" : ''}`)].join('/'),
    origin: origin.map((step) => step.index),
    branch: branches[0]?.index ?? DEFAULT_BRANCH,
  });
}

/** The script type implied by a path's purpose (BIP 44, 49 and 84); null for every other path. */
export function scriptTypeOfPurpose(path: DerivationPath): ScriptType | null {
  const [purpose] = path.origin;
  return (purpose === undefined ? undefined : SCRIPT_TYPES_BY_PURPOSE.get(purpose)) ?? null;
}

const SCRIPT_TYPES_BY_PURPOSE: ReadonlyMap<number, ScriptType> = new Map([
  [44, 'p2pkh'],
  [49, 'p2sh_p2wpkh'],
  [84, 'p2wpkh'],
]);
