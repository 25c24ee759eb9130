import { inTransaction } from '../../postgres/database.ts';
import type { Store } from '../../store.ts';
import type { Authorize, SessionCredential } from '../authorize.ts';
import { lockAccount } from '../lock-account.ts';
import { assertRoom } from './change-factors.ts';
import { storePasskeyChallenge } from './passkey-challenges.ts';
import { listPasskeys, type PasskeyCredential } from './passkeys.ts';

/** Who a new passkey is for. `userId`: random, the same for all passkeys of the account. */
export type PasskeyOwner = { userId: string; email: string; passkeys: PasskeyCredential[] };

/** A request for a new passkey. `passwordHash`: what the caller's password was checked against. */
type NewPasskeyChallenge = { caller: SessionCredential; passwordHash: string; hash: Uint8Array };

/** Stores the challenge for a new passkey. Null if the password was changed meanwhile. Throws AppError `too_many_factors`. */
export async function startPasskey(
  store: Pick<Store, 'sql'>,
  authorize: Authorize,
  { caller, passwordHash, hash }: NewPasskeyChallenge,
): Promise<PasskeyOwner | null> {
  const { accountId } = caller;
  return inTransaction(store, async (tx) => {
    const account = await lockAccount(tx, accountId);
    await authorize(tx);
    if (account.passwordHash !== passwordHash) return null;
    await assertRoom(tx, accountId);
    await storePasskeyChallenge(tx, { hash, purpose: 'add', caller });
    const [owner] = await tx<{ userId: string }[]>`
      update accounts set passkey_user_id = coalesce(passkey_user_id, gen_random_uuid()) where id = ${accountId}
      returning passkey_user_id as "userId"`;
    if (!owner) throw new Error(`locked account ${accountId} not found`);
    return { ...owner, email: account.email, passkeys: await listPasskeys({ sql: tx }, accountId) };
  });
}

/** Stores the challenge for a passkey that is given again. Returns the passkeys of the account, none if there are none. */
export async function challengeReauthentication(
  store: Pick<Store, 'sql'>,
  authorize: Authorize,
  caller: SessionCredential,
  hash: Uint8Array,
): Promise<PasskeyCredential[]> {
  return inTransaction(store, async (tx) => {
    await authorize(tx);
    const passkeys = await listPasskeys({ sql: tx }, caller.accountId);
    if (passkeys.length > 0) await storePasskeyChallenge(tx, { hash, purpose: 'reauthenticate', caller });
    return passkeys;
  });
}
