import { AppError } from '@paywatch/domain/requests';
import { queueNotice } from '../../mails/queue-notice.ts';
import { inTransaction, type TransactionSql } from '../../postgres/database.ts';
import { forgetCredentials } from '../../redis/credential-cache.ts';
import type { Store } from '../../store.ts';
import { writeAudit, type Actor } from '../audit.ts';
import { noteReauthentication, type Authorize, type SessionCredential } from '../authorize.ts';
import { lockAccount } from '../lock-account.ts';
import { deleteSessions } from '../sessions.ts';
import {
  UNCONFIRMED_MINUTES,
  columns,
  deleteSecondFactors,
  useSecondFactor,
  type FactorProof,
  type FactorSecret,
  type SecondFactor,
} from './factors.ts';

/** The maximum number of confirmed second factors of an account. */
const MAX_SECOND_FACTORS = 5;

/** A factor to add. `publicId` is chosen by the caller, because the secret is sealed for it. */
export type NewFactor = {
  accountId: bigint;
  /** The hash that the caller's password was checked against. */
  passwordHash: string;
  publicId: string;
  name: string;
  secretSealed: Uint8Array;
};

/**
 * Adds a factor, which protects nothing until it is confirmed, in place of an earlier unconfirmed one. Returns false if the password
 * was changed meanwhile. Throws AppError `too_many_factors`.
 */
export async function addSecondFactor(
  store: Pick<Store, 'sql'>,
  authorize: Authorize,
  { accountId, passwordHash, publicId, name, secretSealed }: NewFactor,
): Promise<boolean> {
  return inTransaction(store, async (tx) => {
    const account = await lockAccount(tx, accountId);
    await authorize(tx);
    if (account.passwordHash !== passwordHash) return false;
    await assertRoom(tx, accountId);
    await tx`delete from second_factors where account_id = ${accountId} and confirmed_at is null`;
    await tx`
      insert into second_factors (public_id, account_id, name, secret_sealed)
      values (${publicId}, ${accountId}, ${name}, ${secretSealed})`;
    return true;
  });
}

/** Throws AppError `too_many_factors`. */
export async function assertRoom(tx: TransactionSql, accountId: bigint): Promise<void> {
  if ((await countFactors(tx, accountId)) >= MAX_SECOND_FACTORS) throw new AppError('too_many_factors');
}

async function countFactors(tx: TransactionSql, accountId: bigint): Promise<number> {
  const [row] = await tx<{ count: number }[]>`
    select count(*)::int as count from second_factors
    where account_id = ${accountId} and confirmed_at is not null`;
  return row?.count ?? 0;
}

/** Reads a factor that waits to be confirmed. Null if the account has no such factor. */
export async function findUnconfirmedFactor(
  { sql }: Pick<Store, 'sql'>,
  accountId: bigint,
  publicId: string,
): Promise<FactorSecret | null> {
  const [factor] = await sql<FactorSecret[]>`
    select id as "factorId", public_id as "publicId", secret_sealed as "secretSealed"
    from second_factors
    where account_id = ${accountId} and public_id = ${publicId} and confirmed_at is null
      and created_at > now() - make_interval(mins => ${UNCONFIRMED_MINUTES})`;
  return factor ?? null;
}

/**
 * A code of a factor that waits to be confirmed. `codeHashes`: the SHA-256 of new recovery codes. `network`: where the code was
 * entered.
 */
export type Confirmation = {
  caller: SessionCredential;
  factorId: bigint;
  step: number;
  codeHashes: readonly Uint8Array[];
  network: string;
};

/** A confirmed factor, and whether the recovery codes were stored: only with the first factor. */
export type ConfirmedFactor = { factor: SecondFactor; hasNewCodes: boolean };

/**
 * Confirms a factor, which from then on protects the account. Null if it was confirmed or deleted meanwhile. Throws AppError
 * `too_many_factors` if others were added meanwhile.
 */
export async function confirmSecondFactor(
  store: Pick<Store, 'sql'>,
  authorize: Authorize,
  { caller, factorId, step, codeHashes, network }: Confirmation,
): Promise<ConfirmedFactor | null> {
  const { accountId } = caller;
  return inTransaction(store, async (tx) => {
    await lockAccount(tx, accountId);
    const actor = await authorize(tx);
    await assertRoom(tx, accountId);
    const [factor] = await tx<SecondFactor[]>`
      update second_factors set confirmed_at = now(), last_step = ${step}, last_used_at = now()
      where id = ${factorId} and account_id = ${accountId} and confirmed_at is null
      returning ${columns(tx)}`;
    if (!factor) return null;
    return noteAdded(tx, actor, factor, { caller, codeHashes, network });
  });
}

/** What the account gets with a new factor. `codeHashes`: the SHA-256 of new recovery codes. */
export type Protection = Pick<Confirmation, 'caller' | 'codeHashes' | 'network'>;

/** Completes the addition of a factor in its transaction: recovery codes with the first one, audit log, notice. */
export async function noteAdded(
  tx: TransactionSql,
  actor: Actor,
  factor: SecondFactor,
  { caller, codeHashes, network }: Protection,
): Promise<ConfirmedFactor> {
  const { accountId } = caller;
  const isFirst = (await countFactors(tx, accountId)) === 1;
  if (isFirst) {
    await storeRecoveryCodes(tx, accountId, codeHashes);
    // Each known network may try codes of its own, and the others gave the password only.
    await forgetOtherOrigins(tx, accountId, network);
  }
  await noteReauthentication(tx, caller);
  await noteChange(tx, accountId, 'added', actor, factor);
  return { factor, hasNewCodes: isFirst };
}

async function forgetOtherOrigins(tx: TransactionSql, accountId: bigint, origin: string): Promise<void> {
  await tx`delete from login_origins where account_id = ${accountId} and origin <> ${origin}`;
}

async function storeRecoveryCodes(
  tx: TransactionSql,
  accountId: bigint,
  codeHashes: readonly Uint8Array[],
): Promise<void> {
  await tx`delete from recovery_codes where account_id = ${accountId}`;
  for (const codeHash of codeHashes)
    await tx`insert into recovery_codes (account_id, code_hash) values (${accountId}, ${codeHash})`;
}

/** Writes the audit log, and a notice to the owner. */
async function noteChange(
  tx: TransactionSql,
  accountId: bigint,
  change: 'added' | 'removed',
  actor: Actor,
  { kind, name }: Pick<SecondFactor, 'kind' | 'name'>,
): Promise<void> {
  await writeAudit(tx, { accountId, action: `second_factor.${change}`, actor, detail: { name, kind } });
  const noticed = kind === 'passkey' ? (`passkey_${change}` as const) : change;
  await queueNotice(tx, { accountId }, { kind: 'second_factor_changed', data: { change: noticed, name } });
}

/** Renames a factor. Null if the account has no such factor. */
export async function renameSecondFactor(
  store: Pick<Store, 'sql'>,
  authorize: Authorize,
  { accountId, publicId, name }: { accountId: bigint; publicId: string; name: string },
): Promise<SecondFactor | null> {
  return inTransaction(store, async (tx) => {
    await lockAccount(tx, accountId);
    const actor = await authorize(tx);
    const [factor] = await tx<(SecondFactor & { before: string })[]>`
      update second_factors f set name = ${name} from second_factors old
      where f.account_id = ${accountId} and f.public_id = ${publicId} and f.confirmed_at is not null and old.id = f.id
      returning f.public_id as "publicId", f.kind, f.name, f.created_at as "createdAt",
        f.last_used_at as "lastUsedAt", old.name as before`;
    if (!factor) return null;
    const change = { before: { name: factor.before }, after: { name } };
    await writeAudit(tx, { accountId, action: 'second_factor.renamed', actor, ...change });
    return factor;
  });
}

/** Removes a factor; with the last one, the recovery codes go, too. Returns false if the account has no such factor. */
export async function removeSecondFactor(
  store: Pick<Store, 'sql'>,
  authorize: Authorize,
  accountId: bigint,
  publicId: string,
): Promise<boolean> {
  return inTransaction(store, async (tx) => {
    await lockAccount(tx, accountId);
    const actor = await authorize(tx);
    const [factor] = await tx<Pick<SecondFactor, 'kind' | 'name'>[]>`
      delete from second_factors
      where account_id = ${accountId} and public_id = ${publicId} and confirmed_at is not null
      returning kind, name`;
    if (!factor) return false;
    if ((await countFactors(tx, accountId)) === 0) await deleteSecondFactors(tx, accountId);
    await noteChange(tx, accountId, 'removed', actor, factor);
    return true;
  });
}

/** Replaces the recovery codes. Returns false if the account has no second factor. */
export async function replaceRecoveryCodes(
  store: Pick<Store, 'sql'>,
  authorize: Authorize,
  accountId: bigint,
  codeHashes: readonly Uint8Array[],
): Promise<boolean> {
  return inTransaction(store, async (tx) => {
    await lockAccount(tx, accountId);
    const actor = await authorize(tx);
    if ((await countFactors(tx, accountId)) === 0) return false;
    await storeRecoveryCodes(tx, accountId, codeHashes);
    await writeAudit(tx, { accountId, action: 'recovery_codes.replaced', actor });
    await queueNotice(
      tx,
      { accountId },
      { kind: 'second_factor_changed', data: { change: 'codes_replaced' } },
    );
    return true;
  });
}

/**
 * Uses a second factor up for a session, which may make changes until the returned time. Null if the factor was used or removed
 * meanwhile.
 */
export async function reauthenticate(
  store: Pick<Store, 'sql'>,
  authorize: Authorize,
  caller: SessionCredential,
  proof: FactorProof,
): Promise<Date | null> {
  const { accountId } = caller;
  return inTransaction(store, async (tx) => {
    await lockAccount(tx, accountId);
    const actor = await authorize(tx);
    if (!(await useSecondFactor(tx, accountId, proof))) return null;
    const validUntil = await noteReauthentication(tx, caller);
    // The mail is the last lock: otherwise another change of the same session could deadlock with this one.
    if (proof.kind === 'recovery_code') await noteRecoveryCode(tx, accountId, actor);
    return validUntil;
  });
}

/** Writes the audit log and a notice about a used recovery code. */
export async function noteRecoveryCode(tx: TransactionSql, accountId: bigint, actor: Actor): Promise<void> {
  await writeAudit(tx, { accountId, action: 'recovery_code.used', actor });
  await queueNotice(tx, { accountId }, { kind: 'second_factor_changed', data: { change: 'code_used' } });
}

/**
 * Removes all second factors of an account whose owner has lost them, and ends all sessions, before it resolves: a session on a lost
 * device could otherwise make changes without a code. For the operator, who gives a reason. Returns the number of factors. Safe to repeat.
 */
export async function resetSecondFactors(store: Store, accountId: bigint, reason: string): Promise<number> {
  const reset = await inTransaction(store, async (tx) => {
    await lockAccount(tx, accountId);
    const removed = await deleteSecondFactors(tx, accountId);
    if (removed === 0) return { removed, sessions: [] as string[] };
    const detail = { removed, reason };
    const sessions = await deleteSessions(tx, accountId);
    await writeAudit(tx, { accountId, action: 'second_factors.reset', actor: 'operator', detail });
    await queueNotice(tx, { accountId }, { kind: 'second_factor_changed', data: { change: 'reset' } });
    return { removed, sessions };
  });
  await forgetCredentials(store, { sessions: reset.sessions });
  return reset.removed;
}
