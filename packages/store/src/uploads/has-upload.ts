import type { UploadKind } from '@paywatch/domain/contract';
import type { TransactionSql } from '../postgres/database.ts';

/** Whether a project has an upload of this kind. */
export async function hasUpload(
  tx: TransactionSql,
  projectId: bigint,
  { publicId, kind }: { publicId: string; kind: UploadKind },
): Promise<boolean> {
  const rows = await tx`
    select from uploads where project_id = ${projectId} and public_id = ${publicId} and kind = ${kind}`;
  return rows.length > 0;
}
