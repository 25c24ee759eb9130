import type { Currency } from '@paywatch/domain/values';
import { describeFault, mayBelongToInvoice, parkInvoice } from '@paywatch/store/invoices';
import type { TransactionSql } from '@paywatch/store/postgres';
import type { WatcherContext } from '../context.ts';
import { NOTHING_SETTLED, settleInvoices, type Settled } from './settle-invoices.ts';

/** Decides invoices in the caller's transaction: `settleInvoices`, or a variant that parks failing invoices. */
export type Settle = typeof settleInvoices;

/**
 * Runs `work`, which decides invoices in its own transaction. If one invoice makes it fail, `work` runs again with a `settle`
 * that parks failing invoices and decides the others; only then does it use savepoints. Rejects with every error that is not
 * caused by one invoice.
 */
export async function settlingWithParking<T>(work: (settle: Settle) => Promise<T>): Promise<T> {
  try {
    return await work(settleInvoices);
  } catch (error) {
    if (!mayBelongToInvoice(error)) throw error;
    return work(settleOrPark);
  }
}

/** Bisects: a failing half is rolled back to its savepoint and split, down to the single failing invoices. */
async function settleOrPark(
  context: WatcherContext,
  tx: TransactionSql,
  currency: Currency,
  ids: readonly bigint[],
): Promise<Settled> {
  // In ascending order, as every settlement locks them, although in parts.
  const sorted = ids.toSorted((a, b) => (a < b ? -1 : 1));
  try {
    return await tx.savepoint((part) => settleInvoices(context, part, currency, sorted));
  } catch (error) {
    if (!mayBelongToInvoice(error)) throw error;
    const [only, ...others] = sorted;
    if (only === undefined) throw error;
    if (others.length === 0) return park(tx, currency, only, error);
    return settleHalves(context, tx, currency, sorted);
  }
}

async function settleHalves(
  context: WatcherContext,
  tx: TransactionSql,
  currency: Currency,
  ids: readonly bigint[],
): Promise<Settled> {
  const middle = Math.ceil(ids.length / 2);
  const lower = await settleOrPark(context, tx, currency, ids.slice(0, middle));
  const upper = await settleOrPark(context, tx, currency, ids.slice(middle));
  return {
    changed: [...lower.changed, ...upper.changed],
    reversed: [...lower.reversed, ...upper.reversed],
    donations: [...lower.donations, ...upper.donations],
    events: [...lower.events, ...upper.events],
    parked: [...lower.parked, ...upper.parked],
  };
}

async function park(
  tx: TransactionSql,
  currency: Currency,
  invoiceId: bigint,
  error: unknown,
): Promise<Settled> {
  const fault = describeFault(error);
  await parkInvoice(tx, currency, invoiceId, fault);
  return { ...NOTHING_SETTLED, parked: [{ invoiceId, currency, ...fault }] };
}
