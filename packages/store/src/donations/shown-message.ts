import type { TransactionSql } from '../postgres/database.ts';

/**
 * The message of invoice `i` as overlays and moderators get it: null if its transaction paid less than the minimum that the project sets
 * for messages. The invoice keeps the message.
 */
export function shownMessage(tx: TransactionSql, amount: bigint) {
  return tx`case when ${amount}::bigint >= coalesce((
      select (p.donation_page ->> ('min_message_' || lower(i.currency)))::bigint from projects p where p.id = i.project_id), 0)
    then i.donor_message end`;
}
