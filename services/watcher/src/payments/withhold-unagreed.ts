import { isConfirmed } from '@paywatch/domain/invoices';
import type { Currency } from '@paywatch/domain/values';
import type { UnsettledInvoice, UnsettledPayment } from '@paywatch/store/invoices';
import { askForAgreement, loadAgreements, type Agreement } from '@paywatch/store/payments';
import type { TransactionSql } from '@paywatch/store/postgres';
import type { WatcherContext } from '../context.ts';

export type BelievedPayment = UnsettledPayment & { isWithheld?: boolean };

/**
 * The payments by which each invoice is decided. For an order above the operator's limit, a payment that is deep enough on our
 * chain is withheld until a second source has it as deep in the same block. If no agreement was requested yet, it is requested
 * in the caller's transaction, and its result queues the invoice again.
 */
export async function withholdUnagreed(
  context: WatcherContext,
  tx: TransactionSql,
  currency: Currency,
  invoices: readonly UnsettledInvoice[],
): Promise<Map<bigint, readonly BelievedPayment[]>> {
  const limit = context.secondSourceAbove?.get(currency);
  const careful = invoices.filter((invoice) => needsAgreement(invoice, limit));
  const deep = careful.flatMap((invoice) => invoice.payments.filter((payment) => isDeep(payment, invoice)));
  const agreements =
    deep.length === 0 ? new Map<string, Agreement>() : await loadAgreements(tx, currency, deep.map(txidOf));
  const isWithheld = (payment: UnsettledPayment, invoice: UnsettledInvoice): boolean =>
    needsAgreement(invoice, limit) &&
    isDeep(payment, invoice) &&
    !isAgreed(payment, invoice, agreements.get(payment.txid));
  await askForAgreement(
    tx,
    currency,
    careful.flatMap((invoice) =>
      invoice.payments
        .filter((payment) => isWithheld(payment, invoice))
        .map(({ txid }) => ({ txid, depth: invoice.confirmationsRequired })),
    ),
  );
  return new Map(
    invoices.map((invoice) => [
      invoice.id,
      invoice.payments.map((payment) =>
        isWithheld(payment, invoice) ? { ...payment, isWithheld: true } : payment,
      ),
    ]),
  );
}

function needsAgreement({ type, expectedAmount }: UnsettledInvoice, limit: bigint | undefined): boolean {
  return limit !== undefined && type === 'order' && expectedAmount !== null && expectedAmount > limit;
}

function isDeep(payment: UnsettledPayment, invoice: UnsettledInvoice): boolean {
  return isConfirmed(payment, invoice.tipHeight, invoice.confirmationsRequired);
}

/** An agreement on another block does not cover this one. */
function isAgreed(
  { blockHash }: UnsettledPayment,
  { confirmationsRequired }: UnsettledInvoice,
  agreement: Agreement | undefined,
): boolean {
  return agreement?.blockHash === blockHash && (agreement?.depth ?? 0) >= confirmationsRequired;
}

function txidOf({ txid }: UnsettledPayment): string {
  return txid;
}
