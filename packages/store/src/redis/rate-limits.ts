import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import type { Store } from '../store.ts';
import { reconnectIfFrozen } from './client.ts';

/** So many points for each key in a window that begins with the key's first point. */
export type RateLimitRule = { name: string; points: number; windowSeconds: number };

/** Where a key stands after a point was counted, or where it stood when it was refused. */
export type RateLimitState = {
  rule: RateLimitRule;
  isAllowed: boolean;
  remaining: number;
  /** Until the window ends; at least 1. */
  resetSeconds: number;
};

export type RateLimiter = {
  rule: RateLimitRule;
  /** Counts one point. Never throws for want of Redis. */
  count(key: string): Promise<RateLimitState>;
  /** Where a key stands whose point a script has counted: the points of the window, and how long it still lasts. */
  stateAfter(points: number, resetMs: number): RateLimitState;
  /** Takes back a point that should not have been counted. */
  giveBack(key: string): Promise<void>;
};

/**
 * Counts in Redis, so that a limit holds across replicas; while Redis is away or frozen, in this process alone.
 * Fixed windows: twice the points may pass across an edge. `onInsured` hears of every point that Redis did not count.
 */
export function createRateLimiter(
  store: Pick<Store, 'redis' | 'keys'>,
  rule: RateLimitRule,
  onInsured: () => void = () => undefined,
): RateLimiter {
  const settings = {
    keyPrefix: store.keys.rateLimit(rule.name),
    points: rule.points,
    duration: rule.windowSeconds,
  };
  const insurance = new RateLimiterMemory(settings);
  const shared = new RateLimiterRedis({
    ...settings,
    storeClient: store.redis,
    rejectIfRedisNotReady: true,
    // Once refused, a key is refused here until its window ends: a flood costs Redis nothing.
    inMemoryBlockOnConsumed: rule.points + 1,
  });
  const withInsurance = async <Result>(
    run: (limiter: RateLimiterRedis | RateLimiterMemory) => Promise<Result>,
  ): Promise<Result> => {
    try {
      return await run(shared);
    } catch (error) {
      if (error instanceof RateLimiterRes) throw error;
      reconnectIfFrozen(store.redis, error);
      onInsured();
      return run(insurance);
    }
  };
  return {
    rule,
    count: async (key) => {
      try {
        return stateOf(rule, true, await withInsurance((limiter) => limiter.consume(key)));
      } catch (refusal) {
        if (!(refusal instanceof RateLimiterRes)) throw refusal;
        return stateOf(rule, false, refusal);
      }
    },
    stateAfter: (points, resetMs) => ({
      rule,
      isAllowed: points <= rule.points,
      remaining: Math.max(rule.points - points, 0),
      resetSeconds: wholeSeconds(resetMs),
    }),
    giveBack: async (key) => {
      await withInsurance((limiter) => limiter.reward(key));
    },
  };
}

function stateOf(rule: RateLimitRule, isAllowed: boolean, result: RateLimiterRes): RateLimitState {
  const remaining = isAllowed ? result.remainingPoints : 0;
  return { rule, isAllowed, remaining, resetSeconds: wholeSeconds(result.msBeforeNext) };
}

function wholeSeconds(ms: number): number {
  return Math.max(1, Math.ceil(ms / 1000));
}
