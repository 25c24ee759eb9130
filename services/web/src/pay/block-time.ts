import { COINS } from '@paywatch/domain/coins';
import type { Currency } from '@paywatch/domain/contract';

/** Minutes that so many blocks take on average. */
export function minutesFor(blocks: number, currency: Currency): number {
  return Math.ceil((blocks * COINS[currency].blockIntervalSeconds) / 60);
}
