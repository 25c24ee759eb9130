import type { Currency } from '@paywatch/domain/values';
import { type FiatAmount, fiatWorth } from '@paywatch/domain/donations';
import { parseRate, RATE_DECIMALS } from '@paywatch/domain/prices';
import type { AnySql, TransactionSql } from '../../postgres/database.ts';
import { holdDonation } from './held-donations.ts';
import { joinRate } from '../join-rate.ts';
import { shownMessage } from '../shown-message.ts';
import { lockOverlay } from './overlay-lock.ts';
import { countDonations } from '../totals/count-donations.ts';

/** A confirmed transaction of a donation as overlays show it. `id` is its position in the stream. */
export type OverlayDonation = {
  id: bigint;
  projectId: bigint;
  publicId: string;
  donorName: string | null;
  donorMessage: string | null;
  amount: bigint;
  currency: Currency;
  /** What it was worth when it was confirmed; null if the streamer wants coins alone, or no rate was known. */
  fiat: FiatAmount | null;
  confirmedAt: Date;
  isTest: boolean;
};

/** Input of `insertOverlayDonation`; names and currency come from the invoice. */
export type NewOverlayDonation = {
  invoiceId: bigint;
  projectId: bigint;
  /** Display hex. */
  txid: string;
  /** What the transaction paid to the invoice, in minimal units. */
  amount: bigint;
};

/** A donation that was added: to the stream of its project, or to what its moderators decide about. */
export type AddedDonation = {
  projectId: bigint;
  /** Its position; null while it is held. */
  id: bigint | null;
};

/**
 * Adds a confirmed transaction of a donation to its project's stream, or holds it for the moderators. Null if it was added before, so it
 * is safe to repeat. Holds a lock on the project until the transaction ends, so that positions become visible in ascending order: a
 * reader of position n has seen all lower ones. A transaction that adds several must do so in ascending order of project, or two of them
 * can deadlock.
 */
export async function insertOverlayDonation(
  tx: TransactionSql,
  donation: NewOverlayDonation,
): Promise<AddedDonation | null> {
  const { projectId, invoiceId, txid, amount } = donation;
  await lockOverlay(tx, projectId);
  const known = await tx`
    select from overlay_donations where invoice_id = ${invoiceId} and txid = decode(${txid}, 'hex')
    union all select from held_donations where invoice_id = ${invoiceId} and txid = decode(${txid}, 'hex')`;
  if (known.length > 0) return null;
  if (await holdDonation(tx, donation)) return { projectId, id: null };
  const [row] = await tx<{ id: bigint }[]>`
    insert into overlay_donations
      (project_id, invoice_id, txid, public_id, currency, amount, donor_name, donor_message, fiat_currency, fiat_rate)
    select i.project_id, i.id, decode(${txid}, 'hex'), i.public_id, i.currency, ${amount}, i.donor_name, ${shownMessage(tx, amount)},
      r.price_currency, r.value
    from invoices i ${joinRate(tx, tx`i.project_id`, tx`i.currency`)} where i.id = ${invoiceId}
    on conflict (invoice_id, txid) do nothing returning id`;
  if (!row) return null;
  await countDonations(tx, projectId);
  return { projectId, id: row.id };
}

/** Adds an invented donation, marked as a test, so that streamers can try the overlay. */
export async function insertTestDonation(
  tx: TransactionSql,
  donation: Pick<
    OverlayDonation,
    'projectId' | 'publicId' | 'currency' | 'amount' | 'donorName' | 'donorMessage'
  >,
): Promise<OverlayDonation> {
  await lockOverlay(tx, donation.projectId);
  const [row] = await tx<OverlayRow[]>`
    insert into overlay_donations
      (project_id, public_id, currency, amount, donor_name, donor_message, test, fiat_currency, fiat_rate)
    select d.project_id, ${donation.publicId}, d.currency, ${donation.amount}, ${donation.donorName},
      ${donation.donorMessage}, true, r.price_currency, r.value
    from (select ${donation.projectId}::bigint as project_id, ${donation.currency}::text as currency) d
    ${joinRate(tx, tx`d.project_id`, tx`d.currency`)}
    returning ${donationColumns(tx)}`;
  if (!row) throw new Error(`test donation of project ${donation.projectId} was not inserted`);
  return toDonation(row);
}

/** The projects of overlay tokens, in one statement; invalid tokens are left out. */
export async function findOverlayProjects(
  { sql }: { sql: AnySql },
  overlayTokens: readonly string[],
): Promise<Map<string, bigint>> {
  const projects = await sql<{ id: bigint; overlay_token: string }[]>`
    select id, overlay_token from projects where overlay_token = any (${[...overlayTokens]}::text[])`;
  return new Map(projects.map((project) => [project.overlay_token, project.id]));
}

/**
 * The newest position of a project's overlay (0 if it is empty), its current token, and the version of its settings and of what
 * moderators want.
 */
export type OverlayHead = { position: bigint; overlayToken: string; settingsVersion: number };

/** The heads of these projects by project id as text, in one statement. */
export async function loadOverlayHeads(
  { sql }: { sql: AnySql },
  projectIds: readonly bigint[],
): Promise<Map<string, OverlayHead>> {
  const rows = await sql<
    { project_id: bigint; overlay_token: string; overlay_version: number; head: bigint }[]
  >`
    select p.id as project_id, p.overlay_token, p.overlay_version + coalesce(c.version, 0) as overlay_version, coalesce((
      select d.id from overlay_donations d where d.project_id = p.id order by d.id desc limit 1), 0) as head
    from projects p left join overlay_controls c on c.project_id = p.id
    where p.id = any (${projectIds.map(String)}::bigint[])`;
  return new Map(
    rows.map(
      ({ project_id: id, head: position, overlay_token: overlayToken, overlay_version: settingsVersion }) => [
        String(id),
        { position, overlayToken, settingsVersion },
      ],
    ),
  );
}

/** Positions that a client can resume from: those of the last 24 hours, and at least the last 1,000. */
export const KEPT_DONATIONS = 1000;

/** The donations after a position, and the overlay token at the time of the read; null if there is no such project. */
export type OverlayPage = { donations: OverlayDonation[]; overlayToken: string | null };

/**
 * Reads the donations after each of these positions, at most `limit` each, in ascending order; deleted ones are skipped.
 * Returns the pages in the order of the positions. It is one statement, so a token that was replaced before opens none of them.
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
      select ${donationColumns(sql)} from overlay_donations
      where project_id = w.project_id and id > w.after
        and (coalesce(approved_at, confirmed_at) > now() - interval '24 hours' or id >= coalesce((
          select k.id from overlay_donations k where k.project_id = w.project_id
          order by k.id desc offset ${KEPT_DONATIONS - 1} limit 1), 0))
      order by id limit ${limit}
    ) d on true
    order by w.place, d.id`;
  const byPlace = Map.groupBy(rows, ({ place }) => place);
  return places.map((_, place) => toPage(byPlace.get(place) ?? []));
}

/** These donations by position as text. Runs no statement for none. */
export async function loadDonationsById(
  sql: AnySql,
  positions: readonly string[],
): Promise<Map<string, OverlayDonation>> {
  if (positions.length === 0) return new Map();
  const rows = await sql<OverlayRow[]>`
    select ${donationColumns(sql)} from overlay_donations where id = any (${[...positions]}::bigint[])`;
  return new Map(rows.map((row) => [String(row.id), toDonation(row)]));
}

/** A project without further donations has one row without an id. */
type PlacedRow = { place: number; overlay_token: string } & (OverlayRow | { id: null });

function toPage(rows: readonly PlacedRow[]): OverlayPage {
  const donations = rows.flatMap((row) => (row.id === null ? [] : toDonation(row)));
  return { donations, overlayToken: rows[0]?.overlay_token ?? null };
}

/** A row of `donationColumns`. */
export type OverlayRow = {
  id: bigint;
  project_id: bigint;
  public_id: string;
  donor_name: string | null;
  donor_message: string | null;
  amount: bigint;
  currency: Currency;
  fiat_currency: string | null;
  fiat_rate: string | null;
  confirmed_at: Date;
  test: boolean;
};

/** What `toDonation` needs. */
export function donationColumns(sql: AnySql) {
  return sql`id, project_id, public_id, donor_name, donor_message, amount, currency, fiat_currency, fiat_rate::text,
    confirmed_at, test`;
}

/** A row as overlays show it. */
export function toDonation(row: OverlayRow): OverlayDonation {
  return {
    id: row.id,
    projectId: row.project_id,
    publicId: row.public_id,
    donorName: row.donor_name,
    donorMessage: row.donor_message,
    amount: row.amount,
    currency: row.currency,
    fiat: fiatOf(row),
    confirmedAt: row.confirmed_at,
    isTest: row.test,
  };
}

function fiatOf({ amount, currency, fiat_currency: fiat, fiat_rate: rate }: OverlayRow): FiatAmount | null {
  const value = rate === null ? null : parseRate(rate, RATE_DECIMALS);
  return value === null || fiat === null ? null : fiatWorth(amount, currency, { value, currency: fiat });
}
