import type { SealedPlace } from '@paywatch/runtime/security';
import type { Fragment } from 'postgres';
import type { AnySql, TransactionSql } from '../../postgres/database.ts';

/** How long a factor waits to be confirmed. */
export const UNCONFIRMED_MINUTES = 30;

/** A confirmed second factor. */
export type SecondFactor = {
  publicId: string;
  kind: 'totp' | 'passkey';
  name: string;
  createdAt: Date;
  lastUsedAt: Date | null;
};

/** The second factors of an account, oldest first, and its number of unused recovery codes. */
export type SecondFactors = { factors: SecondFactor[]; recoveryCodesLeft: number };

/** Lists the confirmed second factors of an account. */
export async function listSecondFactors({ sql }: { sql: AnySql }, accountId: bigint): Promise<SecondFactors> {
  const factors = await sql<SecondFactor[]>`
    select ${columns(sql)} from second_factors
    where account_id = ${accountId} and confirmed_at is not null order by id`;
  const [codes] = await sql<{ left: number }[]>`
    select count(*)::int as left from recovery_codes where account_id = ${accountId}`;
  return { factors, recoveryCodesLeft: codes?.left ?? 0 };
}

/** The columns of a SecondFactor. */
export function columns(sql: AnySql): Fragment {
  return sql`public_id as "publicId", kind, name, created_at as "createdAt", last_used_at as "lastUsedAt"`;
}

/** Whether the account with this id (an SQL expression) has a second factor that protects it. */
export function hasSecondFactor(sql: AnySql, accountId: Fragment): Fragment {
  return sql`exists (
    select from second_factors f where f.account_id = ${accountId} and f.confirmed_at is not null)`;
}

/** An authenticator app whose codes can be checked. */
export type FactorSecret = { factorId: bigint; publicId: string; secretSealed: Buffer };

/** Reads the sealed secrets of an account's confirmed authenticator apps. */
export async function readFactorSecrets(
  { sql }: { sql: AnySql },
  accountId: bigint,
): Promise<FactorSecret[]> {
  return sql<FactorSecret[]>`
    select id as "factorId", public_id as "publicId", secret_sealed as "secretSealed"
    from second_factors
    where account_id = ${accountId} and kind = 'totp' and confirmed_at is not null order by id`;
}

/** The place that the secret of a factor is sealed for, so that it opens nowhere else. */
export function factorSecretPlace(publicId: string): SealedPlace {
  return { table: 'second_factors', column: 'secret_sealed', row: publicId };
}

/**
 * What was given as a second factor, already checked against its secret or public key: the time step of a code, the signature counter
 * of a passkey, or a recovery code.
 */
export type FactorProof =
  | { kind: 'totp'; factorId: bigint; step: number }
  | { kind: 'passkey'; factorId: bigint; counter: number }
  | { kind: 'recovery_code'; codeHash: Uint8Array };

/**
 * Uses a second factor up. Returns false if its code, or a later one, was used before, if the counter of the passkey did not grow, if
 * the recovery code is unknown, or if the factor was removed meanwhile. Two uses at once wait for each other, and one is refused.
 */
export async function useSecondFactor(
  tx: TransactionSql,
  accountId: bigint,
  proof: FactorProof,
): Promise<boolean> {
  const used = await tx`${statementOf(tx, accountId, proof)}`;
  return used.count === 1;
}

function statementOf(tx: TransactionSql, accountId: bigint, proof: FactorProof): Fragment {
  if (proof.kind === 'totp') return useCode(tx, accountId, proof);
  if (proof.kind === 'passkey') return usePasskey(tx, accountId, proof);
  return tx`
    delete from recovery_codes
    where account_id = ${accountId} and code_hash = ${proof.codeHash}
      and ${hasSecondFactor(tx, tx`${accountId}::bigint`)}`;
}

function useCode(
  tx: TransactionSql,
  accountId: bigint,
  { factorId, step }: { factorId: bigint; step: number },
): Fragment {
  return tx`
    update second_factors set last_step = ${step}, last_used_at = now()
    where id = ${factorId} and account_id = ${accountId} and confirmed_at is not null
      and (last_step is null or last_step < ${step})`;
}

/** A counter that does not grow means a copied passkey; synced ones do not count and send 0. */
function usePasskey(
  tx: TransactionSql,
  accountId: bigint,
  { factorId, counter }: { factorId: bigint; counter: number },
): Fragment {
  return tx`
    with counted as (
      update passkeys set counter = ${counter}
      where factor_id = ${factorId} and (counter < ${counter} or (counter = 0 and ${counter}::bigint = 0))
      returning factor_id
    )
    update second_factors set last_used_at = now()
    from counted where id = counted.factor_id and account_id = ${accountId}`;
}

/** Deletes all second factors and recovery codes of an account, and its unfinished logins. Returns the number of confirmed factors. */
export async function deleteSecondFactors(tx: TransactionSql, accountId: bigint): Promise<number> {
  await tx`delete from recovery_codes where account_id = ${accountId}`;
  await tx`delete from login_challenges where account_id = ${accountId}`;
  const factors = await tx<{ isConfirmed: boolean }[]>`
    delete from second_factors where account_id = ${accountId} returning confirmed_at is not null as "isConfirmed"`;
  return factors.filter(({ isConfirmed }) => isConfirmed).length;
}
