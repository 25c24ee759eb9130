import { HDKey } from '@scure/bip32';
import { CANONICAL_XPUB_VERSION, SCRIPT_TYPES, type ScriptType } from '../chain/chains.ts';
import { HARDENED_OFFSET } from './derivation-path.ts';
import { bitcoinjsNetwork, publicKeyPayment } from '../chain/script.ts';
import type { WalletKey } from './wallet-key.ts';

/** The part of a wallet's key that addresses are derived from; `xpub` in its canonical form. */
export type ReceiveKey = Pick<WalletKey, 'currency' | 'network' | 'scriptType' | 'branch' | 'xpub'>;

/** One receive address. */
export interface ReceiveAddress {
  /** The actual child index; it differs from the requested one if that has no valid key (once in 2^127). */
  readonly index: number;
  /** The scriptPubKey that pays it. */
  readonly script: Uint8Array;
  readonly address: string;
}

/** Derives receive address `index` of the wallet's branch. Takes about 2 ms; throws RangeError from 2147483648 on. */
export function deriveReceiveAddress(key: ReceiveKey, index: number): ReceiveAddress {
  const [address] = deriveReceiveAddresses(key, index, 1);
  if (address === undefined) throw new RangeError(`no receive address has index ${index}`);
  return address;
}

/**
 * Derives `count` receive addresses from index `start` on, in ascending order without repetition. Each takes about 1 ms, so
 * derive ahead of demand, in small batches. Throws RangeError past index 2147483647.
 */
export function deriveReceiveAddresses(key: ReceiveKey, start: number, count: number): ReceiveAddress[] {
  return [...receiveAddresses(key, start, count)];
}

/** The same one at a time, so that the caller can yield in between. */
export function* receiveAddresses(key: ReceiveKey, start: number, count: number): Generator<ReceiveAddress> {
  for (const child of childrenOf(branchNode(key.xpub, key.branch), start, count))
    yield receiveAddress(key, child);
}

function receiveAddress(key: ReceiveKey, { index, publicKey }: ChildKey): ReceiveAddress {
  const network = bitcoinjsNetwork(key.currency, key.network);
  const { output: script, address } = publicKeyPayment(key.scriptType, publicKey, network);
  if (script === undefined || address === undefined)
    throw new Error(`bitcoinjs-lib returned no script or address at index ${index}`);
  return { index, script, address };
}

function branchNode(xpub: string, branch: number): HDKey {
  return HDKey.fromExtendedKey(xpub, { private: 0, public: CANONICAL_XPUB_VERSION }).deriveChild(branch);
}

/** A key below a branch with its actual index. */
export interface ChildKey {
  readonly index: number;
  readonly publicKey: Uint8Array;
}

/** A key that can derive unhardened children; it may skip an index without a valid key (BIP 32). */
export interface ParentKey {
  deriveChild(index: number): { readonly index: number; readonly publicKey: Uint8Array | null };
}

/** The next `count` children from `start` on; continues after the replacement of a skipped index. */
export function* childrenOf(parent: ParentKey, start: number, count: number): Generator<ChildKey> {
  let next = start;
  for (let derived = 0; derived < count; derived += 1) {
    if (!Number.isInteger(next) || next < 0 || next >= HARDENED_OFFSET) {
      throw new RangeError(`address index ${next} is not between 0 and 2147483647`);
    }
    const { index, publicKey } = parent.deriveChild(next);
    if (publicKey === null) throw new Error(`child ${index} has no public key`);
    yield { index, publicKey };
    next = index + 1;
  }
}

/** The position of a script in a wallet. */
export interface AddressMatch {
  readonly index: number;
  readonly branch: number;
  readonly scriptType: ScriptType;
  /** Whether it is a receive address of the wallet as registered: same branch and same script type. */
  readonly isReceiveAddress: boolean;
}

/** The branches that wallets use: receive and change (BIP 44). */
const USUAL_BRANCHES = [0, 1] as const;

/**
 * Searches a script among `count` indexes from `start` on, under every script type: first in the wallet's own branch, then in
 * the usual ones, so that a merchant with a wrong setting can be shown the right one. Null if it is not found. Takes about 1 ms
 * for each index and branch, so keep `count` small.
 */
export function findAddress(
  key: ReceiveKey,
  script: Uint8Array,
  start: number,
  count: number,
): AddressMatch | null {
  for (const branch of new Set([key.branch, ...USUAL_BRANCHES])) {
    const children = childrenOf(branchNode(key.xpub, branch), start, count);
    const found = findAmong(children, script);
    if (found !== null) {
      const isReceiveAddress = branch === key.branch && found.scriptType === key.scriptType;
      return { ...found, branch, isReceiveAddress };
    }
  }
  return null;
}

function findAmong(
  children: Iterable<ChildKey>,
  script: Uint8Array,
): { readonly index: number; readonly scriptType: ScriptType } | null {
  const wanted = Buffer.from(script);
  for (const { index, publicKey } of children) {
    const pays = (type: ScriptType) =>
      wanted.equals(publicKeyPayment(type, publicKey).output ?? Buffer.alloc(0));
    const scriptType = SCRIPT_TYPES.find(pays);
    if (scriptType !== undefined) return { index, scriptType };
  }
  return null;
}
