import type { SeededRandom } from '@paywatch/dev/testing';
import { setTimeout as sleep } from 'node:timers/promises';
import { paysBeforeLease, requestRescan, type Scenarios } from './chain-scenarios.ts';
import type { Sold } from './chain-shops.ts';
import type { ChainStage } from './chain-stage.ts';
import { IMPORTED_AMOUNT, importOrders, openOrders, type OpenOrder } from './import-orders.ts';
import type { Life } from './live-chain.ts';
import { LATE_AFTER_MS } from './payer-behaviours.ts';

/** What is sold, and how often the special situations came about. */
export type Business = { sold: Sold[]; scenarios: Scenarios };

/** What happens at its time between two sales. */
export type Move = { atMs: number; happen: () => Promise<void> };

type Given = { stage: ChainStage; business: Business; random: SeededRandom };

const EARLY_MONEY_EVERY_MS = 10_000;
const RESCAN_EVERY_MS = 40_000;
/** Deeper than most reorganisations. */
const RESCANNED_BLOCKS = 12;
const IMPORTED_ORDERS = 5;
const BEFORE_IMPORT_MS = 4000;

/**
 * Money before leases every ten seconds, rescans every forty, orders of another system at the beginning, a new wallet in the middle, and
 * twice an Esplora server alone to read from.
 */
export function planMoves(
  given: Given,
  lives: readonly Life[],
  { startMs, untilMs }: { startMs: number; untilMs: number },
): Move[] {
  const lastMs = untilMs - startMs;
  const every = (ms: number, happen: (life: Life) => Promise<void>): Move[] =>
    Array.from({ length: Math.floor(lastMs / ms) }, (_, index) => ({
      atMs: startMs + (index + 1) * ms,
      happen: () => happen(given.random.pick(lives)),
    }));
  const forEach = (startsMs: number, happen: (life: Life) => Promise<void>): Move[] =>
    lives.map((life, index) => ({ atMs: startMs + startsMs + 4000 * index, happen: () => happen(life) }));
  const { esploraAlone } = given.stage;
  const switches = [
    { parts: [0.25, 0.65], happen: esploraAlone.begin },
    { parts: [0.45, 0.85], happen: esploraAlone.end },
  ].flatMap(({ parts, happen }) =>
    parts.map((part) => ({ atMs: startMs + lastMs * part, happen: () => Promise.resolve(happen()) })),
  );
  return [
    ...forEach(0, (life) => takeOver(given, life)),
    ...every(EARLY_MONEY_EVERY_MS, (life) => payEarly(given, life)),
    ...every(RESCAN_EVERY_MS, (life) => rescan(given, life)),
    ...forEach(lastMs / 2, (life) => moveWallet(given, life)),
    ...switches,
  ];
}

function payEarly({ stage, business, random }: Given, { chain: { currency }, acts }: Life): Promise<void> {
  const act = paysBeforeLease(business.sold, stage.shops.main, currency, random);
  acts.push({ atMs: Date.now(), invoice: null, isLate: false, act });
  business.scenarios.money_before_lease += 1;
  return Promise.resolve();
}

async function rescan({ stage, business }: Given, { chain: { currency, history } }: Life): Promise<void> {
  await requestRescan(stage, currency, Math.max(1, history.tip().height - RESCANNED_BLOCKS));
  business.scenarios.rescans += 1;
}

async function moveWallet(
  { stage, business: { sold, scenarios } }: Given,
  { chain: { currency } }: Life,
): Promise<void> {
  const { moving } = stage.shops;
  scenarios.invoices_of_former_wallet += sold.filter(
    (one) => one.shop === moving && one.currency === currency && one.terms.deadlineMs.earliest > Date.now(),
  ).length;
  await moving.replaceWallet(currency);
  scenarios.wallets_replaced += 1;
}

/** The first order is paid before the import, the second after it, the third by half, the fourth too late, the last never. */
async function takeOver(
  { stage, business: { sold, scenarios } }: Given,
  { chain: { currency }, acts }: Life,
): Promise<void> {
  const { importing } = stage.shops;
  const orders = openOrders(currency, IMPORTED_ORDERS);
  const addresses = importing.addresses(currency);
  const pays = ({ addressIndex }: OpenOrder, amount: bigint, late: Sold | null = null): void =>
    void acts.push({
      atMs: late ? late.terms.deadlineMs.latest + LATE_AFTER_MS : Date.now() + 1000,
      invoice: late,
      isLate: late !== null,
      act: (chain) => chain.pay([{ to: addresses.addressAt(addressIndex), amount }]),
    });
  const [first, second, third, fourth] = orders;
  if (first) pays(first, IMPORTED_AMOUNT);
  await sleep(BEFORE_IMPORT_MS);
  const imported = await importOrders(stage, importing, currency, orders);
  sold.push(...imported);
  if (second) pays(second, IMPORTED_AMOUNT);
  if (third) pays(third, IMPORTED_AMOUNT / 2n);
  if (fourth) pays(fourth, IMPORTED_AMOUNT, imported[3]);
  scenarios.imported_orders += orders.length;
}
