import type { ChainPayers } from '../payers/chain-payers.ts';
import type { ChainStage } from '../chain-stage.ts';
import { isCalm } from '../../shared/process-faults.ts';
import { answerOf } from './watch-page.ts';

/** Replicas cache the status for five seconds. Asking more often finds a new read time sooner. */
const LOOK_EVERY_MS = 1000;

/** Records the times at which the chains were last read completely, according to the status page, until the signal aborts. */
export async function watchStatus(
  stage: Pick<ChainStage, 'readTimes'>,
  chains: readonly Pick<ChainPayers, 'currency' | 'history'>[],
  signal: AbortSignal,
): Promise<void> {
  while (await isCalm(LOOK_EVERY_MS, signal)) {
    const times = await answerOf(() => stage.readTimes());
    for (const { currency, history } of chains) {
      const readMs = times?.get(currency);
      if (readMs !== undefined) history.addRead(readMs);
    }
  }
}
