import type { Measure } from '@paywatch/dev/commands';
import { startStack, type Stack } from '@paywatch/dev/stack';
import { type Currency, unownedAddress } from '@paywatch/dev/wallet';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { openPage, openShop, type Order, type Shop } from './notice-stage.ts';
import { percentile } from '../shared/percentile.ts';

const SECONDS = 60;
const POLL_INTERVAL_MS = 500;
/** Payments per currency between two blocks. */
const PAYMENTS_EACH_BLOCK = 10;
const MIN_PAYMENTS = 100;
/** Background load: orders that nobody pays. */
const ORDERS_PER_SECOND = 10;

/** Milliseconds from the node's response to the payer's page (`seen`) and to the merchant's receiver (`webhook`). */
type Latencies = { seen: number[]; webhook: number[] };

/**
 * Measures how soon payment pages show a payment, and how soon the merchant gets the webhook after a block. Litecoin Core is
 * polled; the Bitcoin node notifies by ZeroMQ (bcoin through a publisher of this project, BITCOIND through its own).
 */
export const run: Measure = async ({ terminal, seconds = SECONDS }) => {
  await using parts = new AsyncDisposableStack();
  const stack = await terminal.step('Starting everything', () =>
    startStack({ ownServers: true, mweb: false, zmq: true, env: ENVIRONMENT }),
  );
  parts.defer(stack.stop);
  const shop = await terminal.step('A merchant signs up', () => openShop(stack));
  await terminal.step('Warming up', () => measureBlock(stack, shop, 3));
  const rounds = await terminal.step(
    `Payments, while ${ORDERS_PER_SECOND} orders a second are created`,
    () => withOrders(shop, () => measureFor(stack, shop, seconds * 1000)),
    ({ LTC, BTC }) => `${LTC.seen.length} polled, ${BTC.seen.length} notified by ZeroMQ`,
  );
  const { LTC: polled, BTC: notified } = rounds;
  const beyond = (ms: number): number => Math.max(0, ms - POLL_INTERVAL_MS);
  return [
    { name: 'poll_interval_ms', value: POLL_INTERVAL_MS },
    { name: 'payments', value: polled.seen.length + notified.seen.length },
    { name: 'seen_whole_p50_ms', value: percentile(polled.seen, 0.5) },
    { name: 'seen_whole_p99_ms', value: percentile(polled.seen, 0.99) },
    { name: 'webhook_whole_p99_ms', value: percentile(polled.webhook, 0.99) },
    { name: 'seen_p50_ms', value: beyond(percentile(polled.seen, 0.5)) },
    { name: 'seen_p99_ms', value: beyond(percentile(polled.seen, 0.99)), reach: { atMost: 150 } },
    { name: 'webhook_p99_ms', value: beyond(percentile(polled.webhook, 0.99)), reach: { atMost: 600 } },
    { name: 'zmq_seen_p50_ms', value: percentile(notified.seen, 0.5) },
    { name: 'zmq_seen_p99_ms', value: percentile(notified.seen, 0.99), aim: { atMost: 50 } },
    { name: 'zmq_webhook_p99_ms', value: percentile(notified.webhook, 0.99), aim: { atMost: 150 } },
  ];
};

/** Raises the limits per address, since all clients share one. With one confirmation each block settles its payments. */
const ENVIRONMENT = {
  LOG_LEVEL: 'warn',
  POLL_INTERVAL_MS: String(POLL_INTERVAL_MS),
  DEFAULT_GAP_LIMIT: '10000',
  ACCOUNT_ADDRESSES: '1000000',
  PUBLIC_READ_LIMIT_POINTS: '1000000',
  STREAM_LIMIT: '10000',
  CONFIRMATIONS_LTC_ORDERS: '*:1',
  CONFIRMATIONS_BTC_ORDERS: '*:1',
};

/** Measures until the time is over and there are at least MIN_PAYMENTS. */
async function measureFor(stack: Stack, shop: Shop, ms: number): Promise<Record<Currency, Latencies>> {
  const all = { BTC: nothing(), LTC: nothing() };
  const untilMs = performance.now() + ms;
  while (performance.now() < untilMs || all.LTC.seen.length < MIN_PAYMENTS) {
    const round = await measureBlock(stack, shop, PAYMENTS_EACH_BLOCK);
    for (const currency of ['BTC', 'LTC'] as const) {
      all[currency].seen.push(...round[currency].seen);
      all[currency].webhook.push(...round[currency].webhook);
    }
  }
  return all;
}

function nothing(): Latencies {
  return { seen: [], webhook: [] };
}

async function measureBlock(
  stack: Stack,
  shop: Shop,
  payments: number,
): Promise<Record<Currency, Latencies>> {
  const [BTC, LTC] = await Promise.all([
    measureChain(stack, shop, 'BTC', payments),
    measureChain(stack, shop, 'LTC', payments),
  ]);
  return { BTC, LTC };
}

/** Makes some payments shortly after each other, then mines the block that confirms them. */
async function measureChain(
  stack: Stack,
  shop: Shop,
  currency: Currency,
  payments: number,
): Promise<Latencies> {
  const orders = await Promise.all(Array.from({ length: payments }, () => shop.order(currency)));
  const seen: Promise<number>[] = [];
  for (const order of orders) {
    seen.push(measurePayment(stack, currency, order));
    // Random pauses, so that payments are not synchronous with the watcher's polls.
    await sleep(Math.random() * 200);
  }
  const latencies = await Promise.all(seen);
  return { seen: latencies, webhook: await measureWebhooks(stack, currency, orders) };
}

async function measurePayment(stack: Stack, currency: Currency, order: Order): Promise<number> {
  const page = await openPage(stack, order);
  let acceptedMs = Number.NaN;
  const isSeen = page.waitFor(({ event, data }) => event === 'status' && statusOf(data) === 'pending');
  const seenMs = isSeen.then(() => performance.now());
  await stack.payers[currency].pay(order.address, order.amount, {
    onAccepted: () => (acceptedMs = performance.now()),
  });
  const latencyMs = (await seenMs) - acceptedMs;
  page.close();
  return latencyMs;
}

function statusOf(data: string): string {
  return z.object({ status: z.string() }).parse(JSON.parse(data)).status;
}

/** Mines a block. Returns the milliseconds until each order's webhook. */
async function measureWebhooks(
  { receiver, nodes, payers }: Stack,
  currency: Currency,
  orders: readonly Order[],
): Promise<number[]> {
  const waiting = new Set(orders.map(({ publicId }) => publicId));
  const receivedMs: number[] = [];
  const { promise: allReceived, resolve } = Promise.withResolvers<void>();
  const stop = receiver.subscribe(({ event }) => {
    if (event === undefined || !waiting.delete(event.data.invoice.public_id)) return;
    receivedMs.push(performance.now());
    if (waiting.size === 0) resolve();
  });
  await nodes[currency].rpc.generateToAddress(1, unownedAddress(currency));
  const minedMs = performance.now();
  await allReceived;
  stop();
  // Updates the payer's coins: the change of these payments can be spent now.
  await payers[currency].getBalance();
  return receivedMs.map((ms) => ms - minedMs);
}

/** Creates orders at a steady rate while `work` runs. */
async function withOrders<T>(shop: Shop, work: () => Promise<T>): Promise<T> {
  const ended = new AbortController();
  const orders = createOrders(shop, ended.signal);
  try {
    return await work();
  } finally {
    ended.abort();
    await orders;
  }
}

async function createOrders(shop: Shop, signal: AbortSignal): Promise<void> {
  for (let count = 0; !signal.aborted; count += 1) {
    await shop.order(count % 2 === 0 ? 'BTC' : 'LTC');
    await sleep(1000 / ORDERS_PER_SECOND);
  }
}
