import { ApiProblem, createApiClient, openEventStream, openMerchant, type Stack } from '@paywatch/dev/stack';
import { waitUntil } from '@paywatch/dev/testing';

import { z } from 'zod';

/** Times of one sale, in milliseconds of the monotonic clock. */
type Sale = {
  publicId: string;
  paidAtMs: number;
  pendingAtMs: number;
  confirmedAtMs: number;
  webhookAtMs: number;
};

export type Seller = {
  /** Creates a Litecoin order, pays it, follows its stream, mines, and waits for its webhook. */
  sell(): Promise<Sale>;
};

const orderShape = z.object({
  public_id: z.string(),
  address: z.string(),
  confirmations_required: z.number(),
});

/** Opens a merchant with a verified wallet and a webhook endpoint. */
export async function openSeller(stack: Stack): Promise<Seller> {
  const call = createApiClient(stack.url);
  const { apiKey } = await openMerchant(call, { number: 1, currency: 'LTC', gapLimit: 100 });
  const as = { apiKey };
  const endpoint = { method: 'POST', path: '/v1/webhooks', body: { url: stack.receiver.url }, as } as const;
  stack.receiver.setSecrets((await call(endpoint, z.object({ secret: z.string() }))).secret);
  const payer = stack.payers.LTC;
  const order = () => placeOrder(call, as);
  await order();
  return {
    sell: async () => {
      const { public_id: publicId, address, confirmations_required: depth } = await order();
      const page = await openEventStream(`${stack.url}/v1/public/invoices/${publicId}/events`);
      await page.waitFor(statusIs('new'));
      const paidAtMs = performance.now();
      await payer.pay(address, AMOUNT);
      await page.waitFor(statusIs('pending'));
      const pendingAtMs = performance.now();
      await payer.mine(depth);
      await page.waitFor(statusIs('confirmed'));
      const confirmedAtMs = performance.now();
      page.close();
      await stack.receiver.waitFor(({ data }) => data.invoice.public_id === publicId);
      return { publicId, paidAtMs, pendingAtMs, confirmedAtMs, webhookAtMs: performance.now() };
    },
  };
}

const AMOUNT = 1_000_000n;

/** Places an order; retries until the first addresses of the new wallet are derived. */
function placeOrder(call: ReturnType<typeof createApiClient>, as: { apiKey: string }) {
  const body = { currency: 'LTC', type: 'order', expected_amount: String(AMOUNT) };
  const place = () =>
    call({ method: 'POST', path: '/v1/invoices', body, as }, orderShape).catch((error: unknown) => {
      if (error instanceof ApiProblem && error.code === 'address_pool_busy') return null;
      throw error;
    });
  return waitUntil(place, { what: 'an address for an order' });
}

function statusIs(status: string) {
  return ({ event, data }: { event: string; data: string }) =>
    event === 'status' && z.object({ status: z.string() }).parse(JSON.parse(data)).status === status;
}
