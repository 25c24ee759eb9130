import type { Logger } from '@paywatch/runtime/observability';
import { pause } from '@paywatch/runtime/process';
import type { SourcePool } from '../sources/source-pool.ts';

/** Notifications of a chain source, buffered until the leader reads them. */
export type ChainNotifications = {
  /** Transactions announced since the last call, oldest first. */
  takeTransactions(): Uint8Array[];
  /** Whether the chain moved or a notification was lost, so that a full poll is needed. */
  hasChange(): boolean;
  /** The same, and resets it. */
  takeChange(): boolean;
  /** Resolves as soon as there is a notification, after this many milliseconds, or when the process stops. */
  wait(ms: number): Promise<void>;
  stop(): void;
};

/** A few megabytes. If more arrive before they are read, a full poll replaces them. */
const KEPT_TRANSACTIONS = 5000;

/** Listens to the current source. If no source sends notifications, every wait lasts to its end. */
export function listenForNotifications(
  sources: SourcePool,
  logger: Logger,
  signal: AbortSignal,
): ChainNotifications {
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
    onFault: (err) => logger.error({ err }, 'not listening to the node; polling instead'),
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
