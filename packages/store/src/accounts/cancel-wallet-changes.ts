import { cancelAll, type CancelledWallet } from '../pools/wallets/cancel-changes.ts';
import { inTransaction } from '../postgres/database.ts';
import type { Store } from '../store.ts';
import { ownerBy, useLink, type UsedLink } from './email-links.ts';

/**
 * Cancels all pending changes of a project's wallets, and of their delay, with the link of a mail. Null if the link is unknown, used
 * or expired.
 */
export async function cancelWalletChangesByLink(
  store: Pick<Store, 'sql'>,
  link: UsedLink,
): Promise<CancelledWallet[] | null> {
  return inTransaction(store, async (tx) => {
    const account = await useLink(tx, link.tokenHash, 'cancel_wallet_changes');
    if (account === null) return null;
    const actor = ownerBy(account, link);
    const projects = await tx<{ id: bigint }[]>`
      select id from projects where account_id = ${account.accountId} order by id`;
    const cancelled: CancelledWallet[] = [];
    for (const { id } of projects) cancelled.push(...(await cancelAll(tx, id, { actor, reason: 'mail' })));
    return cancelled;
  });
}
