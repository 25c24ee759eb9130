import { z } from 'zod';
import { createApiClient } from '../stack/api-client.ts';
import { scriptOf, type Currency } from './regtest-address.ts';
import type { Payer } from './payer.ts';

/** What somebody wants paid: an address, a payment URI, a pay_url or a public_id; the amount in minimal units. */
export const payRequest = z.object({
  target: z.string().min(1),
  amount: z
    .string()
    .regex(/^[1-9][0-9]{0,15}$/, 'an amount is a whole number of minimal units')
    .optional(),
  currency: z.enum(['BTC', 'LTC']).optional(),
});

/** What was paid. */
export type PaidTarget = { txid: string; currency: string; amount: string; address: string };

/** An address with what is due there, as far as that is known. */
type Due = { currency: Currency; address: string; amount: string | undefined };

/** A donation may name no amount: enough to see it, and above either chain's dust. */
const usualAmount = '50000';

/** Finds out what is due where, and lets the payer of that chain pay it. Throws with a sentence for the reader. */
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

/** BIP 21. The amount there is in coins. */
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

/** The chains share a version byte for P2PKH on regtest: such an address alone does not say which it is. */
export function currencyOf(address: string): Currency {
  const candidates = (['BTC', 'LTC'] as const).filter((currency) => isAddress(currency, address));
  const [only, another] = candidates;
  if (only === undefined)
    throw new Error(`"${address}" is no regtest address, payment URI, pay_url or public_id`);
  if (another !== undefined) throw new Error(`${address} may be BTC or LTC: say which after the amount`);
  return only;
}

function isAddress(currency: Currency, address: string): boolean {
  try {
    return scriptOf(currency, address).length > 0;
  } catch {
    return false;
  }
}
