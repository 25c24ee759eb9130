import { LATEST_DONATIONS } from '@paywatch/domain/overlay';
import type { AnySql } from '../postgres/database.ts';
import {
  donationColumns,
  KEPT_DONATIONS,
  type OverlayDonation,
  type OverlayRow,
  toDonation,
} from './overlay/overlay-donations.ts';

/** Whose newest donations are listed, and from which amounts; null for those of the project's settings. Minimal units. */
export type LatestRequest = {
  projectId: bigint;
  minAmountBtc: bigint | null;
  minAmountLtc: bigint | null;
};

/** The newest donations of a project that sources list, and its newest position (0 if it has none). */
export type LatestDonations = { donations: OverlayDonation[]; position: bigint; overlayToken: string };

/**
 * Reads the newest donations that a list of them shows, in ascending order: no tests, none below the minimum, only among those that every
 * client can resume from. Returns them in the order of the requests; null for an unknown project. It is one statement, so no donation up to
 * the position is missing, and a token that was replaced before opens none of them.
 */
export async function loadLatestDonations(
  { sql }: { sql: AnySql },
  requests: readonly LatestRequest[],
): Promise<(LatestDonations | null)[]> {
  const rows = await sql<LatestRow[]>`
    select (w.place - 1)::int as place, p.overlay_token, coalesce(h.id, 0) as position, d.*
    from unnest(${requests.map(({ projectId }) => String(projectId))}::bigint[],
                ${requests.map(({ minAmountBtc }) => String(minAmountBtc ?? NO_MINIMUM))}::bigint[],
                ${requests.map(({ minAmountLtc }) => String(minAmountLtc ?? NO_MINIMUM))}::bigint[])
      with ordinality as w (project_id, min_btc, min_ltc, place)
    join projects p on p.id = w.project_id
    left join lateral (
      select id from overlay_donations where project_id = w.project_id order by id desc limit 1
    ) h on true
    left join lateral (
      select ${donationColumns(sql)} from (
        select * from overlay_donations where project_id = w.project_id order by id desc limit ${KEPT_DONATIONS}
      ) kept
      where not test and amount >= case currency
        when 'BTC' then coalesce(nullif(w.min_btc, ${NO_MINIMUM}), (p.overlay_settings ->> 'min_amount_btc')::bigint, 0)
        else coalesce(nullif(w.min_ltc, ${NO_MINIMUM}), (p.overlay_settings ->> 'min_amount_ltc')::bigint, 0)
      end
      order by id desc limit ${LATEST_DONATIONS}
    ) d on true
    order by w.place, d.id`;
  const byPlace = Map.groupBy(rows, ({ place }) => place);
  return requests.map((_, place) => toLatest(byPlace.get(place) ?? []));
}

/** Stands for null in an array of numbers. */
const NO_MINIMUM = -1;

/** A project without such donations has one row without an id. */
type LatestRow = { place: number; overlay_token: string; position: bigint } & (OverlayRow | { id: null });

function toLatest(rows: readonly LatestRow[]): LatestDonations | null {
  const [first] = rows;
  if (first === undefined) return null;
  const donations = rows.flatMap((row) => (row.id === null ? [] : toDonation(row)));
  return { donations, position: first.position, overlayToken: first.overlay_token };
}
