import type { Fragment } from 'postgres';
import type { AnySql } from '../postgres/database.ts';

/** The project that the addresses of a pool count for: its owner, or before verification the project they were derived for. */
export function projectOfPool(sql: AnySql): Fragment {
  return sql`coalesce(owner_project_id, registered_by)`;
}

/** The pools whose addresses count for a project, as a condition on `pools` that uses its two indexes. */
export function isPoolOf(sql: AnySql, projectId: bigint): Fragment {
  return sql`(owner_project_id = ${projectId} or (owner_project_id is null and registered_by = ${projectId}))`;
}

/** As `isPoolOf`, for all projects of the account that a project belongs to. */
export function isPoolOfAccount(sql: AnySql, projectId: bigint): Fragment {
  const projects = sql`array(
    select o.id from projects o where o.account_id = (select account_id from projects where id = ${projectId}))`;
  return sql`(owner_project_id = any (${projects}) or (owner_project_id is null and registered_by = any (${projects})))`;
}

/** The end of the window that refills derive; for an unverified key only the first twenty addresses. */
export function windowToDerive(sql: AnySql): Fragment {
  return sql`greatest(last_used_index, start_index - 1)
    + case when owner_project_id is null then least(gap_limit, 20) else gap_limit end`;
}
