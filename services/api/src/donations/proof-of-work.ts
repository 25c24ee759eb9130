import type { Clock } from '@paywatch/runtime/process';
import { randomToken } from '@paywatch/runtime/security';
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { Dependencies } from '../dependencies.ts';

export type ProofRules = {
  /** Key of the MAC in a challenge. */
  donationProofKey: Buffer;
  /** Least difficulty, in leading zero bits. */
  difficulty: number;
  clock: Clock;
};

/** Long enough to fill in a form. */
const LIFETIME_SECONDS = 600;
const ID_BYTES = 16;
const MAC_BYTES = 12;

/** The rules of this deployment. */
export function proofRules({
  config,
  donationProofKey,
  clock,
}: Pick<Dependencies, 'config' | 'donationProofKey' | 'clock'>): ProofRules {
  return { donationProofKey, difficulty: config.env.DONATION_PROOF_BITS, clock };
}

/** Creates a challenge for a donation link: its expiry, random bytes, and a MAC over both and the link. Nothing is stored. */
export function newChallenge(
  donateToken: string,
  { donationProofKey, clock }: ProofRules,
): { challenge: string; expiresAtMs: number } {
  const expiresAt = Math.floor(clock.nowMs() / 1000) + LIFETIME_SECONDS;
  const id = Buffer.from(randomToken(ID_BYTES), 'base64url');
  id.writeUInt32BE(expiresAt);
  const challenge = Buffer.concat([id, macOf(id, donateToken, donationProofKey)]).toString('base64url');
  return { challenge, expiresAtMs: expiresAt * 1000 };
}

/**
 * Returns the challenge id of a solution, or null if there is none or it is invalid: forged, for another link, expired or too easy. The
 * statement that creates the donation checks whether it was used before and is hard enough for the addresses left.
 */
export function checkProof(
  proof: string | null | undefined,
  donateToken: string,
  { donationProofKey, difficulty, clock }: ProofRules,
): { id: Buffer; expiresAtMs: number; extraBits: number } | null {
  if (proof === null || proof === undefined) return null;
  const challenge = Buffer.from(proof.split('.')[0] ?? '', 'base64url');
  const [id, mac] = [challenge.subarray(0, ID_BYTES), challenge.subarray(ID_BYTES)];
  if (mac.length !== MAC_BYTES || !timingSafeEqual(mac, macOf(id, donateToken, donationProofKey)))
    return null;
  const expiresAtMs = id.readUInt32BE() * 1000;
  const extraBits = leadingZeroBits(proof) - difficulty;
  return clock.nowMs() < expiresAtMs && extraBits >= 0 ? { id, expiresAtMs, extraBits } : null;
}

function macOf(id: Buffer, donateToken: string, key: Buffer): Buffer {
  return createHmac('sha256', key).update(id).update(donateToken).digest().subarray(0, MAC_BYTES);
}

/** Counts the leading zero bits of the proof's SHA-256, up to 32. */
function leadingZeroBits(proof: string): number {
  return Math.clz32(createHash('sha256').update(proof).digest().readUInt32BE());
}
