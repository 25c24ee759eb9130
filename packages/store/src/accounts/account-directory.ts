import type { AnySql } from '../postgres/database.ts';
import type { AccountIds } from '../subscriptions/subscriptions.ts';
import { endOfSession } from './sessions.ts';

/**
 * Finds an account by email (trimmed, lower-cased), with that of its projects that has this id, its first one if null. Null if unknown.
 * For the operator.
 */
export async function findAccount(
  { sql }: { sql: AnySql },
  email: string,
  projectId: string | null = null,
): Promise<AccountIds | null> {
  const [row] = await sql<AccountIds[]>`
    select a.id as "accountId", p.id as "projectId"
    from accounts a join projects p on p.account_id = a.id where a.email = ${email}
      and p.public_id = coalesce(${projectId}::text, p.public_id)
    order by p.id limit 1`;
  return row ?? null;
}

/** Returns the email of the account that owns a project. Throws if there is no such project. */
export async function findProjectEmail({ sql }: { sql: AnySql }, projectId: bigint): Promise<string> {
  const [row] = await sql<{ email: string }[]>`
    select a.email from accounts a join projects p on p.account_id = a.id where p.id = ${projectId}`;
  if (!row) throw new Error(`project ${projectId} has no account`);
  return row.email;
}

/** An account in the operator's list. */
export type AccountSummary = {
  email: string;
  /** Empty until it is set. */
  projectName: string;
  registeredAt: Date;
  subscriptionActiveUntil: Date | null;
  isSubscriptionActive: boolean;
};

/** A null filter matches everything. `after`: the email of the last account of the previous page. */
export type AccountPage = { limit: number; after: string | null; isSubscriptionActive: boolean | null };

/** Lists accounts with their first projects, newest first. Empty if no account has the email of `after`. */
export async function listAccounts(
  { sql }: { sql: AnySql },
  { limit, after, isSubscriptionActive }: AccountPage,
): Promise<AccountSummary[]> {
  return sql<AccountSummary[]>`
    select a.email, p.name as "projectName", a.created_at as "registeredAt",
      p.subscription_active_until as "subscriptionActiveUntil",
      coalesce(p.subscription_active_until > now(), false) as "isSubscriptionActive"
    from accounts a join projects p on p.id = (select min(o.id) from projects o where o.account_id = a.id)
    where a.deleted_at is null and (${after}::text is null or a.id < (select id from accounts where email = ${after}))
      and (${isSubscriptionActive}::boolean is null
        or coalesce(p.subscription_active_until > now(), false) = ${isSubscriptionActive})
    order by a.id desc
    limit ${limit}`;
}

/** A subscription in the operator's list. */
export type SubscriptionSummary = { email: string; activeUntil: Date };

/** Lists active subscriptions, the earliest end first; `endingWithinDays` leaves out later ends. */
export async function listSubscriptions(
  { sql }: { sql: AnySql },
  { limit, endingWithinDays }: { limit: number; endingWithinDays: number | null },
): Promise<SubscriptionSummary[]> {
  return sql<SubscriptionSummary[]>`
    select a.email, p.subscription_active_until as "activeUntil"
    from projects p join accounts a on a.id = p.account_id
    where p.subscription_active_until > now()
      and (${endingWithinDays}::int is null
        or p.subscription_active_until <= now() + make_interval(days => ${endingWithinDays}::int))
    order by p.subscription_active_until, p.id
    limit ${limit}`;
}

/** Counts the open sessions of an account: those that were used within the last `idleSeconds` and have not expired. */
export async function countSessions(
  { sql }: { sql: AnySql },
  accountId: bigint,
  idleSeconds: number,
): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count from sessions s
    where account_id = ${accountId} and ${endOfSession(sql, idleSeconds)} > now()`;
  return row?.count ?? 0;
}
