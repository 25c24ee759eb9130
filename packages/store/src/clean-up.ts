import type { Currency } from '@paywatch/domain';
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

/**
 * Takes scripts out of the Redis watch set 90 days after their last lease; from then on Postgres alone answers for them.
 * Killed between the two steps, the set keeps a script too many, which costs a few bytes until it is rebuilt.
 */
export const unwatchOldLeases: CleanUp = async ({ sql, redis, keys }, limit) => {
  const leases = await sql<{ currency: Currency; script: Buffer }[]>`
    update address_leases set watched = false where id in (
      select l.id from address_leases l
      where l.watched and l.released_at < now() - interval '90 days'
      order by l.released_at limit ${limit} for update skip locked)
    returning currency, script`;
  const scripts = leases.map(({ script }) => script.toString('hex'));
  const held = await sql<{ currency: Currency; script: string }[]>`
    select l.currency, encode(l.script, 'hex') as script from address_leases l
    where l.script = any (array(select decode(s, 'hex') from unnest(${scripts}::text[]) s)) and l.watched`;
  const stillWatched = new Set(held.map(({ currency, script }) => `${currency} ${script}`));
  const gone = leases.filter(
    ({ currency, script }) => !stillWatched.has(`${currency} ${script.toString('hex')}`),
  );
  await Promise.all(gone.map(({ currency, script }) => redis.srem(keys.watchedScripts(currency), script)));
  return leases.length;
};
