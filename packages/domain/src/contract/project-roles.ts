import { z } from 'zod';

/** What a person may do in a project, from most to least: each role includes those after it. docs/roles.md has the table. */
export const projectRoleSchema = z
  .enum(['owner', 'manager', 'accountant', 'support'])
  .meta({ id: 'ProjectRole' });
export type ProjectRole = z.infer<typeof projectRoleSchema>;

/** Whether a role includes another one. Pure. */
export function includesRole(role: ProjectRole, needed: ProjectRole): boolean {
  const roles = projectRoleSchema.options;
  return roles.indexOf(role) <= roles.indexOf(needed);
}
