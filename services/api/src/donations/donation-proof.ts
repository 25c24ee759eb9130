import { randomToken } from '@paywatch/runtime/security';
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

/** What challenges are signed with, how hard they are at least (leading zero bits), and the time, epoch milliseconds. */
export type ProofRules = { donationProofKey: Buffer; difficulty: number; nowMs: () => number };

/** Long enough to fill in a form. */
const LIFETIME_SECONDS = 600;
const ID_BYTES = 16;
const MAC_BYTES = 12;

/** A challenge of a donation link: until when it holds, a random part, and a MAC over both and the link. Nothing is stored. */
export function newChallenge(
  donateToken: string,
  { donationProofKey, nowMs }: ProofRules,
): { challenge: string; expiresAtMs: number } {
  const expiresAt = Math.floor(nowMs() / 1000) + LIFETIME_SECONDS;
  const id = Buffer.from(randomToken(ID_BYTES), 'base64url');
  id.writeUInt32BE(expiresAt);
  const challenge = Buffer.concat([id, macOf(id, donateToken, donationProofKey)]).toString('base64url');
  return { challenge, expiresAtMs: expiresAt * 1000 };
}

/**
 * The id of a solution that is ours, of this link, in time and of the least difficulty; null for any other, and for none. Whether
 * it was used before, and is hard enough for what is left now, is checked by the statement that uses it.
 */
export function checkProof(
  proof: string | null | undefined,
  donateToken: string,
  { donationProofKey, difficulty, nowMs }: ProofRules,
): { id: Buffer; expiresAtMs: number; extraBits: number } | null {
  if (proof === null || proof === undefined) return null;
  const challenge = Buffer.from(proof.split('.')[0] ?? '', 'base64url');
  const [id, mac] = [challenge.subarray(0, ID_BYTES), challenge.subarray(ID_BYTES)];
  if (mac.length !== MAC_BYTES || !timingSafeEqual(mac, macOf(id, donateToken, donationProofKey)))
    return null;
  const expiresAtMs = id.readUInt32BE() * 1000;
  const extraBits = zeroBits(proof) - difficulty;
  return nowMs() < expiresAtMs && extraBits >= 0 ? { id, expiresAtMs, extraBits } : null;
}

function macOf(id: Buffer, donateToken: string, key: Buffer): Buffer {
  return createHmac('sha256', key).update(id).update(donateToken).digest().subarray(0, MAC_BYTES);
}

/** How many bits at the start of its SHA-256 are zero, of the first 32. */
function zeroBits(proof: string): number {
  return Math.clz32(createHash('sha256').update(proof).digest().readUInt32BE());
}
