import { pause } from '@paywatch/runtime';
import { keepLead, LeadLostError, leaveLead, takeLead } from '@paywatch/store';
import type { LeaderContext } from './context.ts';
import { startChain } from './follow-chain.ts';
import { freshMemory, lookAtChain, type LookMemory, type LookOptions } from './look-at-chain.ts';

/** Well inside the five seconds for which a lead is taken. */
const RENEW_MS = 1500;
const MAX_BACKOFF_MS = 10_000;

export type LeadOptions = LookOptions & { pollIntervalMs: number; signal: AbortSignal };

/**
 * Follows one chain for as long as this process leads it, and stands by while another one does. A failure is logged
 * and tried again with growing pauses; the chain view then turns stale by itself, and nothing expires.
 */
export async function leadChain(context: LeaderContext, options: LeadOptions): Promise<void> {
  const { currency, signal, source } = options;
  const lead = { memory: freshMemory() };
  let failures = 0;
  while (!signal.aborted) {
    try {
      await startChain(context, source, currency);
      await lookIfLeading(context, options, lead);
      failures = 0;
    } catch (err) {
      // What was half read may be incomplete, and a successor may have gone on: the mempool is read as a whole.
      lead.memory = freshMemory();
      failures = err instanceof LeadLostError ? 0 : failures + 1;
      logFailure(context, options, err);
    }
    await pause(Math.min(options.pollIntervalMs * 2 ** Math.min(failures, 10), MAX_BACKOFF_MS), signal);
  }
  await leaveLead(context.store, currency, context.processId);
}

function logFailure({ logger }: LeaderContext, { currency, source }: LeadOptions, err: unknown): void {
  if (err instanceof LeadLostError) logger.warn({ currency }, 'another watcher leads the chain now');
  else logger.error({ err, currency, source: source.name }, 'could not read the chain');
}

/** Looks if this process leads, and renews the lead meanwhile. False when another one leads. Throws LeadLostError. */
export async function lookIfLeading(
  context: LeaderContext,
  options: LookOptions,
  lead: { memory: LookMemory },
): Promise<boolean> {
  const { store, processId, logger } = context;
  const { currency } = options;
  const keep = (): Promise<boolean> => keepLead(store, currency, processId);
  if (!(await keep())) {
    lead.memory = freshMemory();
    if (!(await takeLead(store, currency, processId))) return false;
  }
  // Only kept, never taken anew: the look that is under way may have been frozen while somebody else led.
  const timer = setInterval(() => {
    keep().catch((err: unknown) => logger.warn({ err, currency }, 'lead not renewed'));
  }, RENEW_MS);
  try {
    await lookAtChain(context, options, lead.memory);
    return true;
  } finally {
    clearInterval(timer);
  }
}
