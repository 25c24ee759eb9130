import type { AnySql } from '../postgres/database.ts';

/** Changes after how many days donors' names and messages are removed. Returns the change as the audit log names it. */
export async function updateDonorTextsDays(
  tx: AnySql,
  projectId: bigint,
  days: number | null,
): Promise<{ before: AuditedDays; after: AuditedDays }> {
  const [row] = await tx<
    AuditedDays[]
  >`select donor_texts_days from projects where id = ${projectId} for no key update`;
  await tx`update projects set donor_texts_days = ${days} where id = ${projectId}`;
  return { before: { donor_texts_days: row?.donor_texts_days ?? null }, after: { donor_texts_days: days } };
}

type AuditedDays = { donor_texts_days: number | null };
