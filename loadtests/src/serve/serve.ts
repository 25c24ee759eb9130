import type { Measure } from '@paywatch/dev/commands';
import { bundlePrograms, startStack, type Stack, type StackService } from '@paywatch/dev/stack';
import { setTimeout as sleep } from 'node:timers/promises';
import { openPage, openShop, type Page, type Shop } from '../notice/notice-stage.ts';
import { median } from '../shared/median.ts';
import { residentMegabytes } from '../shared/resident-memory.ts';

const SECONDS = 60;
const STARTS = 5;
/** Payment pages that stay open. */
const IDLE_PAGES = 10;
/** A few orders in an hour, compressed into the default duration. */
const ORDERS = 6;

/**
 * Measures `paywatch serve` as a small shop runs it: how soon the process is ready, and its memory with idle payment pages while a few
 * orders are paid in `seconds`. Postgres, Redis and the nodes run beside it and are not counted. It runs the bundles of the image.
 */
export const run: Measure = async ({ terminal, seconds = SECONDS }) => {
  await using parts = new AsyncDisposableStack();
  process.env['PAYWATCH_BUNDLES'] = await terminal.step('Bundling the programs', bundlePrograms);
  const stack = await terminal.step('Starting everything', () =>
    startStack({ serve: true, ownServers: true, mweb: false, env: { LOG_LEVEL: 'warn' } }),
  );
  parts.defer(stack.stop);
  const serve = onlyProcess(stack);
  const startsMs = await terminal.step(`Starting it ${STARTS} times`, () => measureStarts(serve));
  const startedMb = residentMegabytes(serve.process().pid);
  const shop = await terminal.step('A merchant signs up', () => openShop(stack));
  const sizesMb = await terminal.step(`${ORDERS} orders, ${IDLE_PAGES} idle pages`, () =>
    measureMemory(stack, shop, seconds * 1000),
  );
  return [
    { name: 'start_ms', value: median(startsMs), reach: { atMost: 2000 }, aim: { atMost: 1000 } },
    { name: 'rss_started_mb', value: startedMb },
    { name: 'rss_peak_mb', value: Math.max(...sizesMb) },
    { name: 'rss_mb', value: sizesMb.at(-1) ?? 0, reach: { atMost: 200 }, aim: { atMost: 120 } },
  ];
};

function onlyProcess({ services }: Stack): StackService {
  const [serve] = services.serve;
  if (serve === undefined) throw new Error('the stack has no process with all roles');
  return serve;
}

async function measureStarts(serve: StackService): Promise<number[]> {
  const startsMs: number[] = [];
  while (startsMs.length < STARTS) {
    await serve.stop();
    const beganMs = performance.now();
    await serve.restart();
    startsMs.push(performance.now() - beganMs);
  }
  return startsMs;
}

/** Pays an order in each sixth of the time. Returns the resident memory after each. */
async function measureMemory(stack: Stack, shop: Shop, ms: number): Promise<number[]> {
  const pages = await openIdlePages(stack, shop);
  const sizesMb: number[] = [];
  try {
    while (sizesMb.length < ORDERS) {
      const order = await shop.order('BTC');
      await stack.payers.BTC.pay(order.address, order.amount);
      await stack.payers.BTC.mine(2);
      await stack.receiver.waitFor(({ data }) => data.invoice.public_id === order.publicId);
      await sleep(ms / ORDERS);
      sizesMb.push(residentMegabytes(onlyProcess(stack).process().pid));
    }
  } finally {
    for (const page of pages) page.close();
  }
  return sizesMb;
}

async function openIdlePages(stack: Stack, shop: Shop): Promise<Page[]> {
  const order = await shop.order('LTC');
  return Promise.all(Array.from({ length: IDLE_PAGES }, () => openPage(stack, order)));
}
