import { inTransaction } from './database.ts';
import { KEPT_DONATIONS } from '../donations/overlay/overlay-donations.ts';
import type { Store } from '../store.ts';
import { UNCONFIRMED_MINUTES } from '../accounts/second-factors/factors.ts';

/**
 * Deletes at most `limit` rows that are no longer needed and returns their number. Many may run at once. `quarantineSeconds`:
 * how long a released address stays in quarantine.
 */
export type CleanUp = (store: Store, limit: number, quarantineSeconds?: number) => Promise<number>;

/** Deletes the rows of a table whose `expires_at` has passed. */
function deleteExpired(table: string, key: string): CleanUp {
  return async ({ sql }, limit) => {
    const deleted = await sql`
      delete from ${sql(table)} where ${sql(key)} in (
        select ${sql(key)} from ${sql(table)} where expires_at < now()
        order by expires_at limit ${limit} for update skip locked)`;
    return deleted.count;
  };
}

const DONOR_KEPT_SECONDS = 24 * 3600;

/** Idempotency keys, which are kept for 24 hours as promised. Their invoices stay. */
export const deleteOldIdempotencyKeys: CleanUp = async ({ sql }, limit) => {
  const deleted = await sql`
    delete from idempotency_keys where (project_id, key) in (
      select project_id, key from idempotency_keys where created_at < now() - interval '48 hours'
      order by created_at limit ${limit} for update skip locked)`;
  return deleted.count;
};

/** Expired sessions. */
export const deleteExpiredSessions = deleteExpired('sessions', 'token_hash');

/** Networks without a login for 180 days. They count as known for 30. */
export const deleteOldLoginOrigins: CleanUp = async ({ sql }, limit) => {
  const deleted = await sql`
    delete from login_origins where (account_id, origin) in (
      select account_id, origin from login_origins where last_login_at < now() - interval '180 days'
      order by last_login_at limit ${limit} for update skip locked)`;
  return deleted.count;
};

/** Replaced webhook secrets that no longer sign. */
export const forgetReplacedSecrets: CleanUp = async ({ sql }, limit) => {
  const forgotten = await sql`
    update webhook_endpoints set previous_secret_sealed = null, previous_secret_until = null
    where id in (
      select id from webhook_endpoints where previous_secret_until < now()
      order by previous_secret_until limit ${limit} for update skip locked)`;
  return forgotten.count;
};

/** A project keeps as many test events: a rate limit alone would let them grow for as long as somebody sends them. */
const KEPT_TEST_EVENTS = 100;

/** Test events older than 30 days or not among the last of their project, with deliveries and attempts. Events of invoices stay. */
export const deleteOldTestEvents: CleanUp = async (store, limit) =>
  inTransaction(store, async (tx) => {
    const old = await tx<{ id: bigint }[]>`
      select id from events
      where invoice_id is null and (created_at < now() - interval '30 days' or id in (
        select id from (
          select id, row_number() over (partition by project_id order by id desc) as place
          from events where invoice_id is null
        ) test where place > ${KEPT_TEST_EVENTS}))
      order by created_at limit ${limit} for update skip locked`;
    const ids = tx.array(old.map(({ id }) => String(id)));
    // Deliveries first, one by one: this waits for a worker that is recording an attempt.
    const deliveries = await tx<{ id: bigint }[]>`
      delete from deliveries
      where event_id = any (${ids}::bigint[]) or further_event_id = any (${ids}::bigint[]) returning id`;
    await tx`
      delete from delivery_attempts
      where delivery_id = any (${tx.array(deliveries.map(({ id }) => String(id)))}::bigint[])`;
    await tx`delete from events where id = any (${ids}::bigint[])`;
    return old.length;
  });

/** Test donations that no overlay can resume from: older than a day and not among the last 1,000 of their project. */
export const deleteOldTestDonations: CleanUp = async ({ sql }, limit) => {
  const deleted = await sql`
    with kept as materialized (
      select p.project_id, (
        select k.id from overlay_donations k where k.project_id = p.project_id
        order by k.id desc offset ${KEPT_DONATIONS - 1} limit 1) as from_id
      from (
        select distinct project_id from overlay_donations where test and confirmed_at < now() - interval '24 hours'
      ) p
    )
    delete from overlay_donations where id in (
      select d.id from kept join overlay_donations d on d.project_id = kept.project_id and d.id < kept.from_id
      where d.test and d.confirmed_at < now() - interval '24 hours'
      order by d.id limit ${limit} for update of d skip locked)`;
  return deleted.count;
};

/** Used proofs of work that have expired and so cannot be used again. */
export const deleteExpiredProofs = deleteExpired('donation_proofs', 'id');

/**
 * The donor's network of an address that has been free for a day, or for the quarantine if that is longer. Until then the
 * address counts for the network.
 */
export const forgetDonorNetworks: CleanUp = async ({ sql }, limit, quarantineSeconds = 0) => {
  const keptSeconds = Math.max(DONOR_KEPT_SECONDS, quarantineSeconds);
  const forgotten = await sql`
    update pool_addresses a set donor_network = null
    from (
      select pool_id, address_index from pool_addresses
      where donor_network is not null and state = 'free' and released_at < now() - make_interval(secs => ${keptSeconds}::int)
      limit ${limit} for update skip locked
    ) rested
    where a.pool_id = rested.pool_id and a.address_index = rested.address_index`;
  return forgotten.count;
};

/**
 * Mails 14 days after they were written, sent or not; dropped ones after a day, since their recipients may have no account. The
 * limits of mails count a day.
 */
export const deleteOldMails: CleanUp = async ({ sql }, limit) => {
  const deleted = await sql`
    delete from mails where id in (
      select id from mails
      where created_at < now() - interval '1 day'
        and (status = 'dropped' or created_at < now() - interval '14 days')
      order by created_at limit ${limit} for update skip locked)`;
  return deleted.count;
};

/** Expired links of mails. */
export const deleteExpiredEmailTokens = deleteExpired('email_tokens', 'token_hash');

/** Invitations that nobody accepted in time, with their links. */
export const deleteExpiredInvitations = deleteExpired('project_invitations', 'id');

/** Changes of email that were not confirmed in time. */
export const deleteExpiredEmailChanges = deleteExpired('email_changes', 'account_id');

/** Unfinished logins whose challenge has expired. */
export const deleteExpiredChallenges = deleteExpired('login_challenges', 'token_hash');

/** Challenges that no passkey has answered in time. */
export const deleteExpiredPasskeyChallenges = deleteExpired('passkey_challenges', 'challenge_hash');

/** Second factors that were not confirmed in time. */
export const deleteUnconfirmedFactors: CleanUp = async ({ sql }, limit) => {
  const deleted = await sql`
    delete from second_factors where id in (
      select id from second_factors
      where confirmed_at is null and created_at < now() - make_interval(mins => ${UNCONFIRMED_MINUTES})
      order by created_at limit ${limit} for update skip locked)`;
  return deleted.count;
};

/** Incidents 90 days after they ended. */
export const deleteOldIncidents: CleanUp = async ({ sql }, limit) => {
  const deleted = await sql`
    delete from incidents where id in (
      select id from incidents where started_at < now() - interval '90 days' and ended_at < now() - interval '90 days'
      order by started_at limit ${limit} for update skip locked)`;
  return deleted.count;
};
