import { z } from 'zod';
import { LIMITS } from '../../limits.ts';
import { timestampSchema } from '../../fields/primitives.ts';
import { projectRoleSchema } from '../../fields/project-roles.ts';
import { exactText } from '../../fields/text.ts';
import { emailSchema } from './auth.ts';

/** The most members of a project, pending invitations included, without the account that created it. */
export const MAX_MEMBERS = 20;

/** How long the link of an invitation works. */
export const INVITATION_DAYS = 7;

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const memberIdSchema = z.string().regex(UUID, { error: 'Must be the id of a member.' }).meta({
  description: 'Identifier of a member in one project; it is no credential.',
  example: '9c1f6b52-0d3e-4a7b-8f44-6f2d1b7c5e01',
});

const invitationIdSchema = z.string().regex(UUID, { error: 'Must be the id of an invitation.' }).meta({
  description: 'Identifier of an invitation; it is no credential.',
  example: '2e7d4c90-5b1a-4f36-9d28-c3a8e0f7b612',
});

/** Path of one member. */
export const memberParamsSchema = z.object({ memberId: memberIdSchema });

/** Path of one invitation. */
export const invitationParamsSchema = z.object({ invitationId: invitationIdSchema });

/** Somebody who works in the project. */
export const memberViewSchema = z
  .object({
    id: memberIdSchema.nullable().meta({
      description: 'null: the account that created the project. It stays an owner and cannot be removed.',
    }),
    email: z.string(),
    role: projectRoleSchema,
    is_you: z.boolean().meta({ description: 'Whether this is the account of the caller.' }),
    joined_at: timestampSchema,
  })
  .meta({ id: 'Member' });
export type MemberView = z.infer<typeof memberViewSchema>;

/** A pending invitation. */
export const invitationViewSchema = z
  .object({
    id: invitationIdSchema,
    email: z.string().meta({ description: 'The address that the link was mailed to.' }),
    role: projectRoleSchema.meta({ description: 'What the invited person may do once they accept.' }),
    expires_at: timestampSchema,
    created_at: timestampSchema,
  })
  .meta({ id: 'Invitation' });
export type InvitationView = z.infer<typeof invitationViewSchema>;

/** GET /v1/members */
export const membersViewSchema = z
  .object({
    members: z.array(memberViewSchema).meta({
      description: 'The account that created the project, then the others in the order they joined.',
    }),
    invitations: z.array(invitationViewSchema).meta({
      description: 'Pending ones, newest first. Only owners see them; the list is empty for everybody else.',
    }),
  })
  .meta({ id: 'Members' });
export type MembersView = z.infer<typeof membersViewSchema>;

/** POST /v1/members/invitations */
export const inviteMemberBodySchema = z
  .strictObject({
    email: emailSchema.meta({ example: 'colleague@example.com' }),
    role: projectRoleSchema.meta({ example: 'manager' }),
  })
  .meta({ id: 'InviteMember' });
export type InviteMemberBody = z.output<typeof inviteMemberBodySchema>;

/** POST /v1/invitations/accept */
export const acceptInvitationBodySchema = z
  .strictObject({
    // Any text is an attempt: a malformed one is a wrong one (410).
    token: exactText({ minLength: 1, maxLength: LIMITS.linkToken.maxLength }).meta({
      minLength: 1,
      maxLength: LIMITS.linkToken.maxLength,
      description: `The text after # in the link of the mail. Works once, for ${INVITATION_DAYS} days.`,
    }),
  })
  .meta({ id: 'AcceptInvitation' });

/** PATCH /v1/members/{memberId} */
export const updateMemberBodySchema = z
  .strictObject({ role: projectRoleSchema.meta({ example: 'accountant' }) })
  .meta({ id: 'UpdateMember' });
