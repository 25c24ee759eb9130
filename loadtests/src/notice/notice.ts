import type { Measure } from '@paywatch/dev/commands';
import { startStack, type Stack } from '@paywatch/dev/stack';
import { type Currency, unownedAddress } from '@paywatch/dev/wallet';

import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { openPage, openShop, type Order, type Shop } from './notice-stage.ts';
import { percentile } from '../shared/percentile.ts';

const SECONDS = 60;
const POLL_INTERVAL_MS = 500;
/** Payments of each currency between two blocks. */
const PAYMENTS_EACH_BLOCK = 10;
const MIN_PAYMENTS = 100;
/** Orders created beside it, which nobody pays: a shop that is open. */
const ORDERS_PER_SECOND = 10;

/** Milliseconds from the node's answer to what was noticed. */
type Latencies = { seen: number[]; webhook: number[] };

/**
 * Payers watch their pages while they pay; the merchant waits for webhooks while blocks come. Litecoin Core is polled; the Bitcoin
 * node tells its news by ZeroMQ (bcoin by a publisher of this project, BITCOIND by its own), so that both ways are measured.
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
    `Payments beside ${ORDERS_PER_SECOND} new orders a second`,
    () => withOrders(shop, () => measureFor(stack, shop, seconds * 1000)),
    ({ LTC, BTC }) => `${LTC.seen.length} polled, ${BTC.seen.length} told by ZeroMQ`,
  );
  const { LTC: polled, BTC: told } = rounds;
  const beyond = (ms: number): number => Math.max(0, ms - POLL_INTERVAL_MS);
  return [
    { name: 'poll_interval_ms', value: POLL_INTERVAL_MS },
    { name: 'payments', value: polled.seen.length + told.seen.length },
    { name: 'seen_whole_p50_ms', value: percentile(polled.seen, 0.5) },
    { name: 'seen_whole_p99_ms', value: percentile(polled.seen, 0.99) },
    { name: 'webhook_whole_p99_ms', value: percentile(polled.webhook, 0.99) },
    { name: 'seen_p50_ms', value: beyond(percentile(polled.seen, 0.5)) },
    { name: 'seen_p99_ms', value: beyond(percentile(polled.seen, 0.99)), reach: { atMost: 150 } },
    { name: 'webhook_p99_ms', value: beyond(percentile(polled.webhook, 0.99)), reach: { atMost: 600 } },
    { name: 'zmq_seen_p50_ms', value: percentile(told.seen, 0.5) },
    { name: 'zmq_seen_p99_ms', value: percentile(told.seen, 0.99), aim: { atMost: 50 } },
    { name: 'zmq_webhook_p99_ms', value: percentile(told.webhook, 0.99), aim: { atMost: 150 } },
  ];
};

/** Everybody comes from one address here, and one confirmation makes each block tell of what it holds. */
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

/** Until the time is over, and there are payments enough. */
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

/** Some payments, one shortly after the other, and the block that confirms them. */
async function measureChain(
  stack: Stack,
  shop: Shop,
  currency: Currency,
  payments: number,
): Promise<Latencies> {
  const orders = await Promise.all(Array.from({ length: payments }, () => shop.order(currency)));
  const seen: Promise<number>[] = [];
  for (const order of orders) {
    seen.push(payAndSee(stack, currency, order));
    // Not in step with the looks of the watcher.
    await sleep(Math.random() * 200);
  }
  const latencies = await Promise.all(seen);
  return { seen: latencies, webhook: await mineAndHear(stack, currency, orders) };
}

async function payAndSee(stack: Stack, currency: Currency, order: Order): Promise<number> {
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

async function mineAndHear(
  { receiver, nodes, payers }: Stack,
  currency: Currency,
  orders: readonly Order[],
): Promise<number[]> {
  const waiting = new Set(orders.map(({ publicId }) => publicId));
  const heardMs: number[] = [];
  const { promise: allHeard, resolve } = Promise.withResolvers<void>();
  const stop = receiver.subscribe(({ event }) => {
    if (event === undefined || !waiting.delete(event.data.invoice.public_id)) return;
    heardMs.push(performance.now());
    if (waiting.size === 0) resolve();
  });
  await nodes[currency].rpc.generateToAddress(1, unownedAddress(currency));
  const minedMs = performance.now();
  await allHeard;
  stop();
  // The change of the payments is spent from here on.
  await payers[currency].getBalance();
  return heardMs.map((ms) => ms - minedMs);
}

/** Creates orders at a steady pace while the work goes on. */
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
