import type { TransactionSql } from '../postgres/database.ts';

/**
 * Serialises changes of who works in a project. Call it before `authorize`, which locks the membership of the caller: of two owners who
 * remove each other at once, the second one is refused, and neither waits for a row that the other holds. `lockProject` would not do:
 * changes of other kinds take it while they hold a membership.
 */
export async function lockMembers(tx: TransactionSql, projectId: bigint): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtextextended('members of project ' || ${projectId}::bigint, 0))`;
}

/**
 * The same for all projects that an account created or works in, one after the other by id. Call it once the account is locked, so that it
 * joins and creates none meanwhile, and before everything else: changes of members hold this lock while they wait for sessions and mails.
 */
export async function lockMembersOfAccount(tx: TransactionSql, accountId: bigint): Promise<void> {
  const projects = await tx<{ id: bigint }[]>`
    select id from projects where account_id = ${accountId}
    union
    select project_id from project_members where account_id = ${accountId}
    order by 1`;
  for (const { id } of projects) await lockMembers(tx, id);
}
