import type { ProjectRole } from '@paywatch/domain/contract';
import type { TestAccount, TestApi } from './api.ts';

/** The id of an account's first project, as the API names it. */
export async function projectIdOf(
  { store }: Pick<TestApi, 'store'>,
  { projectId }: Pick<TestAccount, 'projectId'>,
): Promise<string> {
  const [project] = await store.sql<{ id: string }[]>`
    select public_id as id from projects where id = ${projectId}`;
  if (!project) throw new Error('an account has a project');
  return project.id;
}

/** Makes an account a member of the first project of another one. */
export async function addMember(
  { store }: Pick<TestApi, 'store'>,
  owner: Pick<TestAccount, 'projectId'>,
  member: Pick<TestAccount, 'accountId'>,
  role: ProjectRole,
): Promise<void> {
  await store.sql`
    insert into project_members (project_id, account_id, role)
    values (${owner.projectId}, ${member.accountId}, ${role})`;
}
