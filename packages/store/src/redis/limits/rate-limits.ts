import { RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import type { Store } from '../../store.ts';
import { reconnectIfFrozen } from '../client.ts';
import { addPoint, dropPoint, hearOfAll, openKeyBook, type KnownPoints } from './known-points.ts';

/** So many points for each key in a window that begins with the key's first point. */
export type RateLimitRule = { name: string; points: number; windowSeconds: number };

/** Where a key stands after a point was counted, or where it stood when it was refused. */
export type RateLimitState = {
  rule: RateLimitRule;
  isAllowed: boolean;
  remaining: number;
  /** Until the window ends; at least 1. */
  resetSeconds: number;
  /** Redis has counted the point, for all replicas; else this process alone has. */
  isShared: boolean;
};

export type RateLimiter = {
  rule: RateLimitRule;
  /** Counts one point. Never throws for want of Redis. */
  count(key: string): Promise<RateLimitState>;
  /** Where a key stands whose point a script has counted: the points of the window, and how long it still lasts. */
  stateAfter(key: string, points: number, resetMs: number): RateLimitState;
  /** Takes back a point that should not have been counted; `state` is what counting it answered. */
  giveBack(key: string, state: RateLimitState): Promise<void>;
};

export type RateLimiterOptions = {
  /** Hears of every point that Redis did not count. */
  onInsured?: () => void;
  /**
   * Points are given back once it is known that they were none. So is one that is refused at once: it may be the place of
   * those before it that refuses it, and would stay taken. Each refusal then asks Redis.
   */
  isProvisional?: boolean;
};

/**
 * Counts in Redis, so that a limit holds across replicas, and in this process: while Redis is away or frozen, and for the points
 * that it has missed then, a key has no more tries here than it would have had. Fixed windows: twice the points may pass across
 * an edge.
 */
export function createRateLimiter(
  store: Pick<Store, 'redis' | 'keys'>,
  rule: RateLimitRule,
  { onInsured = () => undefined, isProvisional = false }: RateLimiterOptions = {},
): RateLimiter {
  const book = openKeyBook(1000 * rule.windowSeconds);
  const shared = new RateLimiterRedis({
    keyPrefix: store.keys.rateLimit(rule.name),
    points: rule.points,
    duration: rule.windowSeconds,
    storeClient: store.redis,
    rejectIfRedisNotReady: true,
    // Once refused, a key is refused here until its window ends: a flood costs Redis nothing.
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

/** What Redis says of a key. */
type Reply = { isAllowed: boolean; points: number; resetMs: number };

/** Null where Redis says nothing. */
async function ask(
  { redis }: Pick<Store, 'redis'>,
  run: () => Promise<RateLimiterRes>,
): Promise<Reply | null> {
  try {
    const { consumedPoints: points, msBeforeNext: resetMs } = await run();
    return { isAllowed: true, points, resetMs };
  } catch (error) {
    // A refusal from memory does not say how many points there were: more than there may be.
    if (error instanceof RateLimiterRes)
      return { isAllowed: false, points: Number.POSITIVE_INFINITY, resetMs: error.msBeforeNext };
    reconnectIfFrozen(redis, error);
    return null;
  }
}

function stateShared(
  rule: RateLimitRule,
  known: KnownPoints,
  { isAllowed, points, resetMs }: Reply,
): RateLimitState {
  hearOfAll(known, Math.min(points, rule.points), resetMs);
  return { ...standing(rule, known, resetMs), isAllowed, isShared: true };
}

/** Where a key stands by what this process knows. */
function stateAlone(rule: RateLimitRule, known: KnownPoints, isAllowed: boolean): RateLimitState {
  return { ...standing(rule, known, known.endsAtMs - performance.now()), isAllowed, isShared: false };
}

function standing(rule: RateLimitRule, known: KnownPoints, resetMs: number) {
  const remaining = Math.max(rule.points - known.all, 0);
  return { rule, remaining, resetSeconds: Math.max(1, Math.ceil(resetMs / 1000)) };
}
