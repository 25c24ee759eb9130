import {
  linkTermsProblem,
  parseFiat,
  type LinkTerms,
  type UpdatePaymentLinkBody,
} from '@paywatch/domain/contract';
import type { PaymentLinkTerms } from '@paywatch/store/payment-links';
import type { ApiConfig } from '../config.ts';
import { invalidField } from '../invalid-field.ts';
import { assertRateOffered } from '../rates/offered-rate.ts';

/** The terms that a body names; absent fields are left out. Throws `validation_error` for a currency without rates here. */
export function namedTerms(config: ApiConfig, body: UpdatePaymentLinkBody): Partial<PaymentLinkTerms> {
  const { title, description, price, amount, currencies, stock, expires_at: expiresMs } = body;
  const { return_url: returnUrl, disabled: isDisabled } = body;
  if (price) assertRateOffered(config, price.currency, 'body.price.currency');
  return {
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    ...(price !== undefined && priceTerms(price)),
    ...(amount !== undefined && { amount }),
    ...(currencies !== undefined && { currencies }),
    ...(stock !== undefined && { stock }),
    ...(expiresMs !== undefined && { expiresAt: expiresMs === null ? null : new Date(expiresMs) }),
    ...(returnUrl !== undefined && { returnUrl }),
    ...(isDisabled !== undefined && { isDisabled }),
  };
}

type Price = NonNullable<UpdatePaymentLinkBody['price']>;

function priceTerms(price: Price | null): Pick<PaymentLinkTerms, 'priceAmount' | 'priceCurrency'> {
  if (price === null) return { priceAmount: null, priceCurrency: null };
  const { amount, currency } = price;
  return { priceAmount: amount === null ? null : parseFiat(amount, currency), priceCurrency: currency };
}

/** Throws `validation_error` where the terms do not fit together. */
export function assertTermsFit(
  terms: Omit<LinkTerms, 'hasPrice'> & Pick<PaymentLinkTerms, 'priceCurrency'>,
): void {
  const problem = linkTermsProblem({ ...terms, hasPrice: terms.priceCurrency !== null });
  if (problem !== null) throw invalidField(`body.${problem.field}`, problem.message);
}
