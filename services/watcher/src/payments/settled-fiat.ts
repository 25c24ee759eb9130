import { coinsInFiat } from '@paywatch/domain/prices';
import type { FiatRate, InvoiceRate } from '@paywatch/store/invoices';
import type { FiatChange } from '@paywatch/store/stats';
import type { Verdict } from './decide-invoice.ts';
import { acceptedBefore, acceptedNow } from './settled-stats.ts';

/** The invoices that become confirmed now, and have no rate yet: theirs is that of this moment. */
export function invoicesWithoutRate(verdicts: readonly Verdict[]): bigint[] {
  return verdicts
    .filter(({ invoice }) => invoice.fiatRate === null)
    .filter(({ decision }) => decision.steps.some(({ event }) => event === 'invoice.confirmed'))
    .map(({ invoice }) => invoice.id);
}

/** How the totals change by these verdicts, each invoice at its own rate: the stored one, or that of this moment. Pure. */
export function fiatChanges(verdicts: readonly Verdict[], rates: readonly InvoiceRate[]): FiatChange[] {
  const found = new Map(rates.map(({ invoiceId, rate }) => [invoiceId, rate]));
  return verdicts.flatMap((verdict) => {
    const rate = verdict.invoice.fiatRate ?? found.get(verdict.invoice.id);
    return rate === undefined ? [] : changeOf(verdict, rate);
  });
}

/** A difference of two rounded amounts, so that a reversal takes away exactly what was added. */
function changeOf(verdict: Verdict, rate: FiatRate): FiatChange[] {
  const had = acceptedBefore(verdict);
  const has = acceptedNow(verdict);
  const amount = coinsInFiat(has.amount, rate) - coinsInFiat(had.amount, rate);
  const count = has.count - had.count;
  if (amount === 0n && count === 0) return [];
  return [{ projectId: verdict.invoice.projectId, currency: rate.currency, amount, count }];
}
