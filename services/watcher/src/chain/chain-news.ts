import type { Logger } from '@paywatch/runtime/observability';
import { pause } from '@paywatch/runtime/process';
import type { SourcePool } from '../sources/source-pool.ts';

/** What the source of a chain told by itself, kept until somebody has time for it. */
export type ChainNews = {
  /** Transactions that were told of since the last call, oldest first. */
  takeTransactions(): Uint8Array[];
  /** Whether the chain moved, or something was lost: then everything is to be looked at. */
  hasChange(): boolean;
  /** The same, and forgets it. */
  takeChange(): boolean;
  /** Resolves as soon as there is something to take, after so many milliseconds, or once the process is to end. */
  wait(ms: number): Promise<void>;
  stop(): void;
};

/** Some megabytes. Who is told more while he is busy looks at everything instead. */
const KEPT_TRANSACTIONS = 5000;

/** Listens to the source that is read from; where none of them tells anything, every wait lasts to its end. */
export function listenForNews(sources: SourcePool, logger: Logger, signal: AbortSignal): ChainNews {
  const transactions: Uint8Array[] = [];
  let hasChanged = false;
  let waking = new AbortController();
  signal.addEventListener('abort', () => waking.abort(), { once: true });
  const stop = sources.listen({
    onTransaction: (raw) => {
      if (transactions.length < KEPT_TRANSACTIONS) transactions.push(raw);
      else hasChanged = true;
      waking.abort();
    },
    onChange: () => {
      hasChanged = true;
      waking.abort();
    },
    onFault: (err) => logger.error({ err }, 'not listening to the node; it is polled'),
  });
  return {
    takeTransactions: () => transactions.splice(0),
    hasChange: () => hasChanged,
    takeChange: () => {
      const answer = hasChanged;
      hasChanged = false;
      return answer;
    },
    wait: async (ms) => {
      if (transactions.length > 0 || hasChanged || signal.aborted) return;
      waking = new AbortController();
      await pause(ms, waking.signal);
    },
    stop,
  };
}
