import { inspectRedis } from '@paywatch/store';
import { readRedisConfig, type Env } from '../config.ts';
import { attempt, ok, type Finding } from './finding.ts';

const ADVICE =
  'REDIS_URL and QUEUE_REDIS_URL must name a Redis that this machine may reach, with `maxmemory-policy noeviction` in its configuration.';

/** Whether Redis answers, and drops nothing that was put there. Never rejects. */
export function checkRedis(env: Env): Promise<Finding> {
  return attempt('Redis', ADVICE, async () => {
    const { REDIS_URL, QUEUE_REDIS_URL } = readRedisConfig(env);
    const { version } = await inspectRedis(REDIS_URL, 'REDIS_URL');
    if (QUEUE_REDIS_URL === undefined) return ok('Redis', `${version}, noeviction`);
    const queues = await inspectRedis(QUEUE_REDIS_URL, 'QUEUE_REDIS_URL');
    return ok('Redis', `${version}, for queues ${queues.version}, noeviction`);
  });
}
