import type { SeededRandom } from '@paywatch/dev/testing';
import type { Currency } from '@paywatch/dev/wallet';
import type { Business } from '../chain-moves.ts';
import type { ChainStage } from '../chain-stage.ts';
import type { Act } from './payer-behaviours.ts';

/** An address that was paid before any lease. */
export type EarlyMoney = { currency: Currency; addressIndex: number };

/** As many addresses ahead as were leased within this time: the money is surely met before its lease, and the lease comes soon. */
const MET_WITHIN_MS = 90_000;
const LEAST_AHEAD = 10;
const MONEY = 250_000n;

/**
 * Pays an address of the main shop that no invoice has yet, as the owner's own wallet software would: kept in the mempool, or to be
 * mined.
 */
export function paysBeforeLease(
  { shops }: ChainStage,
  { sold, earlyMoney, scenarios }: Business,
  currency: Currency,
  random: SeededRandom,
): Act['act'] {
  const leased = sold.filter(({ shop, currency: theirs }) => shop === shops.main && theirs === currency);
  const highest = Math.max(0, ...leased.map(({ sale: { addressIndex } }) => addressIndex));
  const sinceMs = Date.now() - MET_WITHIN_MS;
  const lately = leased.filter(({ sale: { answeredMs } }) => answeredMs >= sinceMs).length;
  const addressIndex = highest + lately + LEAST_AHEAD + random.integer(10);
  const address = shops.main.addresses(currency).addressAt(addressIndex);
  return async (chain) => {
    const txid = await chain.pay([{ to: address, amount: MONEY }], { isHeldBack: random.happens(0.3) });
    if (txid === null) return;
    scenarios.money_before_lease += 1;
    earlyMoney.push({ currency, addressIndex });
  };
}

/** Of the addresses that were paid early, how many the shop has passed: it leased a later one. */
export function countPassed({ shops }: ChainStage, { sold, earlyMoney }: Business): number {
  return earlyMoney.filter((early) =>
    sold.some(
      (one) =>
        one.shop === shops.main &&
        one.currency === early.currency &&
        one.sale.addressIndex > early.addressIndex,
    ),
  ).length;
}
