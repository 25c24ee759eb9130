import { RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import type { Store } from '../../store.ts';
import { reconnectIfFrozen } from '../client.ts';
import {
  addPoint,
  dropPoint,
  applySharedCount,
  createLocalCounters,
  type LocalCount,
} from './local-counters.ts';

/** A number of points for each key, in a fixed window that starts with the key's first point. */
export type RateLimitRule = { name: string; points: number; windowSeconds: number };

/** The state of a key after a point was counted or refused. */
export type RateLimitState = {
  rule: RateLimitRule;
  isAllowed: boolean;
  remaining: number;
  /** Seconds until the window ends; at least 1. */
  resetSeconds: number;
  /** Whether Redis counted the point for all replicas; otherwise only this process did. */
  isShared: boolean;
};

export type RateLimiter = {
  rule: RateLimitRule;
  /** Counts one point. Does not throw if Redis is unavailable. */
  count(key: string): Promise<RateLimitState>;
  /** The state of a key whose point a script has counted, from the points in the window and the time left. */
  stateAfter(key: string, points: number, resetMs: number): RateLimitState;
  /** Takes back a point that should not have been counted; `state` is what `count` returned for it. */
  giveBack(key: string, state: RateLimitState): Promise<void>;
};

export type RateLimiterOptions = {
  /** Called for every point that Redis did not count. */
  onInsured?: () => void;
  /**
   * Points are taken back if the attempt turns out not to count. A refused point is taken back at once: earlier points that are
   * taken back later may have caused the refusal, and it would stay counted. Each refusal then asks Redis.
   */
  isProvisional?: boolean;
};

/**
 * Counts in Redis, so that a limit holds across replicas, and in this process: while Redis is unavailable or frozen, and for
 * the points that it missed, a key gets no more tries here than the limit allows. Windows are fixed, so twice the points may
 * pass around the end of a window.
 */
export function createRateLimiter(
  store: Pick<Store, 'redis' | 'keys'>,
  rule: RateLimitRule,
  { onInsured = () => undefined, isProvisional = false }: RateLimiterOptions = {},
): RateLimiter {
  const book = createLocalCounters(1000 * rule.windowSeconds);
  const shared = new RateLimiterRedis({
    keyPrefix: store.keys.rateLimit(rule.name),
    points: rule.points,
    duration: rule.windowSeconds,
    storeClient: store.redis,
    rejectIfRedisNotReady: true,
    // Once refused, a key is refused locally until its window ends, so a flood costs Redis nothing.
    ...(isProvisional ? {} : { inMemoryBlockOnConsumed: rule.points + 1 }),
  });
  const takeBack = (key: string) => ask(store, () => shared.reward(key));
  return {
    rule,
    count: async (key) => {
      const known = book.open(key);
      if (known.own >= rule.points) return stateAlone(rule, known, false);
      addPoint(known);
      const reply = await ask(store, () => shared.consume(key));
      if (reply === null) onInsured();
      const isAllowed = reply?.isAllowed ?? known.all <= rule.points;
      if (!isAllowed) dropPoint(known);
      if (!isAllowed && reply !== null && isProvisional) await takeBack(key);
      return reply === null ? stateAlone(rule, known, isAllowed) : stateShared(rule, known, reply);
    },
    stateAfter: (key, points, resetMs) =>
      stateShared(rule, book.open(key), { isAllowed: points <= rule.points, points, resetMs }),
    giveBack: async (key, { isShared }) => {
      const known = book.find(key);
      // Its window is over, and the point with it.
      if (known === undefined) return;
      dropPoint(known);
      if (isShared) await takeBack(key);
    },
  };
}

/** What Redis returned for a key. */
type Reply = { isAllowed: boolean; points: number; resetMs: number };

/** Null if Redis did not respond. */
async function ask(
  { redis }: Pick<Store, 'redis'>,
  run: () => Promise<RateLimiterRes>,
): Promise<Reply | null> {
  try {
    const { consumedPoints: points, msBeforeNext: resetMs } = await run();
    return { isAllowed: true, points, resetMs };
  } catch (error) {
    // A refusal from local memory does not carry the count, only that it is above the limit.
    if (error instanceof RateLimiterRes)
      return { isAllowed: false, points: Number.POSITIVE_INFINITY, resetMs: error.msBeforeNext };
    reconnectIfFrozen(redis, error);
    return null;
  }
}

function stateShared(
  rule: RateLimitRule,
  known: LocalCount,
  { isAllowed, points, resetMs }: Reply,
): RateLimitState {
  applySharedCount(known, Math.min(points, rule.points), resetMs);
  return { ...standing(rule, known, resetMs), isAllowed, isShared: true };
}

/** The state of a key as this process knows it. */
function stateAlone(rule: RateLimitRule, known: LocalCount, isAllowed: boolean): RateLimitState {
  return { ...standing(rule, known, known.endsAtMs - performance.now()), isAllowed, isShared: false };
}

function standing(rule: RateLimitRule, known: LocalCount, resetMs: number) {
  const remaining = Math.max(rule.points - known.all, 0);
  return { rule, remaining, resetSeconds: Math.max(1, Math.ceil(resetMs / 1000)) };
}
