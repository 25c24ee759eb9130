import { CHAINS, type Currency } from './chains.ts';
import { formatCoins } from '../values/money.ts';

/** What a payment URI asks for. */
export interface PaymentRequest {
  readonly currency: Currency;
  readonly address: string;
  /** In minimal units; null leaves the amount to the payer. */
  readonly amount: bigint | null;
  /** Who is paid, as shown by the payer's wallet. */
  readonly label?: string | undefined;
}

/** Builds the URI that wallets open or scan, its amount in coins (BIP 21): `bitcoin:bc1…?amount=0.0015`. */
export function paymentUri(request: PaymentRequest): string {
  const fields = [
    ...(request.amount === null ? [] : [`amount=${formatCoins(request.amount)}`]),
    ...(request.label === undefined ? [] : [`label=${encodeURIComponent(request.label.toWellFormed())}`]),
  ];
  const query = fields.length === 0 ? '' : `?${fields.join('&')}`;
  return `${CHAINS[request.currency].uriScheme}:${request.address}${query}`;
}
