import { createHash, createHmac, pbkdf2Sync } from 'node:crypto';

/** The default of Postgres. */
const SCRAM_ROUNDS = 4096;

/**
 * The SCRAM-SHA-256 verifier that Postgres stores for a password (RFC 5803, RFC 7677). `salt` is 16 random bytes in base64. For
 * ASCII passwords only: others would need SASLprep.
 */
export function scramVerifier(password: string, salt: string): string {
  if (!/^[\x20-\x7e]+$/.test(password)) throw new Error('passwords of roles must be printable ASCII');
  const salted = pbkdf2Sync(password, Buffer.from(salt, 'base64'), SCRAM_ROUNDS, 32, 'sha256');
  const keyOf = (purpose: string): Buffer => createHmac('sha256', salted).update(purpose).digest();
  const storedKey = createHash('sha256').update(keyOf('Client Key')).digest('base64');
  return `SCRAM-SHA-256$${SCRAM_ROUNDS}:${salt}$${storedKey}:${keyOf('Server Key').toString('base64')}`;
}

/** Whether a stored verifier is that of the password. False for other kinds of verifiers. */
export function matchesVerifier(password: string, verifier: string): boolean {
  const salt = new RegExp(`^SCRAM-SHA-256\\$${SCRAM_ROUNDS}:([^$]+)\\$`).exec(verifier)?.[1];
  return salt !== undefined && scramVerifier(password, salt) === verifier;
}
