import {
  AddressPoolBusyError,
  PaywatchConnectionError,
  RateUnavailableError,
  ServiceUnavailableError,
  type Paywatch,
} from '@paywatch/client';
import type { Order, Orders } from './orders.ts';
import { formatEuros } from './products.ts';

/** What the checkout needs. */
export type Checkout = { readonly paywatch: Paywatch; readonly orders: Orders; readonly shopUrl: string };

/**
 * Creates the invoice of an order and returns its payment page; null if it cannot be paid right now. Safe to repeat: `order_id` is unique,
 * so a second call returns the same invoice at the same rate.
 */
export async function startPayment(
  { paywatch, orders, shopUrl }: Checkout,
  order: Order,
  currency: 'BTC' | 'LTC',
): Promise<string | null> {
  try {
    const invoice = await paywatch.invoices.create({
      currency,
      type: 'order',
      order_id: order.id,
      price: { amount: formatEuros(order.totalCents), currency: 'EUR' },
      // Paywatch leads payers to https addresses only.
      ...(shopUrl.startsWith('https:') && { return_url: `${shopUrl}/orders/${order.id}` }),
    });
    orders.setInvoice(invoice);
    return invoice.pay_url;
  } catch (error) {
    if (isTemporary(error)) return null;
    throw error;
  }
}

/** Whether the buyer can simply try again. */
function isTemporary(error: unknown): boolean {
  return [RateUnavailableError, AddressPoolBusyError, ServiceUnavailableError, PaywatchConnectionError].some(
    (kind) => error instanceof kind,
  );
}
