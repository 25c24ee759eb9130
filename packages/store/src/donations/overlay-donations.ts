import type { Currency } from '@paywatch/domain/values';
import type { AnySql, TransactionSql } from '../postgres/database.ts';

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

/** The projects that overlay tokens stand for; a token that stands for none (any more) is left out. One statement. */
export async function findOverlayProjects(
  { sql }: { sql: AnySql },
  overlayTokens: readonly string[],
): Promise<Map<string, bigint>> {
  const projects = await sql<{ id: bigint; overlay_token: string }[]>`
    select id, overlay_token from projects where overlay_token = any (${[...overlayTokens]}::text[])`;
  return new Map(projects.map((project) => [project.overlay_token, project.id]));
}

/** The newest position of a project's overlay, 0 where there is none, and the token that opens it. */
export type OverlayHead = { position: bigint; overlayToken: string };

/** The heads of these projects, by project id as text. One statement. */
export async function loadOverlayHeads(
  { sql }: { sql: AnySql },
  projectIds: readonly bigint[],
): Promise<Map<string, OverlayHead>> {
  const rows = await sql<{ project_id: bigint; overlay_token: string; head: bigint }[]>`
    select p.id as project_id, p.overlay_token, coalesce((
      select d.id from overlay_donations d where d.project_id = p.id order by d.id desc limit 1), 0) as head
    from projects p where p.id = any (${projectIds.map(String)}::bigint[])`;
  return new Map(
    rows.map((row) => [String(row.project_id), { position: row.head, overlayToken: row.overlay_token }]),
  );
}

/** Positions that a client may resume from: all of 24 hours, and never fewer than the last 1,000. */
export const KEPT_DONATIONS = 1000;

/** What follows a place, and the token that opened the overlay when it was read; null where there is no such project. */
export type OverlayPage = { donations: OverlayDonation[]; overlayToken: string | null };

/**
 * What follows each of these places, at most `limit` donations of each in ascending order; those that are no longer kept
 * are passed over. Answers in the order of the places, in one statement: a token that was replaced before opens none of it.
 */
export async function loadOverlayDonations(
  { sql }: { sql: AnySql },
  places: readonly { projectId: bigint; after: bigint }[],
  limit: number,
): Promise<OverlayPage[]> {
  const rows = await sql<PlacedRow[]>`
    select (w.place - 1)::int as place, p.overlay_token, d.*
    from unnest(${places.map(({ projectId }) => String(projectId))}::bigint[],
                ${places.map(({ after }) => String(after))}::bigint[])
      with ordinality as w (project_id, after, place)
    join projects p on p.id = w.project_id
    left join lateral (
      select ${columns(sql)} from overlay_donations
      where project_id = w.project_id and id > w.after
        and (confirmed_at > now() - interval '24 hours' or id >= coalesce((
          select k.id from overlay_donations k where k.project_id = w.project_id
          order by k.id desc offset ${KEPT_DONATIONS - 1} limit 1), 0))
      order by id limit ${limit}
    ) d on true
    order by w.place, d.id`;
  const byPlace = Map.groupBy(rows, ({ place }) => place);
  return places.map((_, place) => toPage(byPlace.get(place) ?? []));
}

/** A project without a further donation has one row, without an id. */
type PlacedRow = { place: number; overlay_token: string } & (OverlayRow | { id: null });

function toPage(rows: readonly PlacedRow[]): OverlayPage {
  const donations = rows.flatMap((row) => (row.id === null ? [] : toDonation(row)));
  return { donations, overlayToken: rows[0]?.overlay_token ?? null };
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
