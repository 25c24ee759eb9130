export { acceptInvitation } from './accept-invitation.ts';
export { leaveProject, removeMember, updateMember } from './change-members.ts';
export { cancelInvitation, inviteMember } from './invitations.ts';
export { type Invitation, type Member, listInvitations, listMembers } from './list-members.ts';
export { findMembership, type Membership } from './memberships.ts';
export { createProject, listProjects, MAX_PROJECTS, type ProjectOfAccount } from './projects-of-account.ts';
