import {
  inviteMemberBodySchema,
  MAX_MEMBERS,
  OPERATIONS,
  updateMemberBodySchema,
  createProjectBodySchema,
  includesRole,
  PROJECT_HEADER,
  type InvitationView,
  type MemberView,
  type MeView,
  type Operation,
  type OperationId,
  type ProjectSummaryView,
} from '@paywatch/domain/contract';
import type { Answer, Call, Handlers } from '../contract-server.ts';
import { problem } from '../problem.ts';
import type { SecondFactorState } from './second-factor-api.ts';

/** The project that the account of a test created first. */
export const FIRST_PROJECT = 'prj_5f0d9a366c1b4b0e9a533c1d2f7e8a90';
/** A project of somebody else. */
export const OTHER_PROJECT = 'prj_0c8e7f5b9d3a4e61b7f2d4c6a8091e3f';
/** The only token that invites. */
export const INVITATION_TOKEN = 'good'.padEnd(43, '-_Z9');

/** Who works where. `members` and `invitations` are those of every project. */
export type People = {
  projects: ProjectSummaryView[];
  members: MemberView[];
  invitations: InvitationView[];
  /** Who is invited by the token. */
  invited: string;
};

/** A project with nobody but its creator. */
export function onePerson(): People {
  return {
    projects: [projectOf({})],
    members: [memberOf({ id: null, role: 'owner', email: 'merchant@example.com', is_you: true })],
    invitations: [],
    invited: 'merchant@example.com',
  };
}

/** The first project. */
export function projectOf(changes: Partial<ProjectSummaryView>): ProjectSummaryView {
  return {
    project_id: FIRST_PROJECT,
    name: null,
    role: 'owner',
    first: true,
    created_at: '2026-11-01T09:00:00.000Z',
    ...changes,
  };
}

/** A manager. */
export function memberOf(changes: Partial<MemberView>): MemberView {
  return {
    id: '9c1f6b52-0d3e-4a7b-8f44-6f2d1b7c5e01',
    email: 'manager@example.com',
    role: 'manager',
    is_you: false,
    joined_at: '2026-11-10T09:00:00.000Z',
    ...changes,
  };
}

/** An invitation of an accountant. */
export function invitationOf(changes: Partial<InvitationView>): InvitationView {
  return {
    id: '7a40f1d8-93c2-4be5-8a16-5d0e2c9b3f74',
    email: 'bookkeeper@example.com',
    role: 'accountant',
    created_at: '2026-11-20T11:00:00.000Z',
    expires_at: '2026-11-27T11:00:00.000Z',
    ...changes,
  };
}

type State = { people: People; me: MeView; second: SecondFactorState };

/** The project that a request acts on; undefined if the account has none with its id. */
function projectIn({ people }: State, named: unknown): ProjectSummaryView | undefined {
  return people.projects.find(({ project_id: id, first }) => (named === undefined ? first : id === named));
}

/** Like the API: an unknown project is not found, and a role that is too low is forbidden. Null where neither holds. */
export function refusalByRole(state: State, id: OperationId, named: unknown): Answer | null {
  const { role }: Operation = OPERATIONS[id];
  if (role === undefined || role === 'account' || role === 'operator') return null;
  const project = projectIn(state, named);
  if (project === undefined) return problem('project_not_found');
  return includesRole(project.role, role) ? null : problem('forbidden');
}

/** The account with the project that the request names. */
export function meIn(state: State, { headers }: Call['request']): MeView {
  const project = projectIn(state, headers[PROJECT_HEADER.toLowerCase()]);
  if (project === undefined || project.first) return state.me;
  const { name, role, project_id } = project;
  return { ...state.me, project: { ...state.me.project, name, role, project_id } };
}

/** The operations of projects and members. */
export function memberHandlers(state: State): Handlers {
  return {
    listProjects: () => ({ status: 200, body: { data: state.people.projects } }),
    createProject: ({ body }) => {
      const { name } = createProjectBodySchema.parse(body);
      const created = projectOf({ project_id: `prj_${'a'.repeat(32)}`, name, first: false });
      state.people.projects.push(created);
      return { status: 201, body: created };
    },
    listMembers: ({ request }) => {
      const role = projectIn(state, request.headers[PROJECT_HEADER.toLowerCase()])?.role;
      const { members, invitations } = state.people;
      return { status: 200, body: { members, invitations: role === 'owner' ? invitations : [] } };
    },
    inviteMember: ({ body }) => invite(state, body),
    cancelInvitation: ({ params }) => {
      const { invitations } = state.people;
      const cancelled = invitations.find(({ id }) => id === params['invitationId']);
      if (cancelled === undefined) return problem('invitation_not_found');
      state.people.invitations = invitations.filter((each) => each !== cancelled);
      return { status: 200, body: cancelled };
    },
    acceptInvitation: ({ body }) => accept(state, (body as { token: string }).token),
    // Before the operations of one member: its path would be that of a member called `me`.
    leaveProject: ({ request }) => {
      const left = request.headers[PROJECT_HEADER.toLowerCase()];
      state.people.projects = state.people.projects.filter(({ project_id: id }) => id !== left);
      return { status: 200, body: { ok: true } };
    },
    updateMember: ({ params, body }) => {
      if (state.second.isProofNeeded) return problem('reauthentication_required');
      const member = memberAt(state, params['memberId']);
      if (member === undefined) return problem('member_not_found');
      return { status: 200, body: Object.assign(member, updateMemberBodySchema.parse(body)) };
    },
    removeMember: ({ params }) => {
      const member = memberAt(state, params['memberId']);
      if (member === undefined) return problem('member_not_found');
      state.people.members = state.people.members.filter((each) => each !== member);
      return { status: 200, body: member };
    },
  };
}

function memberAt({ people }: State, id: string | undefined): MemberView | undefined {
  return people.members.find((member) => member.id === id);
}

function invite({ people }: State, body: unknown): Answer {
  const checked = inviteMemberBodySchema.safeParse(body);
  if (!checked.success)
    return problem('validation_error', {
      errors: [{ path: 'body.email', message: 'Must be an email address.' }],
    });
  const { email, role } = checked.data;
  if (people.members.some((member) => member.email === email)) return problem('already_member');
  if (people.members.length + people.invitations.length > MAX_MEMBERS) return problem('too_many_members');
  const invited = invitationOf({ id: `7a40f1d8-93c2-4be5-8a16-${'0'.repeat(11)}1`, email, role });
  people.invitations = [invited, ...people.invitations.filter((each) => each.email !== email)];
  return { status: 201, body: invited };
}

function accept({ people, me }: State, token: string): Answer {
  if (token !== INVITATION_TOKEN) return problem('link_expired');
  if (people.invited !== me.account.email) return problem('invitation_for_other_email');
  if (people.projects.some(({ project_id: id }) => id === OTHER_PROJECT)) return problem('already_member');
  const joined = projectOf({ project_id: OTHER_PROJECT, name: 'Ada’s Shop', role: 'support', first: false });
  people.projects.push(joined);
  return { status: 200, body: joined };
}
