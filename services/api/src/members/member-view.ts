import type { InvitationView, MemberView } from '@paywatch/domain/contract';
import type { Invitation, Member } from '@paywatch/store/members';
import type { SessionCaller } from '../caller.ts';

/** A member as the caller sees them. */
export function memberView(
  { publicId, accountId, email, role, joinedAt }: Member,
  caller: Pick<SessionCaller, 'accountId'>,
): MemberView {
  return {
    id: publicId,
    email,
    role,
    is_you: accountId === caller.accountId,
    joined_at: joinedAt.toISOString(),
  };
}

/** An invitation as owners see it. */
export function invitationView({ publicId, email, role, expiresAt, createdAt }: Invitation): InvitationView {
  return {
    id: publicId,
    email,
    role,
    expires_at: expiresAt.toISOString(),
    created_at: createdAt.toISOString(),
  };
}
