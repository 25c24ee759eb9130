import { reconcileInvoice } from '@paywatch/domain/invoices';
import { pause } from '@paywatch/runtime/process';
import { inSnapshot } from '@paywatch/store/postgres';
import {
  loadReconciledView,
  loadReconciliationCases,
  type FoundDifference,
  type ReconciledView,
  type Reconciliation,
  type StoredCase,
} from '@paywatch/store/reconciliation';
import type { WatcherContext } from '../context.ts';

/** Differences are checked again after these pauses, because a payment that was just recorded may wait for its decision. */
const CONFIRM_AFTER_MS = [500, 2000];
/** This long after a deadline, some watcher has decided it. */
const SWEEP_MS = 60_000;

/** The tip of our chain is not the last block that the run has read. */
export type Moved = { movedTo: ReconciledView };

/** Compares invoices with the blocks that the run has read, and returns the differences that persist. Writes nothing. */
export async function compareInvoices(
  context: WatcherContext,
  run: Reconciliation,
  ids: readonly bigint[],
): Promise<FoundDifference[] | Moved> {
  let found = await compareOnce(context, run, ids);
  for (const pauseMs of CONFIRM_AFTER_MS) {
    if (!Array.isArray(found)) return found;
    const suspects = new Set(found.filter(({ kind }) => kind !== 'unverifiable').map((one) => one.invoiceId));
    if (suspects.size === 0) return found;
    await pause(pauseMs);
    const again = await compareOnce(context, run, [...suspects]);
    if (!Array.isArray(again)) return again;
    found = [...found.filter(({ invoiceId }) => !suspects.has(invoiceId)), ...again];
  }
  return found;
}

async function compareOnce(
  context: WatcherContext,
  run: Reconciliation,
  ids: readonly bigint[],
): Promise<FoundDifference[] | Moved> {
  return inSnapshot(context.store, async (tx) => {
    const view = await loadReconciledView(tx, run.currency);
    if (view === null) throw new Error(`${run.currency}: the chain is not followed any more`);
    if (!isTipOf(run, view)) return { movedTo: view };
    const cases = await loadReconciliationCases(tx, run, ids);
    return cases.flatMap((one) => compareCase(context, run, view, one));
  });
}

/** After blocks that no source has any more there is no hash to compare. */
function isTipOf({ range, lastHash }: Reconciliation, { tip }: ReconciledView): boolean {
  return tip.height === range?.to && (lastHash === null || tip.hash === lastHash);
}

function compareCase(
  context: WatcherContext,
  { currency, range, read }: Reconciliation,
  view: ReconciledView,
  { id, publicId, status, scriptHex, terms, leases, chain, recorded }: StoredCase,
): FoundDifference[] {
  const limit = context.secondSourceAbove?.get(currency);
  const asked = terms.type === 'order' ? terms.expectedAmount : null;
  const differences = reconcileInvoice({
    invoice: {
      publicId,
      status,
      scriptHex,
      terms: { ...terms, toleranceBps: context.settings.toleranceBps },
    },
    leases,
    chain,
    recorded,
    read: {
      from: read?.from ?? (range?.to ?? 0) + 1,
      fromTimeMs: read?.fromTime.getTime() ?? Number.POSITIVE_INFINITY,
      to: view.tip.height,
    },
    isOver: isOver(terms.deadlineMs, view),
    isWithheld: limit !== undefined && asked !== null && asked > limit,
  });
  return differences.map((difference) => ({ ...difference, invoiceId: id }));
}

/** Whether the deadline has been decided; null if that is uncertain. */
function isOver(deadlineMs: number, { nowMs, judgedUntilMs }: ReconciledView): boolean | null {
  if (deadlineMs >= nowMs) return false;
  return judgedUntilMs !== null && judgedUntilMs - deadlineMs > SWEEP_MS ? true : null;
}
