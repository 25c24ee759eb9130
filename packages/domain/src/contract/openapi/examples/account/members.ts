import type { DoneView } from '../../../resources/account/auth.ts';
import type { InvitationView, MembersView, MemberView } from '../../../resources/account/members.ts';
import type { ProjectSummaryView } from '../../../resources/account/projects.ts';
import type { OperationExample } from '../operation-example.ts';

const creator: MemberView = {
  id: null,
  email: 'merchant@example.com',
  role: 'owner',
  is_you: true,
  joined_at: '2026-11-01T09:00:00.000Z',
};
const member: MemberView = {
  id: '9c1f6b52-0d3e-4a7b-8f44-6f2d1b7c5e01',
  email: 'colleague@example.com',
  role: 'manager',
  is_you: false,
  joined_at: '2026-11-20T12:00:00.000Z',
};
const invitation: InvitationView = {
  id: '2e7d4c90-5b1a-4f36-9d28-c3a8e0f7b612',
  email: 'colleague@example.com',
  role: 'manager',
  expires_at: '2026-11-27T11:00:00.000Z',
  created_at: '2026-11-20T11:00:00.000Z',
};
const other: InvitationView = {
  ...invitation,
  id: '7a40f1d8-93c2-4be5-8a16-5d0e2c9b3f74',
  email: 'bookkeeper@example.com',
  role: 'accountant',
};
const joined: ProjectSummaryView = {
  project_id: 'prj_5f0d9a366c1b4b0e9a533c1d2f7e8a90',
  name: 'Example Shop',
  role: 'manager',
  first: false,
  created_at: '2026-11-01T09:00:00.000Z',
};
const members: MembersView = { members: [creator, member], invitations: [other] };
const done: DoneView = { ok: true };
const linkToken = 'Vw3n8Yt0b1QmZr5cXk7LpD2fHs9JgU4aEoT6iNvBxRq';

/** Of the members of a project. */
export const memberExamples = {
  inviteMember: { request: { email: invitation.email, role: invitation.role }, response: invitation },
  acceptInvitation: { request: { token: linkToken }, response: joined },
  listMembers: { response: members },
  cancelInvitation: { response: other },
  updateMember: { request: { role: 'accountant' }, response: { ...member, role: 'accountant' } },
  removeMember: { response: { ...member, role: 'accountant' } },
  leaveProject: { response: done },
} as const satisfies Record<string, OperationExample>;
