import type { Fragment } from 'postgres';
import type { AnySql } from '../postgres/database.ts';
import {
  loadSnapshotsById,
  type SnapshotSettings,
  type StoredSnapshot,
} from '../invoices/invoice-snapshots.ts';

/** A donation expires if nobody looks at it within this time. */
export const SHOW_WITHIN_SECONDS = 120;

/** The deadline for somebody to look at an invoice, as SQL over a row of `invoices`. */
export function showBy(sql: AnySql): Fragment {
  return sql`created_at + make_interval(secs => ${SHOW_WITHIN_SECONDS})`;
}

/**
 * The same invoices with the addresses that a reply may show. Snapshots of donations that nobody has looked at have no address;
 * this stores that they are shown, then fills the address in. Every address sent to anybody comes from here, so none is sent
 * before that is committed. Runs one statement if there is such a donation, otherwise none. A donation that expires at this
 * moment stays without an address.
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

/** Locks in the order of ids, as settlements do. Waits for a donation that is expiring and leaves it out. */
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
