import { CHAINS } from '@paywatch/domain/chains';
import type { Currency } from '@paywatch/domain/contract';

/** Minutes that so many blocks take on average. */
export function minutesFor(blocks: number, currency: Currency): number {
  return Math.ceil((blocks * CHAINS[currency].blockIntervalSeconds) / 60);
}
