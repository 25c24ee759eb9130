import type { Currency } from '@paywatch/domain';
import type { AnySql, TransactionSql } from './database.ts';

/** A confirmed transaction of a donation, as it is shown on overlays. `id` is its position in the stream. */
export type OverlayDonation = {
  id: bigint;
  projectId: bigint;
  publicId: string;
  donorName: string | null;
  donorMessage: string | null;
  amount: bigint;
  currency: Currency;
  confirmedAt: Date;
  isTest: boolean;
};

/** What `insertOverlayDonation` needs; names and currency are taken from the invoice. */
export type NewOverlayDonation = {
  invoiceId: bigint;
  projectId: bigint;
  /** Display hex. */
  txid: string;
  /** What the transaction paid to the invoice, in minimal units. */
  amount: bigint;
};

/**
 * Adds a confirmed transaction of a donation to its project's stream. Null when it is there already: safe to repeat.
 * Holds a lock of the project until the transaction ends, so that positions become visible in ascending order: a
 * reader that has seen position n has seen all below. Where one transaction adds several, it must add them in
 * ascending order of project, or two of them can wait for each other.
 */
export async function insertOverlayDonation(
  tx: TransactionSql,
  donation: NewOverlayDonation,
): Promise<OverlayDonation | null> {
  await lockOverlay(tx, donation.projectId);
  const [row] = await tx<OverlayRow[]>`
    insert into overlay_donations
      (project_id, invoice_id, txid, public_id, currency, amount, donor_name, donor_message)
    select i.project_id, i.id, decode(${donation.txid}, 'hex'), i.public_id, i.currency, ${donation.amount},
      i.donor_name, i.donor_message
    from invoices i
    where i.id = ${donation.invoiceId}
    on conflict (invoice_id, txid) do nothing
    returning ${columns(tx)}`;
  return row ? toDonation(row) : null;
}

/** Adds a made-up donation, marked as a test, so that a streamer sees the overlay at work. */
export async function insertTestDonation(
  tx: TransactionSql,
  donation: Pick<
    OverlayDonation,
    'projectId' | 'publicId' | 'currency' | 'amount' | 'donorName' | 'donorMessage'
  >,
): Promise<OverlayDonation> {
  await lockOverlay(tx, donation.projectId);
  const [row] = await tx<OverlayRow[]>`
    insert into overlay_donations (project_id, public_id, currency, amount, donor_name, donor_message, test)
    values (${donation.projectId}, ${donation.publicId}, ${donation.currency}, ${donation.amount},
      ${donation.donorName}, ${donation.donorMessage}, true)
    returning ${columns(tx)}`;
  if (!row) throw new Error('an insert without a condition returns its row');
  return toDonation(row);
}

/** Any constant: keeps our locks apart from those of the migration. */
const OVERLAY_LOCK_CLASS = 7_294_119;

/** The second key is 32 bits, so two projects may share a lock; that only makes them wait. */
async function lockOverlay(tx: TransactionSql, projectId: bigint): Promise<void> {
  await tx`select pg_advisory_xact_lock(${OVERLAY_LOCK_CLASS}::int, (${projectId}::bigint % 2147483647)::int)`;
}

type OverlayRow = {
  id: bigint;
  project_id: bigint;
  public_id: string;
  donor_name: string | null;
  donor_message: string | null;
  amount: bigint;
  currency: Currency;
  confirmed_at: Date;
  test: boolean;
};

function columns(sql: AnySql) {
  return sql`id, project_id, public_id, donor_name, donor_message, amount, currency, confirmed_at, test`;
}

function toDonation(row: OverlayRow): OverlayDonation {
  return {
    id: row.id,
    projectId: row.project_id,
    publicId: row.public_id,
    donorName: row.donor_name,
    donorMessage: row.donor_message,
    amount: row.amount,
    currency: row.currency,
    confirmedAt: row.confirmed_at,
    isTest: row.test,
  };
}
