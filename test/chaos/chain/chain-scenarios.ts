import { repositoryFolder } from '@paywatch/dev/stack';
import type { SeededRandom } from '@paywatch/dev/testing';
import type { Currency } from '@paywatch/dev/wallet';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { ChainPayers } from './chain-payers.ts';
import type { Order, Shop, Sold } from './chain-shops.ts';
import type { ChainStage } from './chain-stage.ts';
import type { Act } from './payer-behaviours.ts';
import { isFullAmount } from '../spec/spec-terms.ts';

/** How often each of the special situations came about. */
export type Scenarios = Record<
  | 'money_before_lease'
  | 'leases_again'
  | 'invoices_of_shared_key'
  | 'invoices_of_former_wallet'
  | 'wallets_replaced'
  | 'rescans'
  | 'extensions'
  | 'orders_for_two_sources'
  | 'imported_orders'
  | 'invoices_after_import'
  | 'answers_with_invented_blocks',
  number
>;

/** Nothing of it has happened yet. */
export function noScenarios(): Scenarios {
  return {
    money_before_lease: 0,
    leases_again: 0,
    invoices_of_shared_key: 0,
    invoices_of_former_wallet: 0,
    wallets_replaced: 0,
    rescans: 0,
    extensions: 0,
    orders_for_two_sources: 0,
    imported_orders: 0,
    invoices_after_import: 0,
    answers_with_invented_blocks: 0,
  };
}

/** So far ahead of what is leased that it is surely met before its lease, and soon enough that the lease would come. */
const AHEAD = 90;
const MONEY = 250_000n;

/** Pays an address that no invoice has yet, as the owner's own wallet software would: kept in the mempool, or to be mined. */
export function paysBeforeLease(
  sold: readonly Sold[],
  shop: Shop,
  currency: Currency,
  random: SeededRandom,
): Act['act'] {
  const leased = sold.filter((one) => one.shop === shop && one.currency === currency);
  const highest = Math.max(0, ...leased.map(({ sale: { addressIndex } }) => addressIndex));
  const address = shop.addresses(currency).addressAt(highest + AHEAD + random.integer(20));
  return (chain: ChainPayers) =>
    chain.pay([{ to: address, amount: MONEY }], { isHeldBack: random.happens(0.3) });
}

/** Has the watchers read the newest blocks again, as an operator does. */
export async function requestRescan(
  { stack }: ChainStage,
  currency: Currency,
  fromHeight: number,
): Promise<void> {
  const entry = join(repositoryFolder, 'services/cli/src/main.ts');
  const words = ['chain', 'rescan', currency, '--from-height', String(fromHeight), '--no-wait'];
  await promisify(execFile)(process.execPath, [entry, ...words], {
    env: { PATH: process.env['PATH'], ...stack.env },
    timeout: 120_000,
  });
}

/** How many orders were paid by less than they ask for, and not by too little. */
export function countWithinTolerance(sold: readonly Sold[], chains: readonly ChainPayers[]): number {
  const outputs = chains.flatMap(({ history }) => history.sent.flatMap((sent) => sent.outputs));
  const paid = Map.groupBy(outputs, ({ scriptHex }) => scriptHex);
  return sold.filter(({ terms, scriptHex }) => {
    const amounts = (paid.get(scriptHex) ?? []).map(({ amount }) => amount);
    return (
      terms.type === 'order' && amounts.some((amount) => amount < terms.asked && isFullAmount(terms, amount))
    );
  }).length;
}

/** Whose invoice comes next, and its terms: most are the main shop's. */
export function nextOrder(
  { shops }: ChainStage,
  currency: Currency,
  random: SeededRandom,
): { shop: Shop; order: Order } {
  const { main, small, guest, moving, importing } = shops;
  const shop = random.pick([main, main, main, main, small, small, guest, moving, importing]);
  const type = random.happens(0.8) ? 'order' : 'donation';
  const amount = BigInt(random.pick([60_000, 400_000, 2_000_000]) + random.integer(10_000));
  // A minute is the shortest: the addresses of the small shop return soon.
  return { shop, order: { currency, type, amount, ...(shop === small ? { ttlSeconds: 60 } : {}) } };
}
