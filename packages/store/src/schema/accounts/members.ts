import type { ProjectRole } from '@paywatch/domain/contract';
import { sql } from 'drizzle-orm';
import { check, index, pgTable, text, unique, uuid } from 'drizzle-orm/pg-core';
import { accounts, projects } from './accounts.ts';
import { createdAt, identity, instant, reference } from '../columns.ts';

/** Accounts that work in a project of somebody else. The account that the project belongs to has no row. */
export const projectMembers = pgTable(
  'project_members',
  {
    id: identity(),
    /** Names the membership in the API. */
    publicId: uuid('public_id').notNull().unique().defaultRandom(),
    projectId: reference('project_id')
      .notNull()
      .references(() => projects.id, { onDelete: 'cascade' }),
    accountId: reference('account_id')
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    role: text('role').$type<ProjectRole>().notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    unique('project_members_account').on(t.accountId, t.projectId),
    index('project_members_project_idx').on(t.projectId, t.id),
    check('project_members_role', sql`${t.role} in ('owner', 'manager', 'accountant', 'support')`),
  ],
);

/** Invitations that wait for an answer. Their links are in `email_tokens`; an invitation ends by the deletion of its row. */
export const projectInvitations = pgTable(
  'project_invitations',
  {
    id: identity(),
    /** Names the invitation in the API; it is no credential. */
    publicId: uuid('public_id').notNull().unique().defaultRandom(),
    projectId: reference('project_id')
      .notNull()
      .references(() => projects.id, { onDelete: 'cascade' }),
    /** Trimmed and lower-cased. */
    email: text('email').notNull(),
    role: text('role').$type<ProjectRole>().notNull(),
    invitedBy: reference('invited_by')
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    expiresAt: instant('expires_at').notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    unique('project_invitations_email').on(t.projectId, t.email),
    index('project_invitations_inviter_idx').on(t.invitedBy),
    index('project_invitations_expires_idx').on(t.expiresAt),
    check('project_invitations_role', sql`${t.role} in ('owner', 'manager', 'accountant', 'support')`),
  ],
);
