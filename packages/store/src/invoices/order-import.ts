import { isOlderThanLease } from '@paywatch/domain/invoices';
import { classOf } from '@paywatch/domain/pools';
import type { Currency } from '@paywatch/domain/values';
import { randomBase58, randomFraction } from '@paywatch/runtime/security';
import { writeAudit, type Actor } from '../accounts/audit.ts';
import { lockChain } from '../chain/chain-lead.ts';
import { inTransaction, type TransactionSql } from '../postgres/database.ts';
import { GRACE_SECONDS } from './invoice-snapshots.ts';
import { lockProject } from '../projects/lock-project.ts';
import { POOLS_CHANNEL } from '../pools/pools.ts';
import { STATS_SHARDS } from '../stats/project-stats.ts';
import { requestRescan } from '../chain/rescans.ts';
import { queueDecisions } from './settlement.ts';
import type { Store } from '../store.ts';

/** An open order of another system, at an address that it gave out. The script is that of the index in the wallet. */
export type OrderToImport = {
  currency: Currency;
  orderId: string;
  addressIndex: number;
  address: string;
  script: Uint8Array;
  /** Minimal units: all that the order asks for, what was paid of it included. */
  expectedAmount: bigint;
  confirmationsRequired: number;
  returnUrl: string | null;
  /** Since when it may have been paid. */
  createdAt: Date;
  expiresAt: Date;
};

/** Why an order cannot be imported. */
export type OrderRefusal =
  | 'order_id_taken'
  | 'address_given_out'
  | 'address_in_use'
  | 'expired'
  | 'no_wallet'
  | 'not_owner'
  | 'no_subscription';

/** What an import did, or would do. */
export type OrderImport = {
  /** By the position of the order in the list; with one of them nothing is imported. */
  refusals: { position: number; reason: OrderRefusal }[];
  /** Orders that were imported before. */
  present: number;
  imported: { orderId: string; publicId: string }[];
  /** Where new invoices of the wallet begin afterwards. */
  nextIndexes: Partial<Record<Currency, number>>;
};

export type ImportSettings = { projectId: bigint; graceSeconds?: number; actor: Actor; isDryRun: boolean };

/**
 * Takes over open orders: each becomes an invoice whose lease began when the order was created, all of them or none. What is
 * recorded since then and belongs to no invoice is given to it; the blocks and the mempool are read again for what is not.
 * Repeating an import changes nothing for those that are here. Indexes up to the highest one are never given out by this system,
 * whoever they belong to. A dry run looks at it all and does nothing.
 */
export async function importOrders(
  store: Store,
  orders: readonly OrderToImport[],
  settings: ImportSettings,
): Promise<OrderImport> {
  return inDryTransaction(store, settings.isDryRun, (tx) => importInto(tx, orders, settings));
}

/** Runs `work` and, where nothing is to remain of it, takes it back. */
async function inDryTransaction(
  store: Store,
  isDryRun: boolean,
  work: (tx: TransactionSql) => Promise<OrderImport>,
): Promise<OrderImport> {
  try {
    return await inTransaction(store, async (tx) => {
      const outcome = await work(tx);
      if (isDryRun || outcome.refusals.length > 0) throw new TakenBack(outcome);
      return outcome;
    });
  } catch (error) {
    if (error instanceof TakenBack) return error.outcome;
    throw error;
  }
}

class TakenBack extends Error {
  readonly outcome: OrderImport;
  constructor(outcome: OrderImport) {
    super('taken back');
    this.outcome = outcome;
  }
}

async function importInto(
  tx: TransactionSql,
  orders: readonly OrderToImport[],
  settings: ImportSettings,
): Promise<OrderImport> {
  // No payment is recorded between the look at what belongs to nobody and the lease. Before the project, as whoever records.
  for (const currency of new Set(orders.map((order) => order.currency).toSorted()))
    await lockChain(tx, currency);
  // Two imports of one project, and changes of its wallets, come one after the other.
  await lockProject(tx, settings.projectId);
  const outcome: OrderImport = { refusals: [], present: 0, imported: [], nextIndexes: {} };
  const positioned = orders.map((order, position) => ({ ...order, position }));
  for (const [currency, group] of Map.groupBy(positioned, (order) => order.currency)) {
    const known = await findKnownOrders(tx, settings.projectId, group);
    const fresh = group.filter(({ orderId }) => !known.has(orderId));
    outcome.present += group.length - fresh.length;
    outcome.refusals.push(...group.flatMap((order) => contradiction(order, known.get(order.orderId))));
    await importFresh(tx, currency, fresh, settings, outcome);
  }
  return outcome;
}

type Positioned = OrderToImport & { position: number };
type KnownOrder = { currency: Currency; addressIndex: number; script: Buffer; expectedAmount: bigint | null };

async function findKnownOrders(
  tx: TransactionSql,
  projectId: bigint,
  orders: readonly Positioned[],
): Promise<Map<string, KnownOrder>> {
  const rows = await tx<(KnownOrder & { orderId: string })[]>`
    select order_id as "orderId", currency, address_index as "addressIndex", script, expected_amount as "expectedAmount"
    from invoices
    where project_id = ${projectId} and order_id = any (${orders.map(({ orderId }) => orderId)}::text[])`;
  return new Map(rows.map(({ orderId, ...row }) => [orderId, row]));
}

function contradiction(order: Positioned, known: KnownOrder | undefined): OrderImport['refusals'] {
  if (known === undefined) return [];
  const isSame =
    known.currency === order.currency &&
    known.script.equals(order.script) &&
    known.expectedAmount === order.expectedAmount;
  return isSame ? [] : [{ position: order.position, reason: 'order_id_taken' }];
}

async function importFresh(
  tx: TransactionSql,
  currency: Currency,
  orders: readonly Positioned[],
  settings: ImportSettings,
  outcome: OrderImport,
): Promise<void> {
  if (orders.length === 0) return;
  const poolId = await findOwnPool(tx, settings.projectId, currency);
  if (typeof poolId === 'string') {
    outcome.refusals.push(...orders.map(({ position }) => ({ position, reason: poolId })));
    return;
  }
  const refusals = await findRefusals(tx, poolId, currency, orders);
  outcome.refusals.push(...refusals);
  if (refusals.length > 0) return;
  outcome.nextIndexes[currency] = await takeIndexes(tx, poolId, orders);
  const since = new Date(Math.min(...orders.map(({ createdAt }) => createdAt.getTime())));
  const rescanId = await requestRescan(tx, currency, { time: since });
  outcome.imported.push(...(await insertInvoices(tx, poolId, orders, { ...settings, rescanId })));
  await claimUnassigned(tx, currency, poolId, orders);
  await writeAudit(tx, {
    projectId: settings.projectId,
    action: 'orders.imported',
    actor: settings.actor,
    detail: { currency, count: orders.length },
  });
}

/** The pool behind the verified wallet, or why nothing can be imported into it. */
async function findOwnPool(
  tx: TransactionSql,
  projectId: bigint,
  currency: Currency,
): Promise<bigint | 'no_wallet' | 'not_owner' | 'no_subscription'> {
  const [row] = await tx<{ poolId: bigint | null; isOwner: boolean; isSubscribed: boolean }[]>`
    select w.pool_id as "poolId", coalesce(o.owner_project_id = p.id, false) as "isOwner",
      coalesce(p.subscription_active_until > now(), false) as "isSubscribed"
    from projects p
    left join wallets w on w.project_id = p.id and w.currency = ${currency} and w.status = 'verified'
    left join pools o on o.id = w.pool_id
    where p.id = ${projectId}`;
  if (row?.isSubscribed !== true) return 'no_subscription';
  if (row.poolId === null) return 'no_wallet';
  return row.isOwner ? row.poolId : 'not_owner';
}

async function findRefusals(
  tx: TransactionSql,
  poolId: bigint,
  currency: Currency,
  orders: readonly Positioned[],
): Promise<OrderImport['refusals']> {
  // All of them are locked: no invoice takes one before this transaction ends, and one that is taking it is waited for.
  const locked = await tx<{ index: number; leases: number }[]>`
    select address_index as index, lease_count as leases from pool_addresses
    where pool_id = ${poolId} and address_index = any (${orders.map((o) => o.addressIndex)}::int[])
    order by address_index for update`;
  const held = await tx<{ script: Buffer }[]>`
    select script from address_leases where currency = ${currency} and released_at is null
      and script = any (array(select decode(script, 'hex') from unnest(${orders.map(hexOf)}::text[]) script))`;
  const [row] = await tx<{ now: Date }[]>`select now() as now`;
  const givenOut = new Set(locked.filter(({ leases }) => leases > 0).map(({ index }) => index));
  const inUse = new Set(held.map(({ script }) => script.toString('hex')));
  const nowMs = row?.now.getTime() ?? 0;
  const reasonOf = (order: Positioned): OrderRefusal | null => {
    if (order.expiresAt.getTime() <= nowMs) return 'expired';
    if (givenOut.has(order.addressIndex)) return 'address_given_out';
    return inUse.has(hexOf(order)) ? 'address_in_use' : null;
  };
  return orders.flatMap((order) => {
    const reason = reasonOf(order);
    return reason === null ? [] : [{ position: order.position, reason }];
  });
}

/**
 * Takes the addresses of the orders out of the pool for good, and every lower one that was never leased here: the other system
 * gave them out. New ones begin behind the highest. Answers where.
 */
async function takeIndexes(
  tx: TransactionSql,
  poolId: bigint,
  orders: readonly Positioned[],
): Promise<number> {
  const next = Math.max(...orders.map(({ addressIndex }) => addressIndex)) + 1;
  await tx`
    update pool_addresses set state = 'retired', released_at = null
    where pool_id = ${poolId} and address_index < ${next} and state in ('derived', 'free') and lease_count = 0`;
  const taken = await tx`
    insert into pool_addresses as a (pool_id, address_index, script, address, address_class, state, lease_count)
    select ${poolId}, o.address_index, decode(o.script, 'hex'), o.address, o.address_class, 'retired', 1
    from unnest(
      ${orders.map((order) => order.addressIndex)}::int[], ${orders.map(hexOf)}::text[],
      ${orders.map(({ address }) => address)}::text[], ${orders.map((order) => classOf(order.addressIndex))}::text[]
    ) as o (address_index, script, address, address_class)
    order by o.address_index
    on conflict (pool_id, address_index) do update set lease_count = 1 where a.lease_count = 0 and a.state = 'retired'`;
  if (taken.count !== orders.length) throw new Error('an address was taken in this moment');
  // Last: whoever records payments locks addresses before pools, too.
  const [pool] = await tx<{ startIndex: number }[]>`
    update pools set start_index = greatest(start_index, ${next}), derived_until = greatest(derived_until, ${next})
    where id = ${poolId} returning start_index as "startIndex"`;
  await tx`select pg_notify(${POOLS_CHANNEL}, ${String(poolId)})`;
  return pool?.startIndex ?? next;
}

function hexOf({ script }: OrderToImport): string {
  return Buffer.from(script).toString('hex');
}

async function insertInvoices(
  tx: TransactionSql,
  poolId: bigint,
  orders: readonly Positioned[],
  { projectId, graceSeconds = GRACE_SECONDS, rescanId }: ImportSettings & { rescanId: bigint },
): Promise<OrderImport['imported']> {
  return tx<OrderImport['imported']>`
    with given as (
      select * from unnest(
        ${orders.map(() => `inv_${randomBase58(16)}`)}::text[], ${orders.map((o) => o.currency)}::text[],
        ${orders.map((o) => o.addressIndex)}::int[], ${orders.map((o) => o.address)}::text[], ${orders.map(hexOf)}::text[],
        ${orders.map((o) => String(o.expectedAmount))}::bigint[], ${orders.map((o) => o.confirmationsRequired)}::int[],
        ${orders.map((o) => o.orderId)}::text[], ${orders.map((o) => o.returnUrl)}::text[],
        ${orders.map((o) => o.expiresAt.toISOString())}::timestamptz[], ${orders.map((o) => o.createdAt.toISOString())}::timestamptz[]
      ) as o (public_id, currency, address_index, address, script, amount, confirmations, order_id, return_url, expires_at,
        ordered_at)
    ), invoice as (
      insert into invoices (public_id, project_id, type, currency, pool_id, address_index, address, script, address_reused,
        expected_amount, confirmations_required, order_id, return_url, ttl_seconds, expires_at, deadline_at)
      select public_id, ${projectId}, 'order', currency, ${poolId}, address_index, address, decode(script, 'hex'), false,
        amount, confirmations, order_id, return_url, greatest(1, extract(epoch from expires_at - now()))::int, expires_at,
        expires_at + make_interval(secs => ${graceSeconds})
      from given
      returning id, public_id, order_id, currency, script, address_index
    ), lease as (
      -- Without a counter and a tip: what was recorded since the order was created is its own.
      insert into address_leases (currency, script, pool_id, address_index, invoice_id, leased_at, rescan_id)
      select i.currency, i.script, ${poolId}, i.address_index, i.id, least(now(), g.ordered_at), ${rescanId}
      from invoice i join given g using (public_id)
    ), counted as (
      insert into project_stats as s (project_id, day, shard, orders_created, status_new)
      select ${projectId}, (now() at time zone 'UTC')::date, ${Math.floor(randomFraction() * STATS_SHARDS)}::smallint,
        count(*)::int, count(*)::int
      from invoice
      on conflict (project_id, day, shard) do update set
        orders_created = s.orders_created + excluded.orders_created, status_new = s.status_new + excluded.status_new
    )
    select order_id as "orderId", public_id as "publicId" from invoice`;
}

type Unassigned = {
  id: bigint;
  invoiceId: bigint;
  leasedAt: Date;
  mempoolAt: Date | null;
  firstSeenAt: Date;
};

/** Gives the orders what was paid to their addresses since they were created, and belongs to no invoice yet. */
async function claimUnassigned(
  tx: TransactionSql,
  currency: Currency,
  poolId: bigint,
  orders: readonly Positioned[],
): Promise<void> {
  const unassigned = await tx<Unassigned[]>`
    select p.id, l.invoice_id as "invoiceId", l.leased_at as "leasedAt", t.mempool_at as "mempoolAt",
      t.first_seen_at as "firstSeenAt"
    from unnest(${orders.map(hexOf)}::text[]) as o (hex)
    join address_leases l on l.script = decode(o.hex, 'hex') and l.currency = ${currency} and l.pool_id = ${poolId}
    join payments p on p.script = l.script and p.currency = l.currency and p.invoice_id is null
    join transactions t on t.currency = p.currency and t.txid = p.txid`;
  const claimed = unassigned.filter((payment) => !isOlder(payment));
  if (claimed.length === 0) return;
  await tx`
    update payments set invoice_id = c.invoice_id, pool_id = null
    from unnest(${claimed.map(({ id }) => String(id))}::bigint[],
                ${claimed.map(({ invoiceId }) => String(invoiceId))}::bigint[]) as c (id, invoice_id)
    where payments.id = c.id`;
  await queueDecisions(tx, currency, [...new Set(claimed.map(({ invoiceId }) => invoiceId))]);
}

/** What no mempool ever showed was first seen by the time of its block. */
function isOlder({ leasedAt, mempoolAt, firstSeenAt }: Unassigned): boolean {
  return isOlderThanLease(
    {
      readCounter: null,
      mempoolTimeMs: mempoolAt?.getTime() ?? null,
      block: mempoolAt === null ? { height: 0, timeMs: firstSeenAt.getTime() } : null,
    },
    { leasedAtMs: leasedAt.getTime(), readCounter: null, tipHeight: null },
  );
}
