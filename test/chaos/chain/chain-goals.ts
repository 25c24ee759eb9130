import type { Figure } from '@paywatch/dev/commands';

/** How often things happened, by name. */
export type Counts = Readonly<Record<string, number>>;

/**
 * How often each situation must happen in a run of full size, so that a run that tried too little fails. Invoices are sold until the
 * goals of `selling` are reached; those of `end` are reached by what is left to do then.
 */
const GOALS = {
  selling: {
    invoices: 300,
    leases_again: 10,
    paid_leases_again: 3,
    money_before_lease: 4,
    leases_past_early_money: 2,
    invoices_of_shared_key: 10,
    wallets_replaced: 2,
    invoices_of_former_wallet: 2,
    imported_orders: 10,
    invoices_after_import: 5,
    rescans: 3,
    extensions: 4,
    orders_within_tolerance: 4,
    paid_orders_for_two_sources: 10,
    blocks_of_esplora_alone: 12,
    answers_with_invented_blocks: 20,
    clock_skews: 2,
    node_crashes: 1,
    node_restarts: 1,
    reorganisations: 10,
    deepest_reorganisation: 12,
    reversals: 1,
    replacements: 5,
    peg_outs: 2,
  },
  end: {
    late_money_of_imported_orders: 2,
    processes_with_wrong_clock: 2,
    kills: 5,
    freezes: 3,
    blackouts: 2,
    invoices_confirmed: 30,
    invoices_expired: 10,
    invoices_underpaid: 5,
    invoices_late_payment: 5,
    invoices_reversed: 1,
  },
} as const satisfies Record<string, Counts>;

/** The goals of selling, or of the whole run, at a share of its full size: each situation happens at least once. */
export function goalsOf(part: 'selling' | 'run', share: number): Counts {
  const goals: Counts = part === 'selling' ? GOALS.selling : { ...GOALS.selling, ...GOALS.end };
  return Object.fromEntries(
    Object.entries(goals).map(([name, least]) => [name, Math.max(1, Math.ceil(least * share))]),
  );
}

/** The goals that are not reached, in words. */
export function missedGoals(counts: Counts, goals: Counts): string[] {
  return Object.entries(goals).flatMap(([name, least]) => {
    const count = counts[name] ?? 0;
    if (count >= least) return [];
    return [`${name} ${count === 0 ? 'never happened' : `happened ${count} times only`}, wanted ${least}`];
  });
}

/** All counts with their goals; what has a goal and never happened is listed as 0. */
export function scenarioFigures(counts: Counts, goals: Counts): Figure[] {
  const names = [...new Set([...Object.keys(goals), ...Object.keys(counts)])];
  return names.map((name) => {
    const least = goals[name];
    return { name, value: counts[name] ?? 0, ...(least !== undefined && { reach: { atLeast: least } }) };
  });
}
