import type { ScriptType } from '@paywatch/domain/chain';
import type { AuditAction } from '@paywatch/domain/contract';
import type { Currency } from '@paywatch/domain/values';
import type { Fragment } from 'postgres';
import { queueNotice } from '../../mails/queue-notice.ts';
import { type Actor, writeAudit } from '../../accounts/audit.ts';
import type { AnySql, TransactionSql } from '../../postgres/database.ts';
import type { Store } from '../../store.ts';
import { gapLimitOfWallet } from '../gap-limit.ts';
import { nextIndex } from '../pools.ts';

/** A wallet with what its pool derives addresses from. */
export type Wallet = {
  walletId: bigint;
  poolId: bigint;
  currency: Currency;
  isVerified: boolean;
  /** Whether it leases addresses now: a verified wallet may wait. */
  isServing: boolean;
  /** From when on a verified wallet serves; null for an unverified one. */
  effectiveAt: Date | null;
  xpub: string;
  scriptType: ScriptType;
  branch: number;
  derivationPath: string | null;
  verificationAddress: string;
  /** One past the highest index ever leased. */
  nextIndex: number;
  /** First index without an address in the pool. */
  derivedUntil: number;
  /** The project's own setting: indexes below it count as used. */
  startIndex: number;
  /** The effective limit: the pool's once it has an owner, otherwise the requested one. */
  gapLimit: number;
};

/**
 * The wallet that waits for verification, otherwise the one that waits to take effect, otherwise the serving one; null if the
 * project has none of the currency.
 */
export async function findWallet(
  { sql }: { sql: AnySql },
  projectId: bigint,
  currency: Currency,
): Promise<Wallet | null> {
  return selectWallet(
    sql,
    sql`
    where w.project_id = ${projectId} and w.currency = ${currency} and w.status <> 'replaced'
    order by array_position(array['unverified', 'pending', 'verified'], w.status)`,
  );
}

/** The wallet that leases addresses now; null if none is verified. */
export async function findServingWallet(
  { sql }: { sql: AnySql },
  projectId: bigint,
  currency: Currency,
): Promise<Wallet | null> {
  return selectWallet(
    sql,
    sql`
    where w.project_id = ${projectId} and w.currency = ${currency} and w.status = 'verified'`,
  );
}

async function selectWallet(sql: AnySql, pick: Fragment): Promise<Wallet | null> {
  const [wallet] = await sql<Wallet[]>`
    select w.id as "walletId", w.pool_id as "poolId", w.currency, ${walletState(sql)},
      p.xpub, p.script_type as "scriptType", p.branch, w.derivation_path as "derivationPath",
      w.verification_address as "verificationAddress", ${nextIndex(sql)} as "nextIndex",
      p.derived_until as "derivedUntil", w.start_index as "startIndex", ${gapLimitOfWallet(sql)} as "gapLimit"
    from wallets w join pools p on p.id = w.pool_id
    ${pick} limit 1`;
  return wallet ?? null;
}

/** The state of wallet `w`. */
export function walletState(sql: AnySql): Fragment {
  return sql`w.status <> 'unverified' as "isVerified", w.status = 'verified' as "isServing",
    case when w.status <> 'unverified' then coalesce(w.effective_at, w.verified_at) end as "effectiveAt"`;
}

/** The index of a derived address of the pool by its scriptPubKey; null if the pool does not have it. */
export async function findPoolIndex(
  { sql }: Pick<Store, 'sql'>,
  poolId: bigint,
  script: Uint8Array,
): Promise<number | null> {
  const [row] = await sql<{ index: number }[]>`
    select address_index as index from pool_addresses where pool_id = ${poolId} and script = ${script}`;
  return row?.index ?? null;
}

/** Writes a change of a wallet to the audit log. `replaced`: the wallet that a verified one takes over from, if any. */
export async function writeChange(
  tx: TransactionSql,
  action: AuditAction,
  wallet: { projectId: bigint; currency: Currency; verificationAddress: string },
  actor: Actor,
  replaced?: { verificationAddress: string } | null,
): Promise<void> {
  const { projectId, currency, verificationAddress } = wallet;
  const detail = { currency, verification_address: verificationAddress };
  const before = replaced && { verification_address: replaced.verificationAddress };
  const after = { verification_address: verificationAddress };
  const change = before === undefined ? {} : { before, after };
  await writeAudit(tx, { projectId, action, actor, detail, ...change });
  const noticed =
    action === 'wallet.registered' ? 'registered' : action === 'wallet.verified' ? 'verified' : null;
  if (noticed === null) return;
  const data = { currency, change: noticed, address: verificationAddress };
  await queueNotice(tx, { projectId }, { kind: 'wallet_changed', data });
}
