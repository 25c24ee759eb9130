import type { UploadKind, UploadType } from '@paywatch/domain/contract';
import { sql } from 'drizzle-orm';
import { check, index, integer, pgTable, text } from 'drizzle-orm/pg-core';
import { projects } from '../accounts/accounts.ts';
import { bytea, createdAt, identity, reference } from '../columns.ts';

/** Pictures and sounds that owners uploaded. A row never changes. The public id opens the file to everyone who knows it. */
export const uploads = pgTable(
  'uploads',
  {
    id: identity(),
    publicId: text('public_id').notNull().unique(),
    projectId: reference('project_id')
      .notNull()
      .references(() => projects.id, { onDelete: 'cascade' }),
    kind: text('kind').$type<UploadKind>().notNull(),
    /** For lists; empty if the owner gave none. */
    name: text('name').notNull(),
    /** The media type that the content was found to be. */
    type: text('type').$type<UploadType>().notNull(),
    /** In pixels; null for sounds. */
    width: integer('width'),
    height: integer('height'),
    /** Null for images. */
    durationMs: integer('duration_ms'),
    content: bytea('content').notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    index('uploads_project_idx').on(t.projectId, t.id),
    check('uploads_kind', sql`${t.kind} in ('image', 'sound', 'logo')`),
    check('uploads_size', sql`octet_length(${t.content}) <= 524288`),
  ],
);
