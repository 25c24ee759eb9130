import type { Logger } from '@paywatch/runtime/observability';
import { pause } from '@paywatch/runtime/process';
import type { Store } from '../store.ts';
import { recordIncidents } from './incidents.ts';

const INTERVAL_MS = 15_000;

/** Records incidents until it is stopped. `stop` waits for a record in progress. See recordIncidents for `sendsMail`. */
export function startIncidentRecorder(
  { store, logger }: { store: Store; logger: Logger },
  sendsMail: boolean | null,
): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const run = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      try {
        await recordIncidents(store, sendsMail);
      } catch (err) {
        logger.warn({ err }, 'incidents not recorded; retrying');
      }
      await pause(INTERVAL_MS, stopping.signal);
    }
  };
  const running = run();
  return {
    stop: async () => {
      stopping.abort();
      await running;
    },
  };
}
