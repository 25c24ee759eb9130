import type { Counts } from './chain-goals.ts';
import type { Business } from './chain-moves.ts';
import type { ChainPayers } from './payers/chain-payers.ts';
import type { Sold } from './chain-shops.ts';
import { TWO_SOURCES_ABOVE_SATS, type ChainStage } from './chain-stage.ts';
import { countPassed } from './payers/early-money.ts';
import { isFullAmount } from '../spec/spec-terms.ts';

type Payment = { amount: bigint; sentMs: number };
type PaymentsOf = (sold: Sold) => readonly Payment[];

/** How often everything happened so far, on all chains and in business. */
export function countAll(
  stage: ChainStage,
  chains: readonly Pick<ChainPayers, 'counts' | 'history'>[],
  business: Business,
): Counts {
  const { sold, scenarios } = business;
  const paymentsOf = paymentsByScript(chains);
  const count = (isMeant: (one: Sold, payments: readonly Payment[]) => boolean): number =>
    sold.filter((one) => isMeant(one, paymentsOf(one))).length;
  return {
    ...sumOf(chains.map(({ counts }) => counts)),
    ...scenarios,
    invoices: sold.length,
    leases_past_early_money: countPassed(stage, business),
    paid_leases_again: count((one, payments) => isReleased(one, sold) && payments.some(isAfterLease(one))),
    extensions: count(({ sale }) => sale.extension !== null),
    orders_within_tolerance: count(isWithinTolerance),
    paid_orders_for_two_sources: count(isForTwoSources),
    blocks_of_esplora_alone: stage.esploraAlone.blocks(),
    answers_with_invented_blocks: stage.liar.lies(),
  };
}

function paymentsByScript(chains: readonly Pick<ChainPayers, 'history'>[]): PaymentsOf {
  const outputs = chains.flatMap(({ history }) =>
    history.sent.flatMap(({ sentMs, outputs: paid }) => paid.map((output) => ({ ...output, sentMs }))),
  );
  const byScript = Map.groupBy(outputs, ({ scriptHex }) => scriptHex);
  return ({ scriptHex }) => byScript.get(scriptHex) ?? [];
}

/** Whether its address had another invoice before. */
export function isReleased({ scriptHex, publicId }: Sold, sold: readonly Sold[]): boolean {
  return sold.find((other) => other.scriptHex === scriptHex)?.publicId !== publicId;
}

function isAfterLease({ sale: { answeredMs } }: Sold): (payment: Payment) => boolean {
  return ({ sentMs }) => sentMs >= answeredMs;
}

/** Paid by less than it asks for, and not by too little. */
function isWithinTolerance({ terms }: Sold, payments: readonly Payment[]): boolean {
  return (
    terms.type === 'order' &&
    payments.some(({ amount }) => amount < terms.asked && isFullAmount(terms, amount))
  );
}

function isForTwoSources({ currency, terms }: Sold, payments: readonly Payment[]): boolean {
  return (
    currency === 'BTC' &&
    terms.type === 'order' &&
    terms.asked > TWO_SOURCES_ABOVE_SATS &&
    payments.some(({ amount }) => isFullAmount(terms, amount))
  );
}

/** By name, in the order of their names. Of depths the deepest is kept. */
function sumOf(all: readonly Counts[]): Counts {
  const names = [...new Set(all.flatMap((counts) => Object.keys(counts)))].toSorted();
  return Object.fromEntries(
    names.map((name) => {
      const values = all.map((counts) => counts[name] ?? 0);
      const isDepth = name === 'deepest_reorganisation';
      return [name, isDepth ? Math.max(...values) : values.reduce((sum, value) => sum + value, 0)];
    }),
  );
}
