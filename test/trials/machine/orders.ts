import { ApiProblem, createApiClient } from '@paywatch/dev/stack';
import { waitUntil } from '@paywatch/dev/testing';
import { z } from 'zod';
import { unlessInterrupted } from '../shared/record-trial.ts';
import type { Surroundings } from './surroundings.ts';

type Currency = 'BTC' | 'LTC';

const orderShape = z.object({
  public_id: z.string(),
  address: z.string(),
  expected_amount: z.string(),
  confirmations_required: z.number(),
});
export type Order = z.infer<typeof orderShape> & { currency: Currency };

const AMOUNTS: Record<Currency, string> = { BTC: '250000', LTC: '5000000' };

/** A merchant's shop, over https. */
export type Shop = {
  order(currency: Currency, orderId: string): Promise<Order>;
  /** The status of an invoice, or the code of the error. */
  statusOf(id: string): Promise<string>;
  /** Pays the order, mines its confirmations, and waits for the invoice and the webhook. */
  sell(order: Order): Promise<void>;
  /** Waits until the invoice is confirmed and the merchant has its webhook. */
  waitForSale(order: Pick<Order, 'public_id'>): Promise<void>;
};

/** Opens the shop of a merchant that has wallets and a webhook endpoint. */
export function openShop(
  url: string,
  apiKey: string,
  { payers, receiver }: Surroundings,
  interrupted: AbortSignal,
): Shop {
  const call = createApiClient(url);
  const as = { apiKey };
  const statusOf = async (id: string): Promise<string> => {
    const read = call({ method: 'GET', path: `/v1/invoices/${id}`, as }, z.object({ status: z.string() }));
    return read.then(({ status }) => status, codeOf);
  };
  const waitForSale: Shop['waitForSale'] = async ({ public_id: id }) => {
    await waitUntil(async () => (await statusOf(id)) === 'confirmed', {
      what: `${id} to be confirmed`,
      signal: interrupted,
    });
    const webhook = receiver.waitFor(
      ({ type, data }) => type === 'invoice.confirmed' && data.invoice.public_id === id,
    );
    await unlessInterrupted(webhook, interrupted);
  };
  return {
    order: async (currency, orderId) => {
      const body = { currency, type: 'order', expected_amount: AMOUNTS[currency], order_id: orderId };
      return { ...(await call({ method: 'POST', path: '/v1/invoices', body, as }, orderShape)), currency };
    },
    statusOf,
    waitForSale,
    sell: async (order) => {
      const payer = payers[order.currency];
      await payer.pay(order.address, BigInt(order.expected_amount));
      await waitUntil(async () => (await statusOf(order.public_id)) === 'pending', {
        what: `${order.public_id} to be pending`,
        signal: interrupted,
      });
      await payer.mine(order.confirmations_required);
      await waitForSale(order);
    },
  };
}

function codeOf(error: unknown): string {
  if (error instanceof ApiProblem) return error.code;
  throw error;
}
