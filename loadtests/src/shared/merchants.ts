import { randomBase58, sha256 } from '@paywatch/runtime/security';
import type { Store } from '@paywatch/store';
import { byOperator, createApiKey, simpleKey } from '@paywatch/store/accounts';
import { addLeaseHints } from '@paywatch/store/redis';

/** A project that accepts BTC orders, with its own pool. */
export type Merchant = { projectId: bigint; apiKeyId: bigint; poolId: bigint; apiKey: string };

/**
 * Creates projects, each with an API key, a subscription and a verified wallet whose pool holds `addresses` free addresses, at
 * most 100,000. Ids of projects and pools are consecutive.
 */
export async function openMerchants(store: Store, count: number, addresses: number): Promise<Merchant[]> {
  const rows = await insertProjects(store, count, addresses);
  // One statement each: a busy machine may not insert all of them within the statement timeout.
  for (const { poolId } of rows) await insertAddresses(store, poolId, addresses);
  const merchants: Merchant[] = [];
  for (const { projectId, poolId } of rows)
    merchants.push({ projectId, poolId, ...(await openApiKey(store, projectId)) });
  return merchants;
}

function insertProjects(
  { sql }: Store,
  count: number,
  addresses: number,
): Promise<{ projectId: bigint; poolId: bigint }[]> {
  return sql<{ projectId: bigint; poolId: bigint }[]>`
    with account as (
      insert into accounts (email, password_hash)
      select gen_random_uuid() || '@example.org', 'none' from generate_series(1, ${count}::int) returning id
    ), project as (
      insert into projects (account_id, name, donate_token, overlay_token, subscription_active_until)
      select id, 'Shop', 'donate-' || id, 'overlay-' || id, now() + interval '1 year' from account order by id
      returning id
    ), pool as (
      insert into pools (currency, key_id, xpub, script_type, branch, owner_project_id, gap_limit, derived_until,
        history_checked_at)
      select 'BTC', 'key-' || id, 'xpub', 'p2wpkh', 0, id, 100000, ${addresses + 1}, now() from project order by id
      returning id, owner_project_id
    ), wallet as (
      insert into wallets (project_id, currency, pool_id, script_type, verification_address, gap_limit, status)
      select owner_project_id, 'BTC', id, 'p2wpkh', 'bc1q', 100000, 'verified' from pool
    )
    select owner_project_id as "projectId", id as "poolId" from pool order by id`;
}

/** Inserts addresses as a watcher would, but made of a hash of pool and index. The classes are those of the domain. */
async function insertAddresses({ sql }: Store, poolId: bigint, count: number): Promise<void> {
  await sql`
    insert into pool_addresses (pool_id, address_index, script, address, address_class, state, history_asked)
    select ${poolId}, i, '\\x0014'::bytea || substr(h, 1, 20), 'bc1q' || substr(encode(h, 'hex'), 1, 38),
      case when i % 10 = 0 then 'guests' when i % 2 = 0 then 'any' else 'orders' end, 'free', true
    from generate_series(1, ${count}::int) i, sha256(convert_to(${poolId}::bigint || '/' || i, 'UTF8')) h`;
}

async function openApiKey(store: Store, projectId: bigint): Promise<Pick<Merchant, 'apiKeyId' | 'apiKey'>> {
  const [keyPublic, secret] = [randomBase58(9), randomBase58(32)];
  await createApiKey(store, byOperator, {
    projectId,
    keyPublic,
    secretHash: sha256(secret),
    ...simpleKey('full'),
  });
  const [row] = await store.sql<{ id: bigint }[]>`select id from api_keys where key_public = ${keyPublic}`;
  if (!row) throw new Error('the key was just created');
  return { apiKeyId: row.id, apiKey: `pw_${keyPublic}_${secret}` };
}

/** Indexes per Redis command. */
const HINTS = 5000;

/** Adds a lease hint to Redis for every free address, as the watchers do in batches. */
export async function offerAddresses(store: Store, { poolId }: Merchant, addresses: number): Promise<void> {
  for (let first = 1; first <= addresses; first += 2 * HINTS) {
    const length = Math.min(HINTS, Math.ceil((addresses + 1 - first) / 2));
    const odd = Array.from({ length }, (_, step) => first + 2 * step);
    await addLeaseHints(store, poolId, 'orders', odd);
    await addLeaseHints(
      store,
      poolId,
      'any',
      odd.map((index) => index + 1).filter((index) => index % 10 !== 0),
    );
  }
}

/**
 * Analyzes the addresses, as autovacuum does after an insert of this size. Not the other tables: a connection keeps the plans that
 * it makes now, and those for tables that were analyzed while empty read all invoices of a project.
 */
export async function analyzeAddresses({ sql }: Store): Promise<void> {
  await sql`vacuum analyze pool_addresses`;
}

/** Inserts a chain view that stays fresh for a day. */
export async function openChain({ sql }: Store): Promise<void> {
  await sql`
    insert into chains (currency, network, tip_height, tip_hash, tip_time, checked_at, mempool_read_at)
    values ('BTC', 'mainnet', 800000, sha256('tip'), now(), now() + interval '1 day', now() + interval '1 day')`;
}
