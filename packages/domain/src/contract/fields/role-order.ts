/** The roles in a project, from most to least: each includes those after it. docs/roles.md has the table. */
export const PROJECT_ROLES = ['owner', 'manager', 'accountant', 'support'] as const;
/** What a person may do in a project. */
export type ProjectRole = (typeof PROJECT_ROLES)[number];

/** Whether a role includes another one. Pure. */
export function includesRole(role: ProjectRole, needed: ProjectRole): boolean {
  return PROJECT_ROLES.indexOf(role) <= PROJECT_ROLES.indexOf(needed);
}
