import type { ParsedBlock } from '@paywatch/domain/chain';
import type { Currency } from '@paywatch/domain/values';
import { pause } from '@paywatch/runtime/process';
import { inTransaction } from '@paywatch/store/postgres';
import {
  beginReconciliation,
  endReconciliation,
  extendReconciliation,
  failReconciliation,
  listStagedInvoices,
  loadReconciledView,
  markBlockReconciled,
  releaseReconciliation,
  rewindReconciliation,
  saveComparison,
  skipUnreadableBlocks,
  stageInvoices,
  stageOutputs,
  claimReconciliation,
  type ReadOutput,
  type Reconciliation,
} from '@paywatch/store/reconciliation';
import type { WatcherContext } from '../context.ts';
import { ChainSourceError, type ChainSource } from '../sources/chain-source.ts';
import { CLOCK_ERROR_MS, findHeightAt } from '../sources/find-height.ts';
import { readBlock } from '../sources/node/read-block.ts';
import type { SourcePool } from '../sources/source-pool.ts';
import { compareInvoices } from './compare-invoices.ts';
import { toHex } from '../payments/find-candidates.ts';

/** Blocks read, and invoices compared, under one claim. */
const BLOCKS = 20;
const INVOICES = 200;
/** Longer than a batch takes. After it, another watcher continues the work of a dead one, or retries a failed batch. */
const CLAIM_SECONDS = 120;
/** As deep as any reorganisation that is followed. */
const REORG_DEPTH = 100;
/** An invoice is open for a day at most, and waits two weeks for absent payments: older blocks matter to no recent outcome. */
const LONGEST_LIFE_MS = 16 * 86_400_000;

/** The methods of a source pool that this needs. */
export type ReconciledSources = Pick<SourcePool, 'use' | 'listUsable' | 'report'>;

/**
 * Runs one step of the due reconciliation of a chain: first it reads the blocks since the oldest lease, if possible from a
 * source other than the current one, then it compares the invoices with them. Writes nothing but the run itself. Returns
 * whether there is more to do now. Safe at any time, in any number of watchers, and if the process dies at any point.
 */
export async function continueReconciliation(
  context: WatcherContext,
  sources: ReconciledSources,
  currency: Currency,
): Promise<boolean> {
  const { sql } = context.store;
  const run = await claimReconciliation(sql, currency, CLAIM_SECONDS);
  if (run === null) return false;
  try {
    await takeStep(context, sources, run);
    await releaseReconciliation(sql, run.id);
    return true;
  } catch (error) {
    sources.report(error);
    await failReconciliation(sql, run.id, error instanceof Error ? error.message : String(error));
    throw error;
  }
}

async function takeStep(
  context: WatcherContext,
  sources: ReconciledSources,
  run: Reconciliation,
): Promise<void> {
  const { range } = run;
  if (range === null) await begin(context, sources, run);
  else if (range.next <= range.to) await readBlocks(context, sources, run, range);
  else await compareBatch(context, run, range);
}

async function begin(
  { store }: WatcherContext,
  sources: ReconciledSources,
  run: Reconciliation,
): Promise<void> {
  const { id, currency, since } = run;
  const view = await loadReconciledView(store.sql, currency);
  if (view === null) throw new ChainSourceError(`${currency}: the chain is not followed yet`);
  const { count, earliestLease } = await stageInvoices(store, run);
  const to = view.tip.height;
  const oldestMs = since.getTime() - LONGEST_LIFE_MS;
  const sinceMs = Math.max(earliestLease?.getTime() ?? view.nowMs, oldestMs);
  const from = await sources.use((source) => findHeightAt(source, sinceMs, to));
  const fromTime = new Date(sinceMs - CLOCK_ERROR_MS);
  await beginReconciliation(store.sql, id, { from, fromTime, to, invoices: count });
}

type Range = { from: number; to: number; next: number };

async function readBlocks(
  { store }: WatcherContext,
  sources: ReconciledSources,
  run: Reconciliation,
  { next, to }: Range,
): Promise<void> {
  const found = await findSource(sources, next);
  if (typeof found === 'number') return skipUnreadableBlocks(store.sql, run.id, found);
  let { lastHash } = run;
  for (let height = next; height < Math.min(next + BLOCKS, to + 1); height += 1) {
    const block = await readBlock(found, await found.getHashAt(height));
    if (lastHash !== null && block.prevHash !== lastHash) await rereadBranch(store, run, found, height);
    if (!(await stageBlock(store, run, found, height, block))) return;
    lastHash = block.hash;
  }
  // Spares sources that others pay for.
  await pause(found.minPauseMs ?? 0);
}

/** A source with this block; the current source comes last. If all have pruned it: the lowest block that is left. */
async function findSource(sources: ReconciledSources, height: number): Promise<ChainSource | number> {
  const recordedFrom = await sources.use((source) => Promise.resolve(source.name));
  const usable = await sources.listUsable();
  const others = usable.filter(({ name }) => name !== recordedFrom);
  const prunedBelow: number[] = [];
  for (const source of [...others, ...usable.filter((each) => !others.includes(each))]) {
    const tip = await source.getTip();
    if (tip.height < height) continue;
    if (tip.prunedBelow <= height) return source;
    prunedBelow.push(tip.prunedBelow);
  }
  if (prunedBelow.length === 0) throw new ChainSourceError(`no source has block ${height}`);
  return Math.min(...prunedBelow);
}

/** The blocks that were read are no longer in the best chain. The next try starts below any reorganisation. */
async function rereadBranch(
  store: WatcherContext['store'],
  { id, range }: Reconciliation,
  source: ChainSource,
  height: number,
): Promise<never> {
  await rewindReconciliation(store, id, { next: height - REORG_DEPTH, to: range?.to ?? height });
  throw new ChainSourceError(`${source.name}: block ${height} is on another branch than those below it`);
}

async function stageBlock(
  store: WatcherContext['store'],
  run: Reconciliation,
  { name }: ChainSource,
  height: number,
  { hash, timeMs, transactions }: ParsedBlock,
): Promise<boolean> {
  const outputs = transactions.flatMap(outputsOf);
  return inTransaction(store, async (tx) => {
    const isNext = await markBlockReconciled(tx, run.id, { height, hash, timeMs, source: name });
    if (isNext) await stageOutputs(tx, run, { height, timeMs }, outputs);
    return isNext;
  });
}

/** An empty output is no payment. */
function outputsOf({ txid, outputs }: ParsedBlock['transactions'][number]): ReadOutput[] {
  return outputs
    .filter(({ amount }) => amount > 0n)
    .map(({ vout, amount, script }) => ({ txid, vout, amount, scriptHex: toHex(script) }));
}

async function compareBatch(
  context: WatcherContext,
  run: Reconciliation,
  { from, to }: Range,
): Promise<void> {
  const { store, logger } = context;
  const ids = await listStagedInvoices(store.sql, run.id, INVOICES);
  if (ids.length === 0) {
    await endReconciliation(store, run);
    const { currency, compared, differences, unverifiable } = run;
    const message = 'outcomes were derived again from the chain';
    if (differences > 0) logger.error({ currency, compared, differences, unverifiable }, message);
    else logger.info({ currency, compared, differences, unverifiable }, message);
    return;
  }
  const found = await compareInvoices(context, run, ids);
  if (Array.isArray(found)) return saveComparison(store, run, ids, found);
  const { tip } = found.movedTo;
  // Invoices must be compared with the blocks by which they were decided.
  if (tip.height > to) return extendReconciliation(store.sql, run.id, tip.height);
  await rewindReconciliation(store, run.id, {
    next: Math.max(from, tip.height - REORG_DEPTH),
    to: tip.height,
  });
  throw new ChainSourceError(
    `${run.currency}: block ${to} was read on another branch than it is recorded on`,
  );
}
