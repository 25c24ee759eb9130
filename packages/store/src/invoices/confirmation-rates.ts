import { parseRate, RATE_DECIMALS } from '@paywatch/domain/prices';
import type { TransactionSql } from '../postgres/database.ts';

/** The price of one coin in units of 10^-12, in a currency of prices (ISO 4217). */
export type FiatRate = { value: bigint; currency: string };

/** A rate to store with an invoice. */
export type InvoiceRate = { invoiceId: bigint; rate: FiatRate };

/**
 * The rates to store with these invoices as they are confirmed, in the currency of their project; those without one are left out. A
 * priced invoice keeps the rate of its price. Nothing is priced by it, so it may be older than one for orders.
 */
export async function findConfirmationRates(
  tx: TransactionSql,
  ids: readonly bigint[],
): Promise<InvoiceRate[]> {
  if (ids.length === 0) return [];
  const rows = await tx<{ id: bigint; currency: string; value: string | null }[]>`
    select i.id, p.fiat_currency as currency,
      case when i.price_currency = p.fiat_currency then i.rate_value else r.value end::text as value
    from invoices i
    join projects p on p.id = i.project_id
    left join exchange_rates r on r.currency = i.currency and r.price_currency = p.fiat_currency
      and r.withheld is null and r.taken_at > now() - interval '1 hour'
    where i.id = any (${ids.map(String)}::bigint[]) and p.fiat_currency is not null`;
  return rows.flatMap(({ id, currency, value }) => {
    const rate = toFiatRate(currency, value);
    return rate === null ? [] : [{ invoiceId: id, rate }];
  });
}

/** Null unless both are given and the rate is readable: a missing rate must not stop a settlement. */
export function toFiatRate(currency: string | null, text: string | null): FiatRate | null {
  const value = text === null ? null : parseRate(text, RATE_DECIMALS);
  return currency === null || value === null ? null : { value, currency };
}
