import type { ScriptType } from './chains.ts';
import { hash160 } from './hashes.ts';

// The opcodes of standard scripts.
const OP_1 = 0x51;
const OP_DUP = 0x76;
const OP_EQUAL = 0x87;
const OP_EQUALVERIFY = 0x88;
const OP_HASH160 = 0xa9;
const OP_CHECKSIG = 0xac;

/** The scriptPubKey that pays a compressed public key at an address of this type (BIP 44, 49, 84). */
export function publicKeyScript(scriptType: ScriptType, publicKey: Uint8Array): Uint8Array {
  return SCRIPT_OF_KEY_HASH[scriptType](hash160(publicKey));
}

const SCRIPT_OF_KEY_HASH: Readonly<Record<ScriptType, (hash: Uint8Array) => Uint8Array>> = {
  p2pkh: pubKeyHashScript,
  p2sh_p2wpkh: (hash) => scriptHashScript(hash160(witnessScript(0, hash))),
  p2wpkh: (hash) => witnessScript(0, hash),
};

/** P2PKH, from the 20-byte hash of a public key. */
export function pubKeyHashScript(hash: Uint8Array): Uint8Array {
  return Uint8Array.of(OP_DUP, OP_HASH160, hash.length, ...hash, OP_EQUALVERIFY, OP_CHECKSIG);
}

/** P2SH, from the 20-byte hash of a redeem script (BIP 16). */
export function scriptHashScript(hash: Uint8Array): Uint8Array {
  return Uint8Array.of(OP_HASH160, hash.length, ...hash, OP_EQUAL);
}

/** A witness program of this version: P2WPKH, P2WSH or P2TR by its version and length (BIP 141, BIP 341). */
export function witnessScript(version: number, program: Uint8Array): Uint8Array {
  return Uint8Array.of(version === 0 ? 0 : OP_1 + version - 1, program.length, ...program);
}

/** A scriptPubKey that has an address, taken apart; `witness_v0` is P2WPKH or P2WSH by the length of its hash. */
export interface ScriptParts {
  readonly type: 'p2pkh' | 'p2sh' | 'witness_v0' | 'p2tr';
  readonly hash: Uint8Array;
}

/** Takes a standard scriptPubKey apart; null for every other script. */
export function splitScript(script: Uint8Array): ScriptParts | null {
  const [first, second, third] = script;
  if (script.length === 25 && first === OP_DUP && second === OP_HASH160 && third === 20) {
    const isWhole = script[23] === OP_EQUALVERIFY && script[24] === OP_CHECKSIG;
    return isWhole ? { type: 'p2pkh', hash: script.slice(3, 23) } : null;
  }
  if (script.length === 23 && first === OP_HASH160 && second === 20 && script[22] === OP_EQUAL) {
    return { type: 'p2sh', hash: script.slice(2, 22) };
  }
  if (second !== script.length - 2) return null;
  const hash = script.slice(2);
  if (first === 0 && (hash.length === 20 || hash.length === 32)) return { type: 'witness_v0', hash };
  return first === OP_1 && hash.length === 32 ? { type: 'p2tr', hash } : null;
}
