import type { ProjectRole } from '@paywatch/domain/contract';
import { AppError } from '@paywatch/domain/requests';
import { writeAudit } from '../accounts/audit.ts';
import type { Authorize } from '../accounts/authorize.ts';
import { lockAccount } from '../accounts/lock-account.ts';
import { inTransaction } from '../postgres/database.ts';
import type { Store } from '../store.ts';

/** The most projects that an account creates, its first one included. */
export const MAX_PROJECTS = 10;

/** A project in the list of an account that may act on it. */
export type ProjectOfAccount = {
  publicId: string;
  /** Empty until it is set. */
  name: string;
  role: ProjectRole;
  isFirst: boolean;
  createdAt: Date;
};

/** Lists the projects that an account created and those that it is a member of, its first project first. */
export async function listProjects(
  { sql }: Pick<Store, 'sql'>,
  accountId: bigint,
): Promise<ProjectOfAccount[]> {
  return sql<ProjectOfAccount[]>`
    with mine as (
      select id, 'owner' as role from projects where account_id = ${accountId}
      union all
      select project_id, role from project_members where account_id = ${accountId}
    )
    select p.public_id as "publicId", p.name, m.role, p.created_at as "createdAt",
      p.id = (select min(id) from projects where account_id = ${accountId}) as "isFirst"
    from mine m join projects p on p.id = m.id
    order by "isFirst" desc, p.id`;
}

/** A project to create. */
export type NewProject = {
  accountId: bigint;
  name: string;
  donateToken: string;
  overlayToken: string;
  /** The length of the trial, which counts from the registration of the account. */
  trialDays: number;
};

/** Creates a further project of an account, with what is left of the account's trial. Throws AppError `too_many_projects`. */
export async function createProject(
  store: Pick<Store, 'sql'>,
  authorize: Authorize,
  project: NewProject,
): Promise<ProjectOfAccount> {
  const { accountId, name, donateToken, overlayToken, trialDays } = project;
  return inTransaction(store, async (tx) => {
    await lockAccount(tx, accountId);
    const actor = await authorize(tx);
    const [created] = await tx<(ProjectOfAccount & { projectId: bigint })[]>`
      insert into projects (account_id, name, donate_token, overlay_token, subscription_active_until)
      select a.id, ${name}, ${donateToken}, ${overlayToken}, case when t.ends > now() then t.ends end
      from accounts a, lateral (
        select date_trunc('milliseconds', a.created_at + make_interval(days => ${trialDays}::int)) as ends) t
      where a.id = ${accountId} and (select count(*) from projects where account_id = a.id) < ${MAX_PROJECTS}
      returning id as "projectId", public_id as "publicId", name, 'owner' as role, false as "isFirst",
        created_at as "createdAt"`;
    if (!created) throw new AppError('too_many_projects');
    const { projectId, ...view } = created;
    await writeAudit(tx, { projectId, action: 'project.created', actor, after: { name } });
    return view;
  });
}
