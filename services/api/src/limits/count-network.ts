import { AppError } from '@paywatch/domain/requests';
import type { RateLimitState } from '@paywatch/store/redis';
import { broaderNetworks } from './client-network.ts';
import type { Limiters, NetworkLimitName } from './limiters.ts';

/** Counts one point for a network and the networks around it. Refused if any of them has no points left. */
export async function countNetwork(
  limiters: Limiters,
  name: NetworkLimitName,
  network: string,
): Promise<RateLimitState> {
  const state = await limiters[name].count(network);
  // In turn: a network that is refused must not use up the budget that it shares with its neighbours.
  for (const [index, around] of broaderNetworks(network).entries()) {
    if (!state.isAllowed) break;
    const broader = await limiters.broader[name][index]?.count(around);
    if (broader?.isAllowed === false) return broader;
  }
  return state;
}

/**
 * Counts one point for a network and the networks around it until it is known whether the points count; returns a function that refunds
 * them. Throws AppError `rate_limited`, and refunds all points, if any of the networks has none left.
 */
export async function countProvisionally(
  limiters: Limiters,
  name: NetworkLimitName,
  network: string,
): Promise<() => Promise<void>> {
  const refunds: (() => Promise<void>)[] = [];
  const refundAll = async (): Promise<void> => void (await Promise.all(refunds.map((refund) => refund())));
  const keys = [network, ...broaderNetworks(network)];
  for (const [index, limiter] of [limiters[name], ...limiters.broader[name]].entries()) {
    const key = keys[index];
    if (key === undefined) break;
    const state = await limiter.count(key);
    if (!state.isAllowed) await refundAll();
    assertAllowed(state);
    refunds.push(() => limiter.giveBack(key, state));
  }
  return refundAll;
}

/** Throws AppError `rate_limited` with the time until the window ends if the point was refused. */
export function assertAllowed(state: RateLimitState): void {
  if (!state.isAllowed) {
    throw new AppError('rate_limited', undefined, { retryAfterSeconds: state.resetSeconds });
  }
}
