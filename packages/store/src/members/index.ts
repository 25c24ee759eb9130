export { findMembership, type Membership } from './memberships.ts';
export { createProject, listProjects, MAX_PROJECTS, type ProjectOfAccount } from './projects-of-account.ts';
