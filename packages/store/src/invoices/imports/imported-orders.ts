import { isOlderThanLease } from '@paywatch/domain/invoices';
import { type Currency, publicId } from '@paywatch/domain/values';
import { randomFraction, secureRandomBytes } from '@paywatch/runtime/security';
import type { TransactionSql } from '../../postgres/database.ts';
import { STATS_SHARDS } from '../../stats/project-stats.ts';
import { queueDecisions } from '../due-decisions.ts';
import type { ImportSettings } from './import-orders.ts';
import { GRACE_SECONDS } from '../invoice-snapshots.ts';

/** An open order of another system, at an address that it gave out. The script is that of the index in the wallet. */
export type OrderToImport = {
  currency: Currency;
  orderId: string;
  addressIndex: number;
  address: string;
  script: Uint8Array;
  /** Minimal units: the full amount of the order, including what was already paid. */
  expectedAmount: bigint;
  confirmationsRequired: number;
  returnUrl: string | null;
  /** Payments count from this time on. */
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

/** What an import did, or would do in a dry run. */
export type OrderImport = {
  /** By the position of the order in the list. A single refusal prevents the whole import. */
  refusals: { position: number; reason: OrderRefusal }[];
  /** Orders that were already imported. */
  present: number;
  imported: { orderId: string; publicId: string }[];
  /** The index at which new invoices of the wallet start afterwards. */
  nextIndexes: Partial<Record<Currency, number>>;
};

export type Positioned = OrderToImport & { position: number };

export function hexOf({ script }: OrderToImport): string {
  return Buffer.from(script).toString('hex');
}

export async function insertInvoices(
  tx: TransactionSql,
  poolId: bigint,
  orders: readonly Positioned[],
  { projectId, graceSeconds = GRACE_SECONDS, rescanId }: ImportSettings & { rescanId: bigint },
): Promise<OrderImport['imported']> {
  return tx<OrderImport['imported']>`
    with given as (
      select * from unnest(
        ${orders.map(() => publicId('inv_', secureRandomBytes(16)))}::text[], ${orders.map((o) => o.currency)}::text[],
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
      -- No counter and no tip: everything recorded since the order was created belongs to it.
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

/** Assigns payments to the imported addresses, made since the orders were created, that belong to no invoice yet. */
export async function claimUnassigned(
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

/** A payment that was never in a mempool was first seen at the time of its block. */
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
