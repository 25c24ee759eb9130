import type { AnySql } from '../postgres/database.ts';

/** Deliveries that have not ended, for the operator. */
export type PendingDeliveries = {
  pending: number;
  /** Those that no relay has picked up yet although their time has come. */
  due: number;
  /** Those that have failed and wait for the next attempt. */
  failing: number;
  /** The number of projects with such deliveries. */
  failingProjects: number;
};

/** Counts the pending deliveries. Reads a row for each of them. */
export async function countPendingDeliveries({ sql }: { sql: AnySql }): Promise<PendingDeliveries> {
  const [row] = await sql<PendingDeliveries[]>`
    select count(*)::int as pending,
      count(*) filter (where relay_at <= now() and (claimed_until is null or claimed_until <= now()))::int as due,
      count(*) filter (where failures > 0)::int as failing,
      count(distinct project_id) filter (where failures > 0)::int as "failingProjects"
    from deliveries where status = 'pending'`;
  return row ?? { pending: 0, due: 0, failing: 0, failingProjects: 0 };
}
