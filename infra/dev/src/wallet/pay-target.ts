import { z } from 'zod';
import { createApiClient } from '../stack/api-client.ts';
import { scriptOf, type Currency } from './regtest-address.ts';
import type { Payer } from './payer.ts';

/** A payment request: an address, payment URI, pay_url or public_id; the amount in minimal units. */
export const payRequest = z.object({
  target: z.string().min(1),
  amount: z
    .string()
    .regex(/^[1-9][0-9]{0,15}$/, 'the amount must be a whole number of minimal units')
    .optional(),
  currency: z.enum(['BTC', 'LTC']).optional(),
});

/** A completed payment. */
export type PaidTarget = { txid: string; currency: string; amount: string; address: string };

/** An address with its currency and due amount, if known. */
type Due = { currency: Currency; address: string; amount: string | undefined };

/** Amount for a donation without one: above the dust limit of both chains. */
const usualAmount = '50000';

/** Finds the due amount and the address, and pays it. Throws with a message for the user. */
export async function payTarget(
  { url, payers }: { url: string; payers: Record<Currency, Pick<Payer, 'pay'>> },
  request: z.infer<typeof payRequest>,
): Promise<PaidTarget> {
  const due = await findDue(url, request);
  const amount = request.amount ?? due.amount ?? usualAmount;
  const { txid } = await payers[due.currency].pay(due.address, BigInt(amount));
  return { txid, currency: due.currency, amount, address: due.address };
}

async function findDue(url: string, { target, currency }: z.infer<typeof payRequest>): Promise<Due> {
  const publicId = /inv_[1-9A-HJ-NP-Za-km-z]+/.exec(target)?.[0];
  if (publicId !== undefined) return readInvoice(url, publicId);
  return dueOfUri(target) ?? { currency: currency ?? currencyOf(target), address: target, amount: undefined };
}

async function readInvoice(url: string, publicId: string): Promise<Due> {
  const call = createApiClient(url);
  const invoice = await call(
    { method: 'GET', path: `/v1/public/invoices/${publicId}` },
    z.object({ currency: z.enum(['BTC', 'LTC']), address: z.string(), due_amount: z.string().nullable() }),
  );
  const amount = invoice.due_amount === null || invoice.due_amount === '0' ? undefined : invoice.due_amount;
  return { currency: invoice.currency, address: invoice.address, amount };
}

/** Parses a BIP 21 URI, whose amount is in coins. */
export function dueOfUri(target: string): Due | undefined {
  const match = /^(bitcoin|litecoin):([^?]+)(?:\?(.*))?$/i.exec(target);
  if (match === null) return undefined;
  const [, scheme = '', address = '', query = ''] = match;
  const coins = new URLSearchParams(query).get('amount');
  return {
    currency: scheme.toLowerCase() === 'bitcoin' ? 'BTC' : 'LTC',
    address,
    amount: coins === null ? undefined : minimalUnits(coins),
  };
}

function minimalUnits(coins: string): string {
  const [whole = '0', fraction = ''] = coins.split('.');
  return BigInt(whole + fraction.padEnd(8, '0')).toString();
}

/** On regtest both chains have the same version byte for P2PKH, so such an address does not identify its chain. */
export function currencyOf(address: string): Currency {
  const candidates = (['BTC', 'LTC'] as const).filter((currency) => isAddress(currency, address));
  const [only, another] = candidates;
  if (only === undefined)
    throw new Error(`"${address}" is not a regtest address, payment URI, pay_url or public_id`);
  if (another !== undefined)
    throw new Error(`${address} may be BTC or LTC: add the currency after the amount`);
  return only;
}

function isAddress(currency: Currency, address: string): boolean {
  try {
    return scriptOf(currency, address).length > 0;
  } catch {
    return false;
  }
}
