import { CLIENT_WINDOW_MS, type ClientWindow } from '@paywatch/domain/requests';
import { connectRedis, type RedisClient } from '../client.ts';
import { isRedisReady } from '../inspect.ts';
import { createKeys, type Keys } from '../keys.ts';

/** A replica reports a window with its first request after ten minutes, so within this time each replica has reported one. */
const READ_WITHIN_SECONDS = (1.5 * CLIENT_WINDOW_MS) / 1000;
const KEPT_SECONDS = 1800;
const CONNECT_TIMEOUT_MS = 3000;

/** Stores the clients that one replica saw, for `paywatch doctor`. Each call adds one window. */
export async function saveClientWindow(
  { redis, keys }: { redis: RedisClient; keys: Keys },
  replica: string,
  { requests, network }: ClientWindow,
): Promise<void> {
  const key = keys.clientWindows();
  const [seconds] = await redis.time();
  await redis
    .multi()
    .zremrangebyscore(key, 0, Number(seconds) - KEPT_SECONDS)
    .zadd(key, Number(seconds), JSON.stringify({ replica, seconds, requests, network }))
    .expire(key, KEPT_SECONDS)
    .exec();
}

/** Reads the clients that the replicas of a deployment saw recently. Empty if Redis does not respond. */
export async function loadClientWindows(url: string, prefix: string): Promise<ClientWindow[]> {
  const redis = connectRedis(url, 'api', () => {});
  try {
    if (!(await isRedisReady(redis, CONNECT_TIMEOUT_MS))) return [];
    const [seconds] = await redis.time();
    const since = Number(seconds) - READ_WITHIN_SECONDS;
    const windows = await redis.zrangebyscore(createKeys(prefix).clientWindows(), since, '+inf');
    return windows.flatMap(parseWindow);
  } finally {
    redis.disconnect();
  }
}

/** Empty for entries of another release. */
function parseWindow(text: string): ClientWindow[] {
  const { requests, network } = JSON.parse(text) as Partial<ClientWindow>;
  if (typeof requests !== 'number' || network === undefined) return [];
  return [{ requests, network }];
}
