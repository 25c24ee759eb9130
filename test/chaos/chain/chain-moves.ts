import type { SeededRandom } from '@paywatch/dev/testing';
import { setTimeout as sleep } from 'node:timers/promises';
import { requestRescan, type Scenarios } from './chain-scenarios.ts';
import type { Sold } from './chain-shops.ts';
import type { ChainStage } from './chain-stage.ts';
import { paysBeforeLease, type EarlyMoney } from './payers/early-money.ts';
import { IMPORTED_AMOUNT, importOrders, openOrders, type OpenOrder } from './payers/import-orders.ts';
import type { Life } from './live-chain.ts';
import { IN_TIME_BEFORE_MS, LATE_AFTER_MS } from './payers/payer-behaviours.ts';

/** What is sold, which addresses were paid before a lease, and how often the special situations came about. */
export type Business = { sold: Sold[]; earlyMoney: EarlyMoney[]; scenarios: Scenarios };

/** What happens between two sales as soon as it is due. */
export type Move = { isDue(): boolean; happen(): Promise<void>; isRepeated: boolean };

type Given = { stage: ChainStage; business: Business; random: SeededRandom };

/** By then the watchers of the first blackout have caught up. */
const EARLY_MONEY_AFTER_MS = 60_000;
const EARLY_MONEY_EVERY_MS = 10_000;
const RESCAN_EVERY_MS = 40_000;
/** Deeper than most reorganisations. */
const RESCANNED_BLOCKS = 12;
const IMPORTED_ORDERS = 5;
const BEFORE_IMPORT_MS = 4000;
/** How long watchers read Litecoin from Esplora alone, and how many blocks, at least, each time. */
const ALONE_MS = 30_000;
const BLOCKS_ALONE = 6;

/**
 * Money before leases every ten seconds, rescans every forty, orders of another system at the beginning, a new wallet after half of the
 * invoices, and twice an Esplora server alone to read from, until it was read. `shareSold` is the share of the invoices that are sold.
 */
export function planMoves(given: Given, lives: readonly Life[], shareSold: () => number): Move[] {
  const startMs = Date.now();
  const forEach = (isDue: (life: Life) => boolean, happen: (life: Life) => Promise<void>): Move[] =>
    lives.map((life) =>
      once(
        () => isDue(life),
        () => happen(life),
      ),
    );
  const every = (ms: number, firstMs: number, happen: (life: Life) => Promise<void>): Move =>
    repeated(startMs + firstMs, ms, () => happen(given.random.pick(lives)));
  return [
    ...forEach(
      () => true,
      (life) => takeOver(given, life),
    ),
    every(EARLY_MONEY_EVERY_MS, EARLY_MONEY_AFTER_MS, (life) => payEarly(given, life)),
    every(RESCAN_EVERY_MS, RESCAN_EVERY_MS, (life) => rescan(given, life)),
    ...forEach(
      (life) => shareSold() >= 0.5 && invoicesOfFormerWallet(given, life) > 0,
      (life) => moveWallet(given, life),
    ),
    ...[0.25, 0.6].flatMap((share) => readEsploraAlone(given, () => shareSold() >= share)),
  ];
}

function once(isDue: () => boolean, happen: () => Promise<void>): Move {
  return { isDue, happen, isRepeated: false };
}

function repeated(firstMs: number, everyMs: number, happen: () => Promise<void>): Move {
  let nextMs = firstMs;
  return {
    isDue: () => Date.now() >= nextMs,
    happen: () => {
      nextMs = Date.now() + everyMs;
      return happen();
    },
    isRepeated: true,
  };
}

/** The second waits for the first, and ends only when watchers have read enough blocks. */
function readEsploraAlone({ stage: { esploraAlone } }: Given, isDue: () => boolean): Move[] {
  let begun: { atMs: number; blocks: number } | null = null;
  const hasRead = (): boolean =>
    begun !== null &&
    Date.now() >= begun.atMs + ALONE_MS &&
    esploraAlone.blocks() >= begun.blocks + BLOCKS_ALONE;
  return [
    once(
      () => isDue() && !esploraAlone.hasBegun(),
      () => {
        begun = { atMs: Date.now(), blocks: esploraAlone.blocks() };
        return Promise.resolve(esploraAlone.begin());
      },
    ),
    once(hasRead, () => Promise.resolve(esploraAlone.end())),
  ];
}

function payEarly({ stage, business, random }: Given, { chain: { currency }, acts }: Life): Promise<void> {
  const act = paysBeforeLease(stage, business, currency, random);
  acts.push({ atMs: Date.now(), invoice: null, isLate: false, act });
  return Promise.resolve();
}

async function rescan({ stage, business }: Given, { chain: { currency, history } }: Life): Promise<void> {
  await requestRescan(stage, currency, Math.max(1, history.tip().height - RESCANNED_BLOCKS));
  business.scenarios.rescans += 1;
}

/** That may still be paid. */
function invoicesOfFormerWallet(
  { stage: { shops }, business: { sold } }: Given,
  { chain: { currency } }: Life,
): number {
  return sold.filter(
    (one) =>
      one.shop === shops.moving &&
      one.currency === currency &&
      one.terms.deadlineMs.earliest > Date.now() + IN_TIME_BEFORE_MS,
  ).length;
}

async function moveWallet(given: Given, life: Life): Promise<void> {
  const { scenarios } = given.business;
  scenarios.invoices_of_former_wallet += invoicesOfFormerWallet(given, life);
  await given.stage.shops.moving.replaceWallet(life.chain.currency);
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
  const pays = (order: OpenOrder, amount: bigint, late: Sold | null = null): void =>
    void acts.push({
      atMs: late ? late.terms.deadlineMs.latest + LATE_AFTER_MS : Date.now() + 1000,
      invoice: late,
      isLate: late !== null,
      act: async (chain) => {
        const txid = await chain.pay([{ to: addresses.addressAt(order.addressIndex), amount }]);
        if (late === null) return;
        if (txid !== null) scenarios.late_money_of_imported_orders += 1;
        // The payer had no coins at that moment, or the node had just started.
        else pays(order, amount, late);
      },
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
