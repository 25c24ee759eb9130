import { UPLOAD_LIMITS, type UploadKind, type UploadType } from '@paywatch/domain/contract';
import type { Authorize } from '../accounts/authorize.ts';
import { forgetOverlayUpload } from '../donations/overlay/overlay-settings.ts';
import { inTransaction, type AnySql, type TransactionSql } from '../postgres/database.ts';
import { deleteUnusedLogos, forgetLogo } from '../projects/branding.ts';
import { lockProject } from '../projects/lock-project.ts';
import type { Store } from '../store.ts';

/** What is known about an upload besides its content. Sides in pixels; null where the kind has none. */
export type Upload = {
  publicId: string;
  kind: UploadKind;
  name: string;
  type: UploadType;
  bytes: number;
  width: number | null;
  height: number | null;
  durationMs: number | null;
  createdAt: Date;
};

/** An upload to store. */
export type NewUpload = Omit<Upload, 'bytes' | 'createdAt'> & { projectId: bigint; content: Buffer };

/** Stores an upload. Null if the project has the maximum number. Not safe to repeat: each call stores one. */
export async function createUpload(
  store: Pick<Store, 'sql'>,
  authorize: Authorize,
  upload: NewUpload,
): Promise<Upload | null> {
  return inTransaction(store, async (tx) => {
    await authorize(tx);
    await lockProject(tx, upload.projectId);
    if (upload.kind === 'logo') await deleteUnusedLogos(tx, upload.projectId);
    if ((await countUploads(tx, upload.projectId)) >= UPLOAD_LIMITS.maxCount) return null;
    const { projectId, publicId, kind, name, type, width, height, durationMs, content } = upload;
    const [row] = await tx<Upload[]>`
      insert into uploads (project_id, public_id, kind, name, type, width, height, duration_ms, content)
      values (${projectId}, ${publicId}, ${kind}, ${name}, ${type}, ${width}, ${height}, ${durationMs}, ${content})
      returning ${columns(tx)}`;
    return row ? { ...row } : null;
  });
}

async function countUploads(tx: TransactionSql, projectId: bigint): Promise<number> {
  const [row] = await tx<{ count: number }[]>`
    select count(*)::int as count from uploads where project_id = ${projectId}`;
  return row?.count ?? 0;
}

/** The uploads of a project, newest first. */
export async function listUploads({ sql }: { sql: AnySql }, projectId: bigint): Promise<Upload[]> {
  const rows = await sql<Upload[]>`
    select ${columns(sql)} from uploads where project_id = ${projectId} order by id desc`;
  return rows.map((row) => ({ ...row }));
}

/** Deletes an upload, also from the settings that use it, and returns what it was. Null if the project has no such upload. */
export async function deleteUpload(
  store: Pick<Store, 'sql'>,
  authorize: Authorize,
  { projectId, publicId }: { projectId: bigint; publicId: string },
): Promise<Upload | null> {
  return inTransaction(store, async (tx) => {
    const actor = await authorize(tx);
    await lockProject(tx, projectId);
    const [row] = await tx<Upload[]>`
      delete from uploads where project_id = ${projectId} and public_id = ${publicId} returning ${columns(tx)}`;
    if (!row) return null;
    await forgetOverlayUpload(tx, projectId, publicId);
    await forgetLogo(tx, { projectId, publicId }, actor);
    return { ...row };
  });
}

/** The file of an upload, as it is served. */
export type UploadedFile = { type: UploadType; content: Buffer };

/** The file of a public id; null if there is none (any more). */
export async function loadUploadedFile(
  { sql }: { sql: AnySql },
  publicId: string,
): Promise<UploadedFile | null> {
  const [row] = await sql<UploadedFile[]>`select type, content from uploads where public_id = ${publicId}`;
  return row ? { ...row } : null;
}

/** The size is read without the content, which Postgres keeps apart. */
function columns(sql: AnySql) {
  return sql`
    public_id as "publicId", kind, name, type, octet_length(content) as bytes, width, height,
    duration_ms as "durationMs", created_at as "createdAt"`;
}
