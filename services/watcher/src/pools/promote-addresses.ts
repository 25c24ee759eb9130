import { ParseError, parseTransaction, type ParsedTransaction } from '@paywatch/domain/chain';
import type { Currency } from '@paywatch/domain/values';
import { lockChainAsLeader } from '@paywatch/store/chain';
import {
  findPromotable,
  listenForPromotions,
  lockAddresses,
  promoteDerived,
  retireDerived,
  type PromotableAddress,
} from '@paywatch/store/pools';
import { inTransaction } from '@paywatch/store/postgres';
import type { LeaderContext } from '../context.ts';
import type { MempoolOutputs } from '../chain/mempool-outputs.ts';
import type { ChainSource } from '../sources/chain-source.ts';
import { recordMempool } from '../payments/record-outputs.ts';

/** Addresses promoted by one statement. */
const BATCH = 500;

/**
 * Makes derived addresses leasable once the leader knows that nothing has paid them: their history was read, they have been
 * watched since, and no mempool transaction pays them. Addresses that one does pay are recorded and retired. Each batch is
 * selected again, so that a new merchant does not wait for others with many addresses. Promotes nothing before the leader has
 * read the whole mempool. Safe to repeat. Rejects when the source fails. Throws LeadershipLostError.
 */
export async function promoteAddresses(
  context: LeaderContext,
  source: ChainSource,
  currency: Currency,
  outputs: MempoolOutputs,
): Promise<void> {
  if (!outputs.isComplete) return;
  const doubtful: PromotableAddress[] = [];
  for (let isFull = true; isFull;) {
    const addresses = await findPromotable(context.store.sql, currency, doubtful, BATCH);
    doubtful.push(...(await promoteBatch(context, source, currency, outputs, addresses)));
    isFull = addresses.length === BATCH;
  }
}

/** Returns the addresses that must wait for the next read. */
async function promoteBatch(
  context: LeaderContext,
  source: ChainSource,
  currency: Currency,
  outputs: MempoolOutputs,
  addresses: readonly PromotableAddress[],
): Promise<Iterable<PromotableAddress>> {
  if (addresses.length === 0) return [];
  // After the addresses were read: a transaction that is indexed later is matched against them.
  const suspects = new Map(
    addresses.flatMap((address) => {
      const txids = outputs.find(address.script);
      return txids.length > 0 ? [[address, txids] as const] : [];
    }),
  );
  const { paid, doubtful } = await examine(context, source, currency, suspects);
  const clean = addresses.filter((address) => !paid.has(address) && !doubtful.has(address));
  const count = await inTransaction(context.store, async (tx) => {
    await lockChainAsLeader(tx, currency, context.processId);
    await lockAddresses(tx, addresses);
    await retireDerived(tx, [...paid]);
    return promoteDerived(tx, clean);
  });
  if (paid.size > 0 || count > 0)
    context.logger.info({ currency, promoted: count, retired: paid.size }, 'derived addresses examined');
  const unasked = clean.filter(({ isHistoryAsked }) => !isHistoryAsked).map(({ poolId }) => String(poolId));
  for (const poolId of new Set(unasked))
    context.logger.warn({ currency, pool_id: poolId }, 'pool opened without a history scan');
  return doubtful;
}

type Examined = { paid: Set<PromotableAddress>; doubtful: Set<PromotableAddress> };

/** Records the transactions that do pay one of the addresses. A transaction that left meanwhile is left to the next read. */
async function examine(
  context: LeaderContext,
  source: ChainSource,
  currency: Currency,
  suspects: ReadonlyMap<PromotableAddress, readonly string[]>,
): Promise<Examined> {
  const txids = [...new Set([...suspects.values()].flat())];
  if (txids.length === 0) return { paid: new Set(), doubtful: new Set() };
  const raw = await source.getMempoolTransactions(txids);
  const transactions = new Map(txids.map((txid, index) => [txid, parseOrNull(raw[index])]));
  const isPaying =
    ({ script }: PromotableAddress) =>
    (txid: string): boolean =>
      pays(transactions.get(txid), script);
  const paying = [...suspects].filter(([address, of]) => of.some(isPaying(address)));
  const unknown = [...suspects].filter(([, of]) => of.some((txid) => !transactions.get(txid)));
  const relevant = new Set(paying.flatMap(([address, of]) => of.filter(isPaying(address))));
  if (relevant.size > 0) {
    await recordMempool(context, {
      currency,
      source,
      transactions: [...relevant].flatMap((txid) => transactions.get(txid) ?? []),
    });
  }
  return {
    paid: new Set(paying.map(([address]) => address)),
    doubtful: new Set(unknown.map(([address]) => address)),
  };
}

function parseOrNull(bytes: Uint8Array | null | undefined): ParsedTransaction | null {
  if (!bytes) return null;
  try {
    return parseTransaction(bytes);
  } catch (error) {
    if (error instanceof ParseError) return null;
    throw error;
  }
}

function pays(transaction: ParsedTransaction | null | undefined, script: Uint8Array): boolean {
  return transaction?.outputs.some((output) => Buffer.compare(output.script, script) === 0) ?? false;
}

/** Promotions between the reads of a leader, so that a new merchant need not wait for the next read. */
export type Promotions = { stop(): Promise<void> };

/**
 * Runs `promote` when addresses of the currency wait for it, one run at a time. A failure is logged; the next read of the
 * mempool promotes as well.
 */
export function startPromotions(
  { store, logger }: LeaderContext,
  currency: Currency,
  promote: () => Promise<void>,
): Promotions {
  let running: Promise<void> | null = null;
  let isWanted = false;
  const run = async (): Promise<void> => {
    while (isWanted) {
      isWanted = false;
      await promote().catch((err: unknown) =>
        logger.warn({ err, currency }, 'promotion failed; retrying after the next read'),
      );
    }
    running = null;
  };
  const listening = listenForPromotions(store, (named) => {
    if (named !== currency) return;
    isWanted = true;
    running ??= run();
  });
  listening.catch((err: unknown) =>
    logger.warn({ err, currency }, 'not listening for promotions; promoting after each read instead'),
  );
  return {
    stop: async () => {
      const [listened] = await Promise.allSettled([listening]);
      if (listened.status === 'fulfilled') await listened.value.stop();
      await running;
    },
  };
}
