import type { AnySql } from '../postgres/database.ts';

/** The origins whose pages may frame the page of a payment link; none for a token that is not valid. */
export async function findEmbedSitesOfLink({ sql }: { sql: AnySql }, token: string): Promise<string[]> {
  const [row] = await sql<EmbedSites[]>`
    select p.embed_sites as "embedSites" from payment_links l join projects p on p.id = l.project_id
    where l.token = ${token}`;
  return row?.embedSites ?? [];
}

/** The origins whose pages may frame the payment page of an invoice; none for an unknown one. */
export async function findEmbedSitesOfInvoice({ sql }: { sql: AnySql }, publicId: string): Promise<string[]> {
  const [row] = await sql<EmbedSites[]>`
    select p.embed_sites as "embedSites" from invoices i join projects p on p.id = i.project_id
    where i.public_id = ${publicId}`;
  return row?.embedSites ?? [];
}

/** Replaces the sites of a project, and returns the change as the audit log names it. The caller holds the row of the project. */
export async function updateEmbedSites(
  tx: AnySql,
  projectId: bigint,
  sites: readonly string[],
): Promise<{ before: AuditedSites; after: AuditedSites }> {
  const [row] = await tx<EmbedSites[]>`
    select embed_sites as "embedSites" from projects where id = ${projectId}`;
  await tx`update projects set embed_sites = ${[...sites]} where id = ${projectId}`;
  return { before: { embed_sites: row?.embedSites ?? [] }, after: { embed_sites: sites } };
}

type EmbedSites = { embedSites: string[] };
type AuditedSites = { embed_sites: readonly string[] };
