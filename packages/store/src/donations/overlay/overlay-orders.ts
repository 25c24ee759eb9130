import type { AnySql } from '../../postgres/database.ts';
import type { Replay } from '../../schema/donations/moderation.ts';
import { loadDonationsById, type OverlayDonation } from './overlay-donations.ts';

/** What moderators want an overlay to do. */
export type OverlayOrders = {
  version: number;
  paused: boolean;
  /** Percent of the volume in the settings. */
  volume: number;
  clearedTo: bigint;
  clearedReplay: number;
  /** How long ago the alert on the screen was skipped; null if that is over a minute ago. */
  skippedMsAgo: number | null;
  /** Oldest first. */
  replays: { number: number; donation: OverlayDonation }[];
};

type OrdersRow = Omit<OverlayOrders, 'replays'> & { id: bigint; replays: Replay[] };

/** The orders for these projects' overlays by project id as text. Projects without moderation are left out. */
export async function loadOverlayOrders(
  { sql }: { sql: AnySql },
  projectIds: readonly bigint[],
): Promise<Map<string, OverlayOrders>> {
  const rows = await sql<OrdersRow[]>`
    select project_id as id, version, paused, volume, cleared_to as "clearedTo", cleared_replay as "clearedReplay", replays,
      case when skipped_at > clock_timestamp() - interval '1 minute'
        then (extract(epoch from clock_timestamp() - skipped_at) * 1000)::int end as "skippedMsAgo"
    from overlay_controls where project_id = any (${projectIds.map(String)}::bigint[])`;
  const positions = rows.flatMap(({ replays }) => replays.map(({ position }) => position));
  const donations = await loadDonationsById(sql, positions);
  return new Map(
    rows.map(({ id, replays, ...orders }) => [
      String(id),
      {
        ...orders,
        // A test donation may have been deleted meanwhile.
        replays: replays.flatMap(({ number, position }) => {
          const donation = donations.get(position);
          return donation ? [{ number, donation }] : [];
        }),
      },
    ]),
  );
}
