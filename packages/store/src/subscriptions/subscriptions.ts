import { writeAudit, type Actor } from '../accounts/audit.ts';
import type { Authorize } from '../accounts/authorize.ts';
import { inTransaction, type TransactionSql } from '../postgres/database.ts';
import type { Store } from '../store.ts';

/** An account and its project. */
export type AccountIds = { accountId: bigint; projectId: bigint };

/** `days` extend an active subscription; `until` sets its end. */
export type SubscriptionTerm = { days: number } | { until: Date };

/** The end before and after; null: it was never active. */
export type SubscriptionChange = { before: Date | null; after: Date | null };

/** Grants a subscription and writes the audit log. Not safe to repeat with `days`: each call adds them. */
export async function grantSubscription(
  store: Pick<Store, 'sql'>,
  authorize: Authorize,
  subscriber: AccountIds,
  term: SubscriptionTerm,
): Promise<SubscriptionChange> {
  return inTransaction(store, async (tx) => {
    const actor = await authorize(tx);
    const before = await lockSubscription(tx, subscriber);
    const [row] = await tx<{ after: Date }[]>`
      update projects set subscription_active_until = ${endOf(tx, term)} where id = ${subscriber.projectId}
      returning subscription_active_until as after`;
    return recordChange(tx, subscriber, { before, after: row?.after ?? null }, actor);
  });
}

/** Ends an active subscription now and writes the audit log; one that has ended is left unchanged. Safe to repeat. */
export async function endSubscription(
  store: Pick<Store, 'sql'>,
  authorize: Authorize,
  subscriber: AccountIds,
): Promise<SubscriptionChange> {
  return inTransaction(store, async (tx) => {
    const actor = await authorize(tx);
    const before = await lockSubscription(tx, subscriber);
    const [row] = await tx<{ after: Date }[]>`
      update projects set subscription_active_until = date_trunc('milliseconds', now())
      where id = ${subscriber.projectId} and subscription_active_until > now()
      returning subscription_active_until as after`;
    return row
      ? recordChange(tx, subscriber, { before, after: row.after }, actor)
      : { before, after: before };
  });
}

/** Serialises grants, so that two of them add up. Invoice creations do not wait. */
async function lockSubscription(tx: TransactionSql, { projectId }: AccountIds): Promise<Date | null> {
  const [row] = await tx<{ until: Date | null }[]>`
    select subscription_active_until as until from projects where id = ${projectId} for no key update`;
  return row?.until ?? null;
}

function endOf(tx: TransactionSql, term: SubscriptionTerm) {
  if ('until' in term) return tx`${term.until}::timestamptz`;
  return tx`date_trunc('milliseconds', greatest(subscription_active_until, now()) + make_interval(days => ${term.days}))`;
}

async function recordChange(
  tx: TransactionSql,
  subscriber: AccountIds,
  change: SubscriptionChange,
  actor: Actor,
): Promise<SubscriptionChange> {
  const detail = { from: change.before?.toISOString() ?? null, until: change.after?.toISOString() ?? null };
  await writeAudit(tx, { ...subscriber, action: 'subscription.changed', actor, detail });
  return change;
}
