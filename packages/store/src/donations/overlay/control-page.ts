import type { HoldReason } from '@paywatch/domain/contract';
import type { Currency } from '@paywatch/domain/values';
import type { AnySql } from '../../postgres/database.ts';
import type { ControlState } from './overlay-controls.ts';
import type { OverlayDonation } from './overlay-donations.ts';

/** The newest version of a control page (it grows with each change and each donation) and its current token. */
export type ControlHead = { version: bigint; token: string | null };

/** The heads of these projects' control pages by project id as text, in one statement. */
export async function loadControlHeads(
  { sql }: { sql: AnySql },
  projectIds: readonly bigint[],
): Promise<Map<string, ControlHead>> {
  const rows = await sql<(ControlHead & { id: bigint })[]>`
    select c.project_id as id, c.token, ${versionOf(sql)} as version
    from overlay_controls c where c.project_id = any (${projectIds.map(String)}::bigint[])`;
  return new Map(rows.map(({ id, ...head }) => [String(id), head]));
}

/** From 1 on: a client without a message is at 0. Both numbers only grow and change under the lock of the overlay, so the sum does, too. */
function versionOf(sql: AnySql) {
  return sql`c.version + 1 + coalesce((
    select d.id from overlay_donations d where d.project_id = c.project_id order by d.id desc limit 1), 0)`;
}

/** A donation that waits for a decision. */
export type HeldDonation = Pick<OverlayDonation, 'donorName' | 'donorMessage' | 'amount' | 'currency'> & {
  id: bigint;
  reason: HoldReason;
  confirmedAt: Date;
};

/** What a control page shows. */
export type ControlPage = ControlHead &
  ControlState & {
    projectName: string | null;
    held: HeldDonation[];
    heldCount: number;
    recent: Omit<OverlayDonation, 'projectId' | 'publicId' | 'fiat'>[];
  };

const SHOWN_HELD = 50;
const COUNTED_HELD = 1000;
const SHOWN_RECENT = 20;

/** JSON turns numbers beyond 2^53 into others, so ids and amounts are text in it. */
type JsonDonation = {
  id: string;
  donorName: string | null;
  donorMessage: string | null;
  amount: string;
  currency: Currency;
  confirmedAt: string;
};
type JsonPage = Omit<ControlPage, 'held' | 'recent'> & {
  id: bigint;
  held: (JsonDonation & { reason: HoldReason })[];
  recent: (JsonDonation & { isTest: boolean })[];
};

/** The control pages of these projects by project id as text, in one statement, so that each is of one moment. */
export async function loadControlPages(
  { sql }: { sql: AnySql },
  projectIds: readonly bigint[],
): Promise<Map<string, ControlPage>> {
  const rows = await sql<JsonPage[]>`
    select c.project_id as id, c.token, ${versionOf(sql)} as version, c.paused, c.volume, nullif(p.name, '') as "projectName",
      (select count(*)::int from (
        select from held_donations h where h.project_id = c.project_id and h.decision is null limit ${COUNTED_HELD}
      ) counted) as "heldCount",
      coalesce((select json_agg(json_build_object(${donationFields(sql)}, 'reason', d.reason) order by d.id) from (
        select * from held_donations h where h.project_id = c.project_id and h.decision is null
        order by h.id limit ${SHOWN_HELD}) d), '[]') as held,
      coalesce((select json_agg(json_build_object(${donationFields(sql)}, 'isTest', d.test) order by d.id desc) from (
        select * from overlay_donations o where o.project_id = c.project_id
        order by o.id desc limit ${SHOWN_RECENT}) d), '[]') as recent
    from overlay_controls c join projects p on p.id = c.project_id
    where c.project_id = any (${projectIds.map(String)}::bigint[])`;
  return new Map(rows.map(({ id, ...page }) => [String(id), toPage(page)]));
}

function donationFields(sql: AnySql) {
  return sql`'id', d.id::text, 'donorName', d.donor_name, 'donorMessage', d.donor_message, 'amount', d.amount::text,
    'currency', d.currency, 'confirmedAt', d.confirmed_at`;
}

function toPage({ held, recent, ...page }: Omit<JsonPage, 'id'>): ControlPage {
  return { ...page, held: held.map(parseDonation), recent: recent.map(parseDonation) };
}

function parseDonation<Row extends JsonDonation>({ id, amount, confirmedAt, ...rest }: Row) {
  return { ...rest, id: BigInt(id), amount: BigInt(amount), confirmedAt: new Date(confirmedAt) };
}
