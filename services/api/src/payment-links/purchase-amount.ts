import { parseFiat, type BuyByPaymentLinkBody } from '@paywatch/domain/contract';
import type { PaymentLink } from '@paywatch/store/payment-links';
import { invalidField } from '../invalid-field.ts';

/** What a buyer pays: minimal units of the coin, or the smallest units of a currency to be converted. */
export type PurchaseAmount =
  { kind: 'coins'; amount: bigint } | { kind: 'price'; amount: bigint; currency: string };

type Terms = Pick<PaymentLink, 'amount' | 'priceAmount' | 'priceCurrency'>;
type Named = Pick<BuyByPaymentLinkBody, 'amount' | 'price_amount'>;

/** The amount of the link, or the one that the buyer names where the link leaves it open. Throws `validation_error`. Pure. */
export function purchaseAmount(link: Terms, { amount, price_amount: priceAmount }: Named): PurchaseAmount {
  if (link.priceCurrency !== null) {
    refuse(amount, 'body.amount');
    return {
      kind: 'price',
      amount: priceOf(link, link.priceCurrency, priceAmount),
      currency: link.priceCurrency,
    };
  }
  refuse(priceAmount, 'body.price_amount');
  if (link.amount !== null) refuse(amount, 'body.amount');
  const paid = link.amount ?? amount;
  if (paid === null) throw invalidField('body.amount', 'Is required by this link.');
  return { kind: 'coins', amount: paid };
}

function priceOf({ priceAmount: fixed }: Terms, currency: string, named: string | null): bigint {
  if (fixed !== null) {
    refuse(named, 'body.price_amount');
    return fixed;
  }
  if (named === null) throw invalidField('body.price_amount', 'Is required by this link.');
  const units = parseFiat(named, currency);
  if (units === null) throw invalidField('body.price_amount', 'Has more decimals than its currency.');
  if (units === 0n) throw invalidField('body.price_amount', 'Must be above zero.');
  return units;
}

function refuse(value: unknown, path: string): void {
  if (value !== null) throw invalidField(path, 'The link sets the amount.');
}
