import { amountProblem, parseFiat, type CreateInvoiceBody } from '@paywatch/domain/contract';
import type { LockedPrice } from '@paywatch/domain/invoices';
import { formatRate, priceInCoins } from '@paywatch/domain/prices';
import { AppError } from '@paywatch/domain/requests';
import { findPriceMargins, type PriceMargins } from '@paywatch/store/projects';
import type { Dependencies } from '../dependencies.ts';
import { invalidField } from '../invalid-field.ts';
import { assertRateOffered } from '../rates/offered-rate.ts';
import type { ReadRate } from '../rates/rate-reader.ts';

/** The amount of a priced invoice in minimal units, and what it was computed from. */
export type PricedAmount = { expectedAmount: bigint; price: LockedPrice };
/** A body with a price. */
export type PricedBody = Pick<CreateInvoiceBody, 'currency' | 'ttl_seconds'> & {
  price: NonNullable<CreateInvoiceBody['price']>;
};

/** A locked rate is an option that the merchant gives away, so priced invoices are short unless there is a margin for longer ones. */
export const PRICED_TTL_SECONDS = 900;
const MAX_PRICED_TTL_SECONDS = 3600;

/**
 * Converts the price of an invoice at the current rate. Returns the AppError that refuses it (rate_unavailable, or
 * validation_error) instead of throwing it: a repeat is answered nevertheless.
 */
export async function priceInvoice(
  { config, store, readRate }: Pick<Dependencies, 'config' | 'store' | 'readRate'>,
  projectId: bigint,
  body: PricedBody,
): Promise<PricedAmount | AppError> {
  try {
    assertRateOffered(config, body.price.currency, 'body.price.currency');
    const margin = marginOf(await findPriceMargins(store.sql, projectId), body.ttl_seconds);
    return await convertPrice(readRate, body, margin);
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
}

/**
 * Converts a price at the current rate, in a currency that has rates here. The margin is in basis points. Throws AppError
 * `validation_error` for an amount that no payment can have, and `rate_unavailable`.
 */
export async function convertPrice(
  readRate: ReadRate,
  { currency, price: named }: Pick<PricedBody, 'currency' | 'price'>,
  margin: number,
): Promise<PricedAmount> {
  const rate = await readRate({ currency, in: named.currency });
  const price = { amount: smallestUnits(named), currency: named.currency };
  const expectedAmount = priceInCoins(price, rate.value, margin);
  assertPayable(currency, expectedAmount);
  return { expectedAmount, price: { ...price, rate: { ...rate, value: formatRate(rate.value) } } };
}

/** Basis points. Throws AppError validation_error if the invoice would live too long. */
function marginOf({ margin, longMargin }: PriceMargins, ttlSeconds: number | null): number {
  if ((ttlSeconds ?? PRICED_TTL_SECONDS) <= MAX_PRICED_TTL_SECONDS) return margin;
  if (longMargin !== null) return longMargin;
  throw invalidField(
    'body.ttl_seconds',
    `Must be at most ${MAX_PRICED_TTL_SECONDS} with a price: the project has no margin for longer ones.`,
  );
}

function smallestUnits({ amount, currency }: PricedBody['price']): bigint {
  const units = parseFiat(amount, currency);
  if (units === null) throw new Error(`price "${amount}" is not valid in ${currency}`);
  return units;
}

function assertPayable(currency: PricedBody['currency'], amount: bigint): void {
  const problem = amountProblem(currency, amount);
  if (problem !== null) throw invalidField('body.price.amount', `Converted at the current rate: ${problem}`);
}
