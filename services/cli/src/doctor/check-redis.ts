import { inspectRedis } from '@paywatch/store';
import { readRedisConfig, type Env } from '../config.ts';
import { attempt, ok, type Finding } from './finding.ts';

const ADVICE =
  'REDIS_URL must name a Redis that this machine may reach, with `maxmemory-policy noeviction` in its configuration.';

/** Whether Redis answers, and drops nothing that was put there. Never rejects. */
export function checkRedis(env: Env): Promise<Finding> {
  return attempt('Redis', ADVICE, async () => {
    const { version } = await inspectRedis(readRedisConfig(env).REDIS_URL);
    return ok('Redis', `${version}, noeviction`);
  });
}
