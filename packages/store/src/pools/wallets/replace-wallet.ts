import type { Currency } from '@paywatch/domain/values';
import type { TransactionSql } from '../../postgres/database.ts';

/** A wallet that takes over, of a project that is locked. */
type NextWallet = { projectId: bigint; currency: Currency; walletId: bigint; poolId: bigint };

/** Ends the service of a project's present wallet of the currency; null if there is none. Its open invoices stay watched. */
export async function replaceServing(
  tx: TransactionSql,
  { projectId, currency }: Pick<NextWallet, 'projectId' | 'currency'>,
): Promise<{ verificationAddress: string } | null> {
  const [replaced] = await tx<{ verificationAddress: string }[]>`
    update wallets set status = 'replaced', replaced_at = now()
    where project_id = ${projectId} and currency = ${currency} and status = 'verified'
    returning verification_address as "verificationAddress"`;
  return replaced ?? null;
}

/** A project that switches between the same keys keeps one wallet for each; the audit log has all changes. */
export async function deleteReplacedWallets(
  tx: TransactionSql,
  { projectId, poolId, walletId }: Omit<NextWallet, 'currency'>,
): Promise<void> {
  await tx`
    delete from wallets
    where pool_id = ${poolId} and project_id = ${projectId} and status = 'replaced' and id <> ${walletId}`;
}

/**
 * Gives a pool that the project owns already the settings of this wallet. Used and derived addresses stay: a later start index
 * only moves the window forward.
 */
export async function applyOwnersSettings(
  tx: TransactionSql,
  { projectId, poolId, walletId }: Omit<NextWallet, 'currency'>,
): Promise<void> {
  await tx`
    update pools p set gap_limit = w.gap_limit, start_index = greatest(p.start_index, w.start_index),
      derived_until = greatest(p.derived_until, w.start_index)
    from wallets w
    where w.id = ${walletId} and p.id = ${poolId} and p.owner_project_id = ${projectId}`;
}
