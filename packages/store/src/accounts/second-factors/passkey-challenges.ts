import type { AnySql } from '../../postgres/database.ts';
import type { PasskeyPurpose } from '../../schema/accounts/second-factors.ts';
import type { Store } from '../../store.ts';
import type { SessionCredential } from '../authorize.ts';

/** How long a passkey may take to respond. */
const CHALLENGE_SECONDS = 5 * 60;

/** A challenge. `hash`: its SHA-256. */
export type PasskeyChallenge =
  | { hash: Uint8Array; purpose: Exclude<PasskeyPurpose, 'login'>; caller: SessionCredential }
  | { hash: Uint8Array; purpose: 'login' };

/** Stores the challenge of a login whose account is not known yet. */
export async function createPasskeyLogin({ sql }: Pick<Store, 'sql'>, hash: Uint8Array): Promise<void> {
  await storePasskeyChallenge(sql, { hash, purpose: 'login' });
}

/** Stores a challenge, in place of an earlier one of the same session and purpose. */
export async function storePasskeyChallenge(sql: AnySql, challenge: PasskeyChallenge): Promise<void> {
  const { hash, purpose } = challenge;
  await sql`
    insert into passkey_challenges (challenge_hash, purpose, session_hash, expires_at)
    values (${hash}, ${purpose}, ${sessionHash(challenge)}, now() + make_interval(secs => ${CHALLENGE_SECONDS}))
    on conflict (session_hash, purpose) do update
      set challenge_hash = excluded.challenge_hash, expires_at = excluded.expires_at`;
}

/**
 * Uses a challenge up, before the response to it is checked. Returns false if it is unknown, expired or used, or belongs to another session or
 * purpose.
 */
export async function takePasskeyChallenge(
  { sql }: Pick<Store, 'sql'>,
  challenge: PasskeyChallenge,
): Promise<boolean> {
  const taken = await sql`
    delete from passkey_challenges
    where challenge_hash = ${challenge.hash} and purpose = ${challenge.purpose}
      and session_hash is not distinct from ${sessionHash(challenge)} and expires_at > now()`;
  return taken.count === 1;
}

function sessionHash(challenge: PasskeyChallenge): Buffer | null {
  return challenge.purpose === 'login' ? null : Buffer.from(challenge.caller.tokenHash, 'hex');
}
