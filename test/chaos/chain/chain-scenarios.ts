import { repositoryFolder } from '@paywatch/dev/stack';
import type { SeededRandom } from '@paywatch/dev/testing';
import type { Currency } from '@paywatch/dev/wallet';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Order, Shop } from './chain-shops.ts';
import type { ChainStage } from './chain-stage.ts';

/** How often each of the special situations came about that leave no other trace. */
export type Scenarios = Record<
  | 'money_before_lease'
  | 'leases_again'
  | 'invoices_of_shared_key'
  | 'invoices_of_former_wallet'
  | 'wallets_replaced'
  | 'rescans'
  | 'imported_orders'
  | 'late_money_of_imported_orders'
  | 'invoices_after_import',
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
    imported_orders: 0,
    late_money_of_imported_orders: 0,
    invoices_after_import: 0,
  };
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

/**
 * The shop and the terms of the next invoice. Most invoices belong to the main shop. Once enough are sold, most belong to the small shop,
 * which leases an address again only while it has no fresh one.
 */
export function nextOrder(
  { shops }: ChainStage,
  currency: Currency,
  random: SeededRandom,
  hasSoldEnough: boolean,
): { shop: Shop; order: Order } {
  const { main, small, guest, moving, importing } = shops;
  const shop = random.pick(
    hasSoldEnough ? [main, small, small] : [main, main, main, main, small, small, guest, moving, importing],
  );
  const type = random.happens(0.8) ? 'order' : 'donation';
  const amount = BigInt(random.pick([60_000, 400_000, 2_000_000]) + random.integer(10_000));
  // A minute is the shortest: the addresses of the small shop return soon.
  return { shop, order: { currency, type, amount, ...(shop === small ? { ttlSeconds: 60 } : {}) } };
}
