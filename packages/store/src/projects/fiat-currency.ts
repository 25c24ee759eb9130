import type { AnySql } from '../postgres/database.ts';

/** Sets the currency of a project, and returns the change as the audit log names it. The caller holds the row of the project. */
export async function updateFiatCurrency(
  tx: AnySql,
  projectId: bigint,
  fiatCurrency: string | null,
): Promise<{ before: AuditedCurrency; after: AuditedCurrency }> {
  const [before] = await tx<AuditedCurrency[]>`select fiat_currency from projects where id = ${projectId}`;
  await tx`update projects set fiat_currency = ${fiatCurrency} where id = ${projectId}`;
  return {
    before: { fiat_currency: before?.fiat_currency ?? null },
    after: { fiat_currency: fiatCurrency },
  };
}

type AuditedCurrency = { fiat_currency: string | null };
