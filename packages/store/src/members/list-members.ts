import type { ProjectRole } from '@paywatch/domain/contract';
import type { AnySql } from '../postgres/database.ts';

/** Somebody who works in a project. */
export type Member = {
  /** Null for the account that created the project. */
  publicId: string | null;
  accountId: bigint;
  email: string;
  role: ProjectRole;
  joinedAt: Date;
};

/** Lists who works in a project: the account that created it, then the others in the order they joined. */
export async function listMembers({ sql }: { sql: AnySql }, projectId: bigint): Promise<Member[]> {
  return sql<Member[]>`
    select m."publicId", a.id as "accountId", a.email, m.role, m."joinedAt"
    from (
      select null::uuid as "publicId", account_id, 'owner' as role, created_at as "joinedAt", 0 as id
      from projects where id = ${projectId}
      union all
      select public_id, account_id, role, created_at, id from project_members where project_id = ${projectId}
    ) m
    join accounts a on a.id = m.account_id
    order by m.id`;
}

/** A pending invitation. */
export type Invitation = {
  publicId: string;
  email: string;
  role: ProjectRole;
  expiresAt: Date;
  createdAt: Date;
};

/** Lists the invitations of a project that can still be accepted, newest first. */
export async function listInvitations({ sql }: { sql: AnySql }, projectId: bigint): Promise<Invitation[]> {
  return sql<Invitation[]>`
    select public_id as "publicId", email, role, expires_at as "expiresAt", created_at as "createdAt"
    from project_invitations where project_id = ${projectId} and expires_at > now()
    order by id desc`;
}
