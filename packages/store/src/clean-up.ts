import type { Store } from './store.ts';

/** Deletes at most `limit` rows that nothing needs any more and returns how many there were. Many may run at once. */
export type CleanUp = (store: Store, limit: number) => Promise<number>;

/** Keys of repeats: promised for 24 hours. Their invoices stay. */
export const deleteOldIdempotencyKeys: CleanUp = async ({ sql }, limit) => {
  const deleted = await sql`
    delete from idempotency_keys where (project_id, key) in (
      select project_id, key from idempotency_keys where created_at < now() - interval '48 hours'
      order by created_at limit ${limit} for update skip locked)`;
  return deleted.count;
};

/** Sessions that have ended by themselves. */
export const deleteExpiredSessions: CleanUp = async ({ sql }, limit) => {
  const deleted = await sql`
    delete from sessions where token_hash in (
      select token_hash from sessions where expires_at < now()
      order by expires_at limit ${limit} for update skip locked)`;
  return deleted.count;
};
