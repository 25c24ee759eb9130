import type { Store } from '@paywatch/store';
import type { TransactionSql } from '@paywatch/store/postgres';
import type { Merchant } from '../shared/merchants.ts';

/** The number of past invoices, and the days over which they are spread. */
export type History = { count: number; days: number };

/** Outcomes of 100 invoices; the remaining one is open. */
const CONFIRMED = 70;
const EXPIRED = 27;
const UNDERPAID = 2;

/**
 * Writes invoices with all rows that the services would have written: leases, addresses, transactions, payments, events with
 * bodies of the usual length, deliveries with one attempt, counters. Half of them belong to the first merchant. Rows are inserted
 * table by table, in the order in which the services would have inserted them.
 */
export async function writeHistory(
  store: Store,
  merchants: readonly Merchant[],
  { count, days }: History,
): Promise<void> {
  await store.sql.begin(async (tx) => {
    // Skips foreign keys and triggers for speed: the rows are consistent by construction.
    await tx`set local session_replication_role = replica`;
    await tx`set local synchronous_commit = off`;
    await tx`set local statement_timeout = 0`;
    await tx`set local work_mem = '256MB'`;
    const indexes = await dropIndexes(tx);
    await drawInvoices(tx, merchants, { count, days });
    await insertInvoices(tx);
    await insertAddresses(tx);
    await insertPayments(tx);
    await insertEvents(tx);
    await insertCounters(tx);
    await tx`set local maintenance_work_mem = '512MB'`;
    for (const definition of indexes) await tx.unsafe(definition);
  });
  await vacuum(store);
}

/** Creates the table `past`: one row for each invoice, with its merchant and outcome. */
async function drawInvoices(
  tx: TransactionSql,
  merchants: readonly Merchant[],
  { count, days }: History,
): Promise<void> {
  await tx`
      create temp table shop on commit drop as
      select s.n - 1 as place, s.project_id, s.pool_id,
        (select coalesce(max(address_index), 0) from pool_addresses a where a.pool_id = s.pool_id) as highest
      from unnest(${merchants.map(({ projectId }) => String(projectId))}::bigint[],
                  ${merchants.map(({ poolId }) => String(poolId))}::bigint[])
        with ordinality as s (project_id, pool_id, n)`;
  await tx`
      create temp table past on commit drop as
      select n, project_id, pool_id,
        highest + row_number() over (partition by pool_id order by n)::int as address_index,
        now() - make_interval(days => ${days}::int) * ((${count}::int - n)::float8 / ${count}::int) as created_at,
        case when n % 10 = 0 then 'donation' else 'order' end as type,
        case when luck < ${CONFIRMED} then 'confirmed' when luck < ${CONFIRMED + EXPIRED} then 'expired'
             when luck < ${CONFIRMED + EXPIRED + UNDERPAID} then 'underpaid'
             else 'new' end as status
      from generate_series(1, ${count}::int) n
      cross join lateral (select (n * 37 + n / 100) % 100 as luck,
        case when n % 2 = 0 then 0 else 1 + (n / 2) % greatest(1, (select count(*) from shop) - 1) end as shop) drawn
      join shop on shop.place = drawn.shop
      order by n`;
}

/** Creates the table `made`: the invoices, with what the other tables need of them. */
async function insertInvoices(tx: TransactionSql): Promise<void> {
  await tx`
      create temp table made on commit drop as
      with made as (
        insert into invoices (public_id, project_id, type, status, currency, pool_id, address_index, address, script,
          address_reused, expected_amount, confirmations_required, order_id, ttl_seconds, created_at, expires_at,
          deadline_at, version, reversed, request_hash, outcome_at, payments_digest, deadline_swept)
        select 'inv_' || translate(encode(substr(sha256(convert_to('invoice ' || n, 'UTF8')), 1, 11), 'hex'), '0', 'x'), project_id, type, status,
          'BTC', pool_id, address_index, 'bc1q' || substr(encode(h, 'hex'), 1, 38), '\\x0014'::bytea || substr(h, 1, 20),
          false, 150000, 1, case type when 'order' then 'past-' || n end, 3600, created_at,
          created_at + interval '1 hour',
          case status when 'new' then now() + interval '1 day' else created_at + interval '62 minutes' end,
          case status when 'new' then 1 else 3 end, n % 20 = 0 and status = 'confirmed', h,
          case status when 'new' then null else created_at + interval '62 minutes' end, substr(h, 1, 16), status <> 'new'
        from past, sha256(convert_to(pool_id || '/' || address_index, 'UTF8')) h
        order by n
        returning *
      )
      select id, public_id, project_id, pool_id, address_index, script, type, status, created_at, outcome_at,
        status in ('confirmed', 'underpaid') as is_paid
      from made`;
  await tx`analyze made`;
}

async function insertAddresses(tx: TransactionSql): Promise<void> {
  await tx`
      insert into pool_addresses (pool_id, address_index, script, address, address_class, state, lease_count,
        last_project_id, released_at, donated, history_asked)
      select pool_id, address_index, script, 'bc1q' || substr(encode(script, 'hex'), 5, 38),
        case when address_index % 10 = 0 then 'guests' when address_index % 2 = 0 then 'any' else 'orders' end,
        case when status = 'new' then 'leased' when is_paid then 'retired' else 'free' end, 1, project_id,
        case status when 'expired' then outcome_at end, type = 'donation', true
      from made order by pool_id, address_index`;
  await tx`
      insert into address_leases (currency, script, pool_id, address_index, invoice_id, leased_at, released_at, watched)
      select 'BTC', script, pool_id, address_index, id, created_at, outcome_at,
        outcome_at is null or outcome_at > now() - interval '90 days'
      from made order by id`;
}

async function insertPayments(tx: TransactionSql): Promise<void> {
  await tx`
      insert into transactions (currency, txid, state, first_seen_at, block_height, block_hash)
      select 'BTC', sha256(convert_to('tx ' || id, 'UTF8')), 'block', created_at + interval '5 minutes',
        800000 - ceil(extract(epoch from now() - created_at) / 600)::int, sha256('block')
      from made where is_paid order by id`;
  await tx`
      insert into transaction_inputs (currency, spent_txid, spent_vout, txid)
      select 'BTC', sha256(convert_to('spent ' || id, 'UTF8')), 0, sha256(convert_to('tx ' || id, 'UTF8'))
      from made where is_paid order by id`;
  await tx`
      insert into payments (currency, txid, vout, invoice_id, script, amount, first_seen_at, counted, created_at)
      select 'BTC', sha256(convert_to('tx ' || id, 'UTF8')), 0, id, script,
        case status when 'confirmed' then 150000 else 50000 end, created_at + interval '5 minutes', true,
        created_at + interval '5 minutes'
      from made where is_paid order by id`;
}

/** Events, with one delivery and one attempt each. */
async function insertEvents(tx: TransactionSql): Promise<void> {
  await tx`
      create temp table inserted on commit drop as
      with inserted as (
        insert into events (public_id, project_id, invoice_id, type, body, created_at)
        select 'evt_' || substr(public_id, 5), project_id, id, 'invoice.' || status, ${eventBody()}, outcome_at
        from made where status <> 'new' order by id
        returning id, project_id, created_at
      )
      select * from inserted`;
  await tx`
      create temp table sent on commit drop as
      with sent as (
        insert into deliveries (event_id, project_id, status, attempts, schedule_started_at, next_attempt_at, relay_at,
          claims, delivered_at, created_at)
        select id, project_id, 'delivered', 1, created_at, null, created_at, 1, created_at, created_at from inserted order by id
        returning id, created_at
      )
      select * from sent`;
  await tx`
      insert into delivery_attempts (delivery_id, number, url, started_at, duration_ms, http_status, response_excerpt)
      select id, 1, 'https://shop.example/paywatch', created_at, 80, 200, 'ok' from sent order by id`;
}

async function insertCounters(tx: TransactionSql): Promise<void> {
  await tx`
      insert into idempotency_keys (project_id, key, invoice_id, created_at)
      select project_id, 'past-key-' || id, id, created_at from made
      where created_at > now() - interval '2 days' order by project_id, id`;
  await tx`
      insert into project_stats (project_id, day, shard, orders_created, donations_created, confirmed, btc_amount, btc_count,
        status_new, status_confirmed, status_expired, status_underpaid)
      select project_id, (created_at at time zone 'UTC')::date, id % 16, count(*) filter (where type = 'order'),
        count(*) filter (where type = 'donation'), count(*) filter (where status = 'confirmed'),
        150000 * count(*) filter (where status = 'confirmed'), count(*) filter (where status = 'confirmed'),
        count(*) filter (where status = 'new'), count(*) filter (where status = 'confirmed'),
        count(*) filter (where status = 'expired'), count(*) filter (where status = 'underpaid')
      from made group by 1, 2, 3`;
  await tx`update pools p set last_used_index = m.highest from (
      select pool_id, max(address_index) as highest from made group by 1) m where p.id = m.pool_id`;
}

/** Vacuums and analyzes all tables, as autovacuum would over time. */
export async function vacuum({ sql }: Store): Promise<void> {
  const connection = await sql.reserve();
  await connection`set statement_timeout = 0`;
  await connection`vacuum analyze`;
  await connection`reset statement_timeout`;
  connection.release();
}

/** Drops all indexes except those of constraints, to speed up the inserts. Returns the statements that create them again. */
async function dropIndexes(tx: TransactionSql): Promise<string[]> {
  const rows = await tx<{ name: string; definition: string }[]>`
    select indexname as name, indexdef as definition from pg_indexes
    where schemaname = 'public' and not exists (select from pg_constraint c where c.conname = indexname)`;
  for (const { name } of rows) await tx`drop index ${tx(name)}`;
  return rows.map(({ definition }) => definition);
}

/** As long as the event body of an order with one payment. */
function eventBody(): string {
  return JSON.stringify({ id: 'evt_', type: 'invoice.confirmed', data: { invoice: 'x'.repeat(1150) } });
}
