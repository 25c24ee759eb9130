import { formatFiat, isPointOfSale, type LinkStatus, type PaymentLinkView } from '@paywatch/domain/contract';
import type { PaymentLink } from '@paywatch/store/payment-links';
import type { ApiConfig } from '../config.ts';

/** A link as its owner sees it. */
export function paymentLinkView(config: ApiConfig, link: PaymentLink): PaymentLinkView {
  const terms = {
    price: priceView(link),
    amount: link.amount === null ? null : String(link.amount),
    single_use: link.isSingleUse,
    available: link.available,
  };
  return {
    id: link.publicId,
    url: `${config.publicUrl}/l/${link.token}`,
    pos_url: isPointOfSale(terms) ? `${config.publicUrl}/pos/${link.token}` : null,
    title: link.title,
    description: link.description === '' ? null : link.description,
    ...terms,
    currencies: link.currencies,
    stock: link.stock,
    expires_at: link.expiresAt?.toISOString() ?? null,
    return_url: link.returnUrl,
    disabled: link.isDisabled,
    status: linkStatus(link),
    created_at: link.createdAt.toISOString(),
  };
}

/** The price of a link with all decimals of its currency; its amount is null where the buyer names it. */
function priceView({ priceAmount: amount, priceCurrency: currency }: PaymentLink): PaymentLinkView['price'] {
  if (currency === null) return null;
  return { amount: amount === null ? null : formatFiat(amount, currency), currency };
}

/** Whether a link sells. Pure. */
export function linkStatus({ isDisabled, isExpired, available }: PaymentLink): LinkStatus {
  if (isDisabled) return 'disabled';
  if (isExpired) return 'expired';
  return available === 0 ? 'sold_out' : 'open';
}
