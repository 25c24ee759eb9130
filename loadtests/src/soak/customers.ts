import { createApiClient, type Stack } from '@paywatch/dev/stack';
import { HANG_TIMEOUT_MS, waitUntil, type SeededRandom } from '@paywatch/dev/testing';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { openPage, type Order, type Page, type Shop } from '../notice/notice-stage.ts';

const CUSTOMER_EVERY_MS = 1000;
/** How long somebody looks at the page of an order that they leave. */
const LOOKS_MS = 5000;

/** How a customer behaves: pays in full, pays half in time and nothing more, or leaves the page. */
type Deed = 'paid' | 'underpaid' | 'left';
/** The status of each one's order until its deadline and after it. */
const STATUSES = {
  paid: ['confirmed', 'confirmed'],
  underpaid: ['pending', 'underpaid'],
  left: ['new', 'expired'],
} as const;

/** What the customers did, and what went wrong for them. */
export type CustomerCounts = {
  orders: number;
  /** Requests that were answered with an error. */
  refused: number;
  /** Payment pages that broke and did not open again. */
  brokenPages: number;
  /** Paid orders whose status is not `confirmed` at the end, and others that are. */
  withoutOutcome: number;
  /** Paid orders whose webhook never came. */
  withoutWebhook: number;
  /** Orders with two confirmations under different event ids. */
  secondEvents: number;
};

export type Customers = {
  /** Lets nobody new in, waits for everybody inside, confirms what they paid and compares it with what the merchant heard. */
  finish(confirmEverything: () => Promise<void>): Promise<CustomerCounts>;
};

/** Sends a customer to the shop every second. */
export function openCustomers(stack: Stack, shop: Shop, random: SeededRandom): Customers {
  const counts: CustomerCounts = {
    orders: 0,
    refused: 0,
    brokenPages: 0,
    withoutOutcome: 0,
    withoutWebhook: 0,
    secondEvents: 0,
  };
  const done: { order: Order; deed: Deed }[] = [];
  const inside = new Set<Promise<void>>();
  const closing = new AbortController();

  const visit = async (deed: Deed): Promise<void> => {
    const currency = random.pick(['BTC', 'LTC'] as const);
    const order = await shop.order(currency).catch(() => null);
    if (order === null) return void (counts.refused += 1);
    counts.orders += 1;
    const page = await openPageTwice(stack, order).catch(() => null);
    if (page === null) return void (counts.brokenPages += 1);
    if (deed === 'left') await sleep(LOOKS_MS);
    else await stack.payers[currency].pay(order.address, deed === 'paid' ? order.amount : order.amount / 2n);
    page.close();
    done.push({ order, deed });
  };
  const letIn = async (): Promise<void> => {
    while (!closing.signal.aborted) {
      const deed = random.pick(['paid', 'paid', 'paid', 'underpaid', 'left'] as const);
      const visiting: Promise<void> = visit(deed).finally(() => inside.delete(visiting));
      inside.add(visiting);
      await sleep(CUSTOMER_EVERY_MS, undefined, { signal: closing.signal }).catch(() => undefined);
    }
  };
  const lettingIn = letIn();

  return {
    finish: async (confirmEverything) => {
      closing.abort();
      await lettingIn;
      await Promise.all(inside);
      await confirmEverything();
      for (const { order, deed } of done) await compare(stack, order, deed, counts);
      return counts;
    },
  };
}

/** A restart of the replica may end a stream before its first event; a browser would open it again. */
function openPageTwice(stack: Stack, order: Order): Promise<Page> {
  return openPage(stack, order).catch(() => openPage(stack, order));
}

const invoiceShape = z.object({ status: z.string(), expires_at: z.coerce.date() });

/** Waits until the order has the status and the webhook that what was paid for it asks for. */
async function compare(stack: Stack, { publicId }: Order, deed: Deed, counts: CustomerCounts): Promise<void> {
  const call = createApiClient(stack.url);
  const path = `/v1/public/invoices/${publicId}`;
  const isReached = async () => {
    const { status, expires_at: expiresAt } = await call({ method: 'GET', path }, invoiceShape);
    return status === STATUSES[deed][expiresAt > new Date() ? 0 : 1];
  };
  if (!(await comesTrue(isReached))) counts.withoutOutcome += 1;
  const idsOf = () =>
    stack.receiver.received
      .flatMap(({ event }) => event ?? [])
      .filter(({ type, data }) => type === 'invoice.confirmed' && data.invoice.public_id === publicId)
      .map(({ id }) => id);
  if (deed === 'paid' && !(await comesTrue(() => idsOf().length > 0))) counts.withoutWebhook += 1;
  if (new Set(idsOf()).size > (deed === 'paid' ? 1 : 0)) counts.secondEvents += 1;
}

function comesTrue(holds: () => boolean | Promise<boolean>): Promise<boolean> {
  return waitUntil(holds, { what: `it within ${HANG_TIMEOUT_MS} ms` }).then(
    () => true,
    () => false,
  );
}
