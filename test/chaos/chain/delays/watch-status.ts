import type { ChainPayers } from '../payers/chain-payers.ts';
import type { ChainStage } from '../chain-stage.ts';
import { isCalm } from '../../shared/process-faults.ts';
import { answerOf } from './watch-page.ts';

/** Replicas answer the same for five seconds; asked more often, an answer is heard soon after it was made. */
const LOOK_EVERY_MS = 1000;

/** Writes down when the status page says that the chains were read completely, until the signal. */
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
