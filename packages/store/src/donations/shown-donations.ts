import type { Fragment } from 'postgres';
import type { AnySql } from '../postgres/database.ts';
import {
  loadSnapshotsById,
  type SnapshotSettings,
  type StoredSnapshot,
} from '../invoices/invoice-snapshots.ts';

/** How long a donation waits for somebody to look at it. */
export const SHOW_WITHIN_SECONDS = 120;

/** By when somebody has to look at an invoice, as SQL over a row of `invoices`. */
export function showBy(sql: AnySql): Fragment {
  return sql`created_at + make_interval(secs => ${SHOW_WITHIN_SECONDS})`;
}

/**
 * The same invoices as a reply may show them. Snapshots of a donation that nobody has looked at carry no address; this notes
 * that it is shown, and then fills it in. Whoever sends an address to anybody gets it from here, so that none is sent before that
 * is committed. One statement where there is such a donation, none else. One that expired at this moment stays without.
 */
export async function showDonations(
  sql: AnySql,
  snapshots: readonly StoredSnapshot[],
  settings: SnapshotSettings,
): Promise<StoredSnapshot[]> {
  const unshown = snapshots.filter(({ isUnshown }) => isUnshown).map(({ invoiceId }) => invoiceId);
  if (unshown.length === 0) return [...snapshots];
  const addresses = await noteShown(sql, unshown);
  const others = unshown.filter((id) => !addresses.has(id));
  const reread = new Map(
    (await loadSnapshotsById(sql, others, settings)).map((snapshot) => [snapshot.invoiceId, snapshot]),
  );
  return snapshots.map((snapshot) => {
    const address = addresses.get(snapshot.invoiceId);
    if (address !== undefined) return { ...snapshot, address, isUnshown: false };
    return reread.get(snapshot.invoiceId) ?? snapshot;
  });
}

/** In the order of their ids, as settlements lock them. Waits for one that expires at this moment, and leaves it out. */
async function noteShown(sql: AnySql, invoiceIds: readonly bigint[]): Promise<Map<bigint, string>> {
  const rows = await sql<{ id: bigint; address: string }[]>`
    with open as (
      select id from invoices
      where id = any (${invoiceIds.map(String)}::bigint[]) and shown_at is null and status in ('new', 'pending')
      order by id for update
    )
    update invoices i set shown_at = now() from open where i.id = open.id returning i.id, i.address`;
  return new Map(rows.map(({ id, address }) => [id, address]));
}
