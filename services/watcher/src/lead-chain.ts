import { pause } from '@paywatch/runtime';
import { leaveLead, takeLead } from '@paywatch/store';
import type { WatcherContext } from './context.ts';
import { startChain } from './follow-chain.ts';
import { freshMemory, lookAtChain, type LookOptions } from './look-at-chain.ts';

/** Well inside the five seconds for which a lead is taken. */
const RENEW_MS = 1500;
const MAX_BACKOFF_MS = 10_000;

export type LeadOptions = LookOptions & { pollIntervalMs: number; signal: AbortSignal };

/**
 * Follows one chain for as long as this process leads it, and stands by while another one does. A failure is logged
 * and tried again with growing pauses; the chain view then turns stale by itself, and nothing expires.
 */
export async function leadChain(context: WatcherContext, options: LeadOptions): Promise<void> {
  const { currency, signal, source } = options;
  let memory = freshMemory();
  let failures = 0;
  while (!signal.aborted) {
    try {
      await startChain(context, source, currency);
      await whileLeading(context, options, () => lookAtChain(context, options, memory));
      failures = 0;
    } catch (err) {
      failures += 1;
      // After a failure the mempool is read as a whole: what was half read may be incomplete.
      memory = freshMemory();
      context.logger.error({ err, currency, source: source.name }, 'could not read the chain');
    }
    await pause(Math.min(options.pollIntervalMs * 2 ** Math.min(failures, 10), MAX_BACKOFF_MS), signal);
  }
  await leaveLead(context.store, currency, options.processId);
}

/** Runs the work if this process leads, and renews the lead while it runs. */
async function whileLeading(
  context: WatcherContext,
  options: LeadOptions,
  work: () => Promise<void>,
): Promise<void> {
  const renew = (): Promise<boolean> => takeLead(context.store, options.currency, options.processId);
  if (!(await renew())) return;
  const timer = setInterval(() => {
    renew().catch((err: unknown) =>
      context.logger.warn({ err, currency: options.currency }, 'lead not renewed'),
    );
  }, RENEW_MS);
  try {
    await work();
  } finally {
    clearInterval(timer);
  }
}
