import type { Currency } from '@paywatch/domain/values';
import { writeAudit, type Actor } from '../../accounts/audit.ts';
import type { Authorize } from '../../accounts/authorize.ts';
import { queueProjectMail } from '../../mails/queue-notice.ts';
import { inTransaction, type TransactionSql } from '../../postgres/database.ts';
import { lockProject } from '../../projects/lock-project.ts';
import type { Store } from '../../store.ts';
import { cancelShortening } from './wallet-delay.ts';

/** A wallet that will not take effect. */
export type CancelledWallet = { currency: Currency; verificationAddress: string };

/** Whose changes, of which currency (all by default), and why. `superseded`: another change takes their place. */
type Cancellation = { actor: Actor; currency?: Currency; reason?: string };

/** Cancels the pending change of one currency. Empty if none is pending: it may have taken effect in this moment. */
export async function cancelWalletChange(
  store: Pick<Store, 'sql'>,
  authorize: Authorize,
  projectId: bigint,
  { currency, reason }: { currency: Currency; reason?: string },
): Promise<CancelledWallet[]> {
  return inTransaction(store, async (tx) => {
    const actor = await authorize(tx);
    await lockProject(tx, projectId);
    const cancelled = await cancelChanges(tx, projectId, { actor, currency, ...(reason && { reason }) });
    await reportCancelled(tx, projectId, cancelled);
    return cancelled;
  });
}

/** Cancels whatever waits of a project: wallets and a shorter delay. */
export async function cancelAll(
  tx: TransactionSql,
  projectId: bigint,
  cancellation: Cancellation,
): Promise<CancelledWallet[]> {
  await lockProject(tx, projectId);
  await cancelShortening(tx, projectId, cancellation.actor);
  const cancelled = await cancelChanges(tx, projectId, cancellation);
  await reportCancelled(tx, projectId, cancelled);
  return cancelled;
}

/**
 * Deletes pending wallets of a locked project. The row decides between this and the moment of effect: whoever comes first leaves
 * no pending row to the other.
 */
export async function cancelChanges(
  tx: TransactionSql,
  projectId: bigint,
  { actor, currency, reason }: Cancellation,
): Promise<CancelledWallet[]> {
  const cancelled = await tx<CancelledWallet[]>`
    delete from wallets
    where project_id = ${projectId} and status = 'pending' and currency = coalesce(${currency ?? null}::text, currency)
    returning currency, verification_address as "verificationAddress"`;
  for (const wallet of cancelled) {
    const address = { verification_address: wallet.verificationAddress };
    const detail = { currency: wallet.currency, ...address, ...(reason && { reason }) };
    await writeAudit(tx, {
      projectId,
      action: 'wallet.change_cancelled',
      actor,
      detail,
      before: address,
      after: null,
    });
  }
  return cancelled;
}

async function reportCancelled(
  tx: TransactionSql,
  projectId: bigint,
  cancelled: readonly CancelledWallet[],
): Promise<void> {
  for (const { currency, verificationAddress: address } of cancelled) {
    const data = { currency, address, outcome: 'cancelled' };
    await queueProjectMail(tx, projectId, { kind: 'wallet_change_ended', data });
  }
}
