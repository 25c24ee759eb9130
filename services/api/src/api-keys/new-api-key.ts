import { randomBase58, sha256 } from '@paywatch/runtime/security';

/** A fresh key: the token is for its owner alone, the hash (SHA-256 of the secret part) is what is kept. */
export function newApiKey(): { keyPublic: string; token: string; secretHash: Buffer } {
  const keyPublic = randomBase58(9);
  const secret = randomBase58(32);
  return { keyPublic, token: `pw_${keyPublic}_${secret}`, secretHash: sha256(secret) };
}
