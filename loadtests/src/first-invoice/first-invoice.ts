import type { Measure } from '@paywatch/dev/commands';
import {
  ApiProblem,
  createApiClient,
  openMerchant,
  startStack,
  type ApiClient,
  type Stack,
} from '@paywatch/dev/stack';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { percentile } from '../shared/percentile.ts';

const SECONDS = 20;
const MIN_MERCHANTS = 16;
/** Merchants that are not measured. */
const WARM_UP = 4;
/** The default of BIP 44. */
const GAP_LIMIT = 20;
/** The pause before an order is tried again: short, so that it adds little to the figures. */
const RETRY_MS = 5;

/**
 * Measures how long a new merchant waits for the first invoice, from the response that verifies the wallet to the first 201. The
 * key is registered and verified without a pause, so nothing was prepared while a person looked for an address. Uses Litecoin
 * Core: bcoin cannot read histories.
 */
export const run: Measure = async ({ terminal, seconds = SECONDS }) => {
  await using parts = new AsyncDisposableStack();
  const stack = await terminal.step('Starting everything', () =>
    startStack({ ownServers: true, mweb: false, env: ENVIRONMENT }),
  );
  parts.defer(stack.stop);
  // Each replica starts its derivation thread with its first verification.
  await terminal.step('Warming up', () => measureMerchants(stack, 0, 0, WARM_UP));
  const waitsMs = await terminal.step(
    'New merchants, one after the other',
    () => measureMerchants(stack, WARM_UP, seconds * 1000, MIN_MERCHANTS),
    (all) => `${all.length} merchants`,
  );
  return [
    { name: 'merchants', value: waitsMs.length },
    { name: 'p50_ms', value: percentile(waitsMs, 0.5), reach: { atMost: 300 }, aim: { atMost: 50 } },
    { name: 'p99_ms', value: percentile(waitsMs, 0.99), reach: { atMost: 1000 }, aim: { atMost: 200 } },
  ];
};

/** All merchants come from one address. */
const ENVIRONMENT = {
  LOG_LEVEL: 'warn',
  REGISTER_LIMIT_POINTS: '1000000',
  LOGIN_LIMIT_POINTS: '1000000',
};

/** Measures for `ms`, and at least `count` merchants. Returns the milliseconds that each of them waited. */
async function measureMerchants(
  { url }: Pick<Stack, 'url'>,
  firstNumber: number,
  ms: number,
  count: number,
): Promise<number[]> {
  const call = createApiClient(url);
  const untilMs = performance.now() + ms;
  const waitsMs: number[] = [];
  while (performance.now() < untilMs || waitsMs.length < count) {
    const number = firstNumber + waitsMs.length;
    const { apiKey } = await openMerchant(call, { number, currency: 'LTC', gapLimit: GAP_LIMIT });
    const verifiedMs = performance.now();
    await createFirstInvoice(call, apiKey);
    waitsMs.push(performance.now() - verifiedMs);
  }
  return waitsMs;
}

const ORDER = { currency: 'LTC', type: 'order', expected_amount: '5000000' };

async function createFirstInvoice(call: ApiClient, apiKey: string): Promise<void> {
  for (;;) {
    try {
      await call({ method: 'POST', path: '/v1/invoices', body: ORDER, as: { apiKey } }, z.unknown());
      return;
    } catch (error) {
      if (!(error instanceof ApiProblem) || error.code !== 'address_pool_busy') throw error;
    }
    await sleep(RETRY_MS);
  }
}
