import type { AnySql } from '../postgres/database.ts';
import type { AccountIds } from '../subscriptions/subscriptions.ts';

/** The account with this email, trimmed and lower-cased, and its project; null for an unknown one. For the operator. */
export async function findAccount({ sql }: { sql: AnySql }, email: string): Promise<AccountIds | null> {
  const [row] = await sql<AccountIds[]>`
    select a.id as "accountId", p.id as "projectId"
    from accounts a join projects p on p.account_id = a.id where a.email = ${email}`;
  return row ?? null;
}

/** The email of the account that a project belongs to. Throws when there is no such project. */
export async function findProjectEmail({ sql }: { sql: AnySql }, projectId: bigint): Promise<string> {
  const [row] = await sql<{ email: string }[]>`
    select a.email from accounts a join projects p on p.account_id = a.id where p.id = ${projectId}`;
  if (!row) throw new Error('a project belongs to an account');
  return row.email;
}

/** An account as the operator lists it. */
export type AccountSummary = {
  email: string;
  /** Empty until it is set. */
  projectName: string;
  registeredAt: Date;
  subscriptionActiveUntil: Date | null;
  isSubscriptionActive: boolean;
};

/** What is null does not matter. `after`: the email of the last account of the page before. */
export type AccountPage = { limit: number; after: string | null; isSubscriptionActive: boolean | null };

/** Accounts, newest first. Empty after an email that no account has. */
export async function listAccounts(
  { sql }: { sql: AnySql },
  { limit, after, isSubscriptionActive }: AccountPage,
): Promise<AccountSummary[]> {
  return sql<AccountSummary[]>`
    select a.email, p.name as "projectName", a.created_at as "registeredAt",
      p.subscription_active_until as "subscriptionActiveUntil",
      coalesce(p.subscription_active_until > now(), false) as "isSubscriptionActive"
    from accounts a join projects p on p.account_id = a.id
    where (${after}::text is null or a.id < (select id from accounts where email = ${after}))
      and (${isSubscriptionActive}::boolean is null
        or coalesce(p.subscription_active_until > now(), false) = ${isSubscriptionActive})
    order by a.id desc
    limit ${limit}`;
}

/** A subscription as the operator lists it. */
export type SubscriptionSummary = { email: string; activeUntil: Date };

/** Subscriptions that have not ended, the ones that end first before the others; `endingWithinDays` leaves out later ones. */
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

/** How many logins of an account are open. */
export async function countSessions({ sql }: { sql: AnySql }, accountId: bigint): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count from sessions where account_id = ${accountId} and expires_at > now()`;
  return row?.count ?? 0;
}
