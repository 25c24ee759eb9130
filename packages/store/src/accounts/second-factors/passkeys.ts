import { AppError } from '@paywatch/domain/requests';
import { inTransaction, type AnySql, type TransactionSql } from '../../postgres/database.ts';
import type { Store } from '../../store.ts';
import type { Authorize } from '../authorize.ts';
import { lockAccount } from '../lock-account.ts';
import { createProvedSession, type SessionTerms } from '../sessions.ts';
import { assertRoom, noteAdded, type ConfirmedFactor, type Protection } from './change-factors.ts';
import { columns, useSecondFactor, type FactorProof, type SecondFactor } from './factors.ts';

/** What a browser needs to find a passkey. */
export type PasskeyCredential = { credentialId: Buffer; transports: string[] };

/** Lists the passkeys of an account, oldest first. */
export async function listPasskeys(
  { sql }: { sql: AnySql },
  accountId: bigint,
): Promise<PasskeyCredential[]> {
  return sql<PasskeyCredential[]>`
    select p.credential_id as "credentialId", p.transports
    from second_factors f join passkeys p on p.factor_id = f.id
    where f.account_id = ${accountId} order by f.id`;
}

/** A passkey whose responses can be checked. `userId`: the name of the account in passkeys. */
export type Passkey = {
  factorId: bigint;
  accountId: bigint;
  userId: string;
  publicKey: Buffer;
};

/** Finds a passkey by its credential id; null if there is none. */
export async function findPasskey(
  { sql }: Pick<Store, 'sql'>,
  credentialId: Uint8Array,
): Promise<Passkey | null> {
  const [passkey] = await sql<Passkey[]>`
    select f.id as "factorId", f.account_id as "accountId", a.passkey_user_id as "userId", p.public_key as "publicKey"
    from passkeys p join second_factors f on f.id = p.factor_id join accounts a on a.id = f.account_id
    where p.credential_id = ${credentialId}`;
  return passkey ?? null;
}

/** A passkey to add, already checked against its challenge. `publicKey`: COSE_Key. */
export type NewPasskey = Protection & {
  name: string;
  credentialId: Uint8Array;
  publicKey: Uint8Array;
  counter: number;
  transports: readonly string[];
};

/** Adds a passkey, which protects the account at once. Throws AppError `too_many_factors` or `passkey_exists`. */
export async function addPasskey(
  store: Pick<Store, 'sql'>,
  authorize: Authorize,
  passkey: NewPasskey,
): Promise<ConfirmedFactor> {
  const { accountId } = passkey.caller;
  return inTransaction(store, async (tx) => {
    await lockAccount(tx, accountId);
    const actor = await authorize(tx);
    await assertRoom(tx, accountId);
    const factor = await insertPasskey(tx, accountId, passkey);
    return noteAdded(tx, actor, factor, passkey);
  });
}

async function insertPasskey(
  tx: TransactionSql,
  accountId: bigint,
  { name, credentialId, publicKey, counter, transports }: NewPasskey,
): Promise<SecondFactor> {
  const [factor] = await tx<(SecondFactor & { factorId: bigint })[]>`
    insert into second_factors (account_id, kind, name, confirmed_at)
    values (${accountId}, 'passkey', ${name}, now())
    returning id as "factorId", ${columns(tx)}`;
  if (!factor) throw new Error(`passkey of account ${accountId} was not inserted`);
  const inserted = await tx`
    insert into passkeys (factor_id, credential_id, public_key, counter, transports)
    values (${factor.factorId}, ${credentialId}, ${publicKey}, ${counter}, ${tx.array([...transports])}::text[])
    on conflict (credential_id) do nothing`;
  if (inserted.count === 0) throw new AppError('passkey_exists');
  return factor;
}

/** A login with a passkey alone. */
export type PasskeySession = SessionTerms & { accountId: bigint; proof: FactorProof };

/** Opens a session for a passkey that verified its user. Null if its counter did not grow or if it was removed meanwhile. */
export async function openPasskeySession(
  store: Pick<Store, 'sql'>,
  { accountId, proof, ...session }: PasskeySession,
): Promise<{ expiresAt: Date } | null> {
  return inTransaction(store, async (tx) => {
    await lockAccount(tx, accountId);
    if (!(await useSecondFactor(tx, accountId, proof))) return null;
    return createProvedSession(tx, accountId, session);
  });
}
