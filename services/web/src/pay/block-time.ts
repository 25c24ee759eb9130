import { COINS } from '@paywatch/domain/coins';
import type { Currency } from '@paywatch/domain/contract';

/** The average time of a number of blocks, in minutes. */
export function minutesFor(blocks: number, currency: Currency): number {
  return Math.ceil((blocks * COINS[currency].blockIntervalSeconds) / 60);
}
