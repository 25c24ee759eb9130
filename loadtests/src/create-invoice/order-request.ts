import { httpRequest } from '../shared/http-load.ts';
import type { Merchant } from '../shared/merchants.ts';

let orders = 0;

/** A request for a new order, with an Idempotency-Key, of the next merchant in turn. */
export function orderRequest(path: string, merchants: readonly Merchant[]): string {
  orders += 1;
  const merchant = merchants[orders % merchants.length];
  const body = { currency: 'BTC', type: 'order', expected_amount: '150000', order_id: `order-${orders}` };
  const headers = { 'X-Api-Key': merchant?.apiKey ?? '', 'Idempotency-Key': `key-${orders}` };
  return httpRequest('POST', path, headers, JSON.stringify(body));
}
