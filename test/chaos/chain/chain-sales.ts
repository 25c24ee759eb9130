import type { SeededRandom } from '@paywatch/dev/testing';
import type { Currency } from '@paywatch/dev/wallet';
import { isReleased } from './chain-counts.ts';
import { planMoves, type Business, type Move } from './chain-moves.ts';
import { nextOrder } from './chain-scenarios.ts';
import type { Sold } from './chain-shops.ts';
import type { ChainStage } from './chain-stage.ts';
import type { Life } from './live-chain.ts';
import { behave } from './payers/payer-behaviours.ts';
import { isCalm } from '../shared/process-faults.ts';

const SELL_EVERY_MS = 150;
/** Once all invoices are sold, while something else is still to come: the payments prove that watchers look. */
const SELL_FURTHER_EVERY_MS = 800;

type Sales = {
  random: SeededRandom;
  /** The share of the wanted invoices that is sold. */
  shareSold(): number;
  /** Whether all that selling is to bring about has happened. */
  isEnough(): boolean;
  signal: AbortSignal;
};

/**
 * Sells an invoice after the other, lets its payer plan what to do, and brings the special situations about: until there is enough of
 * everything, or the signal.
 */
export async function sellAll(
  stage: ChainStage,
  lives: readonly Life[],
  business: Business,
  { random, shareSold, isEnough, signal }: Sales,
): Promise<void> {
  const spare: Record<Currency, Sold[]> = { BTC: [], LTC: [] };
  const moves = planMoves({ stage, business, random }, lives, shareSold);
  while (!isEnough() || moves.some(({ isRepeated }) => !isRepeated)) {
    const { chain, acts } = random.pick(lives);
    const { shop, order } = nextOrder(stage, chain.currency, random, shareSold() >= 1);
    const invoice = await shop.sell(order);
    if (invoice !== null) {
      business.sold.push(invoice);
      countSale(stage, business, invoice);
      acts.push(...behave(invoice, spare[chain.currency], random, Date.now()));
    }
    await moveOne(moves);
    const everyMs = shareSold() < 1 ? SELL_EVERY_MS : SELL_FURTHER_EVERY_MS;
    if (!(await isCalm(everyMs / 2 + random.integer(everyMs), signal))) break;
  }
  stage.esploraAlone.end();
}

async function moveOne(moves: Move[]): Promise<void> {
  const due = moves.find((move) => move.isDue());
  if (!due) return;
  if (!due.isRepeated) moves.splice(moves.indexOf(due), 1);
  await due.happen();
}

function countSale({ shops, liar }: ChainStage, { sold, scenarios }: Business, invoice: Sold): void {
  if (isReleased(invoice, sold)) scenarios.leases_again += 1;
  if (invoice.shop === shops.guest) scenarios.invoices_of_shared_key += 1;
  if (
    sold.some(
      ({ shop, currency, sale }) => sale.imported && shop === invoice.shop && currency === invoice.currency,
    )
  )
    scenarios.invoices_after_import += 1;
  // A watcher that trusts the forged blocks confirms an unpaid order.
  if (invoice.currency === 'BTC')
    liar.invent([{ scriptHex: invoice.scriptHex, amount: invoice.terms.asked }]);
}
