import { includesRole, type ProjectRole } from '@paywatch/domain/contract';
import { AppError } from '@paywatch/domain/requests';
import type { Fragment } from 'postgres';
import type { AnySql, TransactionSql } from '../postgres/database.ts';
import type { Store } from '../store.ts';

/** A project that an account may act on, and what it may do there. */
export type Membership = { projectId: bigint; role: ProjectRole };

/**
 * Finds the project with this public id if the account may act on it; null for an unknown project as for one of somebody else. It is
 * read in Postgres for each request, so a removed member is refused by every replica at once.
 */
export async function findMembership(
  { sql }: Pick<Store, 'sql'>,
  accountId: bigint,
  publicId: string,
): Promise<Membership | null> {
  const [membership] = await sql<Membership[]>`
    select * from (
      select p.id as "projectId", ${roleOf(sql, accountId)} as role from projects p where p.public_id = ${publicId}
    ) found where role is not null`;
  return membership ?? null;
}

/**
 * Locks the membership of an account until the transaction ends, so that a removal or another role comes before the change or
 * waits for it. Throws AppError `project_not_found` if it has ended, and `forbidden` if the role does not include `role` any more.
 */
export async function lockMembership(
  tx: TransactionSql,
  accountId: bigint,
  { projectId, role }: Membership,
): Promise<void> {
  const [held] = await tx<{ role: ProjectRole | null }[]>`
    select case when p.account_id = ${accountId} then 'owner' else (
      select m.role from project_members m where m.project_id = p.id and m.account_id = ${accountId} for share) end as role
    from projects p where p.id = ${projectId}`;
  if (held === undefined || held.role === null) throw new AppError('project_not_found');
  if (!includesRole(held.role, role)) throw new AppError('forbidden');
}

/** Whether an account, given as an expression, is an owner of the project `p`. */
export function isOwner(sql: AnySql, account: Fragment): Fragment {
  return sql`(p.account_id = ${account} or exists (
    select from project_members m
    where m.project_id = p.id and m.account_id = ${account} and m.role = 'owner'))`;
}

/** The role of an account in the project `p`, as an expression; null if it is no member. */
function roleOf(sql: AnySql, accountId: bigint): Fragment {
  return sql`case when p.account_id = ${accountId} then 'owner' else (
    select m.role from project_members m where m.project_id = p.id and m.account_id = ${accountId}) end`;
}
