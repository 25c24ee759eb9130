import { createApiClient, type Stack } from '@paywatch/dev/stack';
import { HANG_TIMEOUT_MS, waitUntil, type SeededRandom } from '@paywatch/dev/testing';
import type { Currency } from '@paywatch/dev/wallet';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { openPage, type Order, type Page, type Shop } from '../notice/notice-stage.ts';

const CUSTOMER_EVERY_MS = 1000;
/** How long somebody looks at the page of an order that they leave. */
const LOOKS_MS = 5000;

/** How a customer behaves: pays in full, pays half and nothing more, or leaves the page. */
type Deed = 'paid' | 'underpaid' | 'left';
/** The status of each one's order until its deadline and after it. */
const STATUSES = {
  paid: ['confirmed', 'confirmed'],
  underpaid: ['pending', 'underpaid'],
  left: ['new', 'expired'],
} as const;

/** A customer's visit: the order, what they did, and the transaction if they paid. */
type Visit = { order: Order; currency: Currency; deed: Deed; txid?: string };

/**
 * What can go wrong for a customer: the order is refused; the page breaks twice; the order ends in another status than what was paid
 * for it asks for; the webhook of a paid order never comes; or an order is confirmed under two event ids.
 */
export const VIOLATIONS = [
  'refused',
  'broken_page',
  'without_outcome',
  'without_webhook',
  'second_event',
] as const;
type Violation = { kind: (typeof VIOLATIONS)[number]; what: string };

/** What the customers did, and what went wrong for them. */
export type CustomerReport = {
  orders: number;
  /** Payments that the node itself lost in a reorganisation; their orders are not judged. */
  lostByNode: number;
  violations: Violation[];
};

export type Customers = {
  /** Sends no further customers, waits until the last ones leave, has everything confirmed, and judges each order. */
  finish(confirmEverything: () => Promise<void>): Promise<CustomerReport>;
};

/** Sends a customer to the shop every second. */
export function openCustomers(stack: Stack, shop: Shop, random: SeededRandom): Customers {
  const report: CustomerReport = { orders: 0, lostByNode: 0, violations: [] };
  const visits: Visit[] = [];
  const inside = new Set<Promise<void>>();
  const closing = new AbortController();

  const visit = async (deed: Deed): Promise<void> => {
    const currency = random.pick(['BTC', 'LTC'] as const);
    const order = await shop.order(currency).catch((error: unknown) => note('refused', error));
    if (order === undefined) return;
    report.orders += 1;
    const page = await openPageTwice(stack, order).catch((error: unknown) => note('broken_page', error));
    const sent = await act(deed, currency, order);
    page?.close();
    visits.push({ order, currency, deed, ...sent });
  };
  const note = (kind: Violation['kind'], error: unknown): undefined =>
    void report.violations.push({ kind, what: `${new Date().toISOString()} ${String(error)}` });
  const act = (
    deed: Deed,
    currency: Currency,
    { address, amount }: Order,
  ): Promise<{ txid: string } | void> =>
    deed === 'left'
      ? sleep(LOOKS_MS)
      : stack.payers[currency].pay(address, deed === 'paid' ? amount : amount / 2n);
  const sendCustomers = async (): Promise<void> => {
    while (!closing.signal.aborted) {
      const deed = random.pick(['paid', 'paid', 'paid', 'underpaid', 'left'] as const);
      const visiting: Promise<void> = visit(deed).finally(() => inside.delete(visiting));
      inside.add(visiting);
      await sleep(CUSTOMER_EVERY_MS, undefined, { signal: closing.signal }).catch(() => undefined);
    }
  };
  const sending = sendCustomers();

  return {
    finish: async (confirmEverything) => {
      closing.abort();
      await sending;
      await Promise.all(inside);
      await confirmEverything();
      for (const made of visits) {
        if (await isLost(stack, made)) report.lostByNode += 1;
        else report.violations.push(...(await judge(stack, made)));
      }
      return report;
    },
  };
}

/** A restart of the replica may end a stream before its first event; a browser would open it again. */
function openPageTwice(stack: Stack, order: Order): Promise<Page> {
  return openPage(stack, order).catch(() => openPage(stack, order));
}

async function isLost({ payers }: Stack, { txid, currency }: Visit): Promise<boolean> {
  return txid !== undefined && !(await payers[currency].isInChain(txid));
}

const invoiceShape = z.object({ status: z.string(), expires_at: z.coerce.date() });

/** Waits until the order has the status and the webhook that what was paid for it asks for. */
async function judge(stack: Stack, { order, currency, deed, txid }: Visit): Promise<Violation[]> {
  const { publicId } = order;
  const violations: Violation[] = [];
  const note = (kind: Violation['kind'], seen: string) =>
    violations.push({ kind, what: `${currency} ${publicId}, ${deed} by ${txid ?? 'nothing'}: ${seen}` });
  const call = createApiClient(stack.url);
  const path = `/v1/public/invoices/${publicId}`;
  let status = 'unknown';
  const isReached = async () => {
    const invoice = await call({ method: 'GET', path }, invoiceShape);
    ({ status } = invoice);
    return status === STATUSES[deed][invoice.expires_at > new Date() ? 0 : 1];
  };
  if (!(await comesTrue(isReached))) note('without_outcome', status);
  const idsOf = () =>
    stack.receiver.received
      .flatMap(({ event }) => event ?? [])
      .filter(({ type, data }) => type === 'invoice.confirmed' && data.invoice.public_id === publicId)
      .map(({ id }) => id);
  if (deed === 'paid' && !(await comesTrue(() => idsOf().length > 0))) note('without_webhook', status);
  const ids = new Set(idsOf());
  if (ids.size > (deed === 'paid' ? 1 : 0)) note('second_event', [...ids].join(', '));
  return violations;
}

function comesTrue(holds: () => boolean | Promise<boolean>): Promise<boolean> {
  return waitUntil(holds, { what: `it within ${HANG_TIMEOUT_MS} ms` }).then(
    () => true,
    () => false,
  );
}
