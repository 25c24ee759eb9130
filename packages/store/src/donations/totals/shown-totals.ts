import type { GoalProgress, OverlayGoal } from '@paywatch/domain/contract';
import { goalProgress } from '@paywatch/domain/donations';
import type { Currency } from '@paywatch/domain/values';
import type { AnySql } from '../../postgres/database.ts';
import { loadCoinRates } from './coin-rates.ts';
import { coinSums, type JsonSums, sumsSince } from './day-sums.ts';

/** How far the goal of a project is reached; null if it has none. Its cost does not grow with the number of donations. */
export async function readGoal({ sql }: { sql: AnySql }, projectId: bigint): Promise<GoalProgress | null> {
  const [row] = await sql<{ goal: OverlayGoal; sums: JsonSums }[]>`
    select p.overlay_sources -> 'goal' as goal, ${sumsSince(sql, sql`p.overlay_sources #>> '{goal,since}'`)} as sums
    from projects p where p.id = ${projectId} and p.overlay_sources #>> '{goal,unit}' is not null`;
  return row ? goalProgress(row.goal, coinSums(row.sums), await loadCoinRates(sql)) : null;
}

/** A donation on a list of the newest. */
export type LatestDonation = {
  donorName: string | null;
  amount: bigint;
  currency: Currency;
};

/** The newest donations that overlays got, newest first; without tests, and those that are held or were dismissed. */
export async function listLatestDonations(
  { sql }: { sql: AnySql },
  projectId: bigint,
  limit: number,
): Promise<LatestDonation[]> {
  return sql<LatestDonation[]>`
    select donor_name as "donorName", amount, currency
    from overlay_donations where project_id = ${projectId} and not test order by id desc limit ${limit}`;
}
