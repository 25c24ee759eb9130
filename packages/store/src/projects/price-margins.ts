import type { AnySql } from '../postgres/database.ts';

/** What priced orders of a project cost more than their price, in basis points. */
export type PriceMargins = {
  margin: number;
  /** Of orders that live longer than an hour; null: there are none. */
  longMargin: number | null;
};

/** Throws if there is no such project. */
export async function findPriceMargins(sql: AnySql, projectId: bigint): Promise<PriceMargins> {
  const [row] = await sql<PriceMargins[]>`
    select price_margin_bps as margin, long_price_margin_bps as "longMargin" from projects where id = ${projectId}`;
  if (!row) throw new Error(`project ${projectId} not found`);
  return row;
}

/** Changes the margins that are given, and returns all as the audit log names them. The caller holds the row of the project. */
export async function updatePriceMargins(
  tx: AnySql,
  projectId: bigint,
  change: Partial<PriceMargins>,
): Promise<{ before: AuditedMargins; after: AuditedMargins }> {
  const before = await findPriceMargins(tx, projectId);
  const after = { ...before, ...change };
  await tx`
    update projects set price_margin_bps = ${after.margin}, long_price_margin_bps = ${after.longMargin}
    where id = ${projectId}`;
  return { before: audited(before), after: audited(after) };
}

type AuditedMargins = { price_margin_bps: number; long_price_margin_bps: number | null };

function audited({ margin, longMargin }: PriceMargins): AuditedMargins {
  return { price_margin_bps: margin, long_price_margin_bps: longMargin };
}
