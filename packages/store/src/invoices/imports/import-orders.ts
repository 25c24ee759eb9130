import type { Currency } from '@paywatch/domain/values';
import { type Actor, writeAudit } from '../../accounts/audit.ts';
import { lockChain } from '../../chain/leadership.ts';
import { requestRescan } from '../../chain/rescans.ts';
import { type TransactionSql, inTransaction } from '../../postgres/database.ts';
import { lockProject } from '../../projects/lock-project.ts';
import type { Store } from '../../store.ts';
import {
  type OrderImport,
  type OrderToImport,
  type Positioned,
  claimUnassigned,
  insertInvoices,
} from './imported-orders.ts';
import { findOwnPool, findRefusals, reserveIndexes } from './order-addresses.ts';

export type ImportSettings = { projectId: bigint; graceSeconds?: number; actor: Actor; isDryRun: boolean };

/**
 * Imports open orders: all of them become invoices, or none does. Each lease starts when its order was created. Recorded
 * payments since then that belong to no invoice are assigned to the order; blocks and mempool are read again for the others.
 * Repeating an import changes nothing for imported orders. Indexes up to the highest imported one are never leased by this
 * system. A dry run checks everything and changes nothing.
 */
export async function importOrders(
  store: Store,
  orders: readonly OrderToImport[],
  settings: ImportSettings,
): Promise<OrderImport> {
  return inRevertibleTransaction(store, settings.isDryRun, (tx) => importInto(tx, orders, settings));
}

/** Runs `work` and rolls it back if it is a dry run or was refused. */
async function inRevertibleTransaction(
  store: Store,
  isDryRun: boolean,
  work: (tx: TransactionSql) => Promise<OrderImport>,
): Promise<OrderImport> {
  try {
    return await inTransaction(store, async (tx) => {
      const outcome = await work(tx);
      if (isDryRun || outcome.refusals.length > 0) throw new DryRunRollback(outcome);
      return outcome;
    });
  } catch (error) {
    if (error instanceof DryRunRollback) return error.outcome;
    throw error;
  }
}

class DryRunRollback extends Error {
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
  // Locked so that no payment is recorded between the search for unassigned payments and the lease. Before the project, in the
  // order of every recording.
  for (const currency of new Set(orders.map((order) => order.currency).toSorted()))
    await lockChain(tx, currency);
  // Imports and wallet changes of one project run one after another.
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
  outcome.nextIndexes[currency] = await reserveIndexes(tx, poolId, orders);
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
