import type { Fragment } from 'postgres';
import type { AnySql } from '../postgres/database.ts';
import type { AccountIds } from '../subscriptions/subscriptions.ts';
import { hasSecondFactor } from './second-factors/factors.ts';
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
  accountId: bigint;
  /** Names the account in the operator's area. */
  publicId: string;
  email: string;
  isEmailVerified: boolean;
  isOperator: boolean;
  /** Empty until it is set. */
  projectName: string;
  registeredAt: Date;
  subscriptionActiveUntil: Date | null;
  isSubscriptionActive: boolean;
};

/**
 * A null filter matches everything. `text`: part of an email or of the name of a project, without regard to case. `after`: the last
 * account of the previous page.
 */
export type AccountPage = {
  limit: number;
  after: bigint | null;
  isSubscriptionActive?: boolean | null;
  text?: string | null;
};

/** Lists accounts with their first projects, newest first. A search reads accounts until the page is full. */
export async function listAccounts(
  { sql }: { sql: AnySql },
  { limit, after, isSubscriptionActive = null, text = null }: AccountPage,
): Promise<AccountSummary[]> {
  return sql<AccountSummary[]>`
    select a.id as "accountId", a.public_id as "publicId", a.email, a.email_verified_at is not null as "isEmailVerified",
      a.is_operator as "isOperator", p.name as "projectName", a.created_at as "registeredAt",
      p.subscription_active_until as "subscriptionActiveUntil",
      coalesce(p.subscription_active_until > now(), false) as "isSubscriptionActive"
    from accounts a join projects p on p.id = (select min(o.id) from projects o where o.account_id = a.id)
    where a.deleted_at is null and (${after}::bigint is null or a.id < ${after})
      ${text === null ? sql`` : sql`and ${matches(sql, partPattern(text))}`}
      and (${isSubscriptionActive}::boolean is null
        or coalesce(p.subscription_active_until > now(), false) = ${isSubscriptionActive})
    order by a.id desc
    limit ${limit}`;
}

/** The pattern of `like` for texts that contain this one. */
function partPattern(text: string): string {
  return `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
}

function matches(sql: AnySql, pattern: string): Fragment {
  return sql`(a.email ilike ${pattern}
    or exists (select from projects o where o.account_id = a.id and o.name ilike ${pattern}))`;
}

/** An account as operators see it, without its projects. */
export type OperatedAccount = Pick<
  AccountSummary,
  'publicId' | 'email' | 'isEmailVerified' | 'isOperator' | 'registeredAt'
> &
  AccountIds & {
    hasSecondFactor: boolean;
    /** The limit for derived addresses that an operator set; null: ACCOUNT_ADDRESSES. */
    addressLimit: number | null;
  };

/** Finds an account by its public id, with its first project. Null if it is unknown or deleted. */
export async function findOperatedAccount(
  { sql }: { sql: AnySql },
  publicId: string,
): Promise<OperatedAccount | null> {
  const [account] = await sql<OperatedAccount[]>`
    select a.id as "accountId", p.id as "projectId", a.public_id as "publicId", a.email,
      a.email_verified_at is not null as "isEmailVerified", a.is_operator as "isOperator", a.created_at as "registeredAt",
      ${hasSecondFactor(sql, sql`a.id`)} as "hasSecondFactor", p.address_limit as "addressLimit"
    from accounts a join projects p on p.account_id = a.id
    where a.public_id = ${publicId} and a.deleted_at is null
    order by p.id limit 1`;
  return account ?? null;
}

/** Lists the ids of the projects that an account created, the first one first. */
export async function listOwnedProjects(
  { sql }: { sql: AnySql },
  accountId: bigint,
): Promise<{ projectId: bigint; createdAt: Date }[]> {
  return sql<{ projectId: bigint; createdAt: Date }[]>`
    select id as "projectId", created_at as "createdAt" from projects where account_id = ${accountId} order by id`;
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
