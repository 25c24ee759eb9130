import { CHAINS, type Currency } from './chains.ts';
import { formatCoins } from '../values/money.ts';

/** The content of a payment URI. */
export interface PaymentRequest {
  readonly currency: Currency;
  readonly address: string;
  /** In minimal units; null leaves the amount to the payer. */
  readonly amount: bigint | null;
  /** The payee's name, shown by the payer's wallet. */
  readonly label?: string | undefined;
}

/** Builds the URI that wallets open or scan (BIP 21), with the amount in coins: `bitcoin:bc1…?amount=0.0015`. */
export function paymentUri(request: PaymentRequest): string {
  const fields = [
    ...(request.amount === null ? [] : [`amount=${formatCoins(request.amount)}`]),
    ...(request.label === undefined ? [] : [`label=${encodeURIComponent(request.label.toWellFormed())}`]),
  ];
  const query = fields.length === 0 ? '' : `?${fields.join('&')}`;
  return `${CHAINS[request.currency].uriScheme}:${request.address}${query}`;
}
