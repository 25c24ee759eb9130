import { ok, warning, type Finding } from '@paywatch/domain/deployment';
import { redisProtection } from '@paywatch/runtime/process';
import { inspectRedis } from '@paywatch/store/redis';
import { readRedisConfig, type Env } from '../config.ts';
import { attempt } from './attempt.ts';

const ADVICE =
  'REDIS_URL and QUEUE_REDIS_URL must name a reachable Redis that is configured with `maxmemory-policy noeviction`.';

/** Checks that Redis responds, evicts no keys, and is protected. Never rejects. */
export function checkRedis(env: Env): Promise<Finding> {
  return attempt('Redis', ADVICE, async () => {
    const { REDIS_URL, QUEUE_REDIS_URL } = readRedisConfig(env);
    const { version } = await inspectRedis(REDIS_URL, 'REDIS_URL');
    const queues = QUEUE_REDIS_URL && (await inspectRedis(QUEUE_REDIS_URL, 'QUEUE_REDIS_URL'));
    const detail = queues ? `${version}, for queues ${queues.version}, noeviction` : `${version}, noeviction`;
    const gaps = Object.entries({ REDIS_URL, QUEUE_REDIS_URL }).flatMap(([name, url]) => gapsOf(name, url));
    return gaps.length === 0
      ? ok('Redis', detail)
      : warning('Redis', `${detail}; ${gaps.join(', ')}`, GAP_ADVICE);
  });
}

const GAP_ADVICE =
  'Anyone who can reach this Redis can delay or forge updates. Set requirepass and TLS, and use rediss://:password@host:6379?ca_file=… ' +
  '(see docs/servers.md).';

/** Lists the missing protections of a Redis on another machine. */
function gapsOf(variable: string, url: string | undefined): string[] {
  if (url === undefined) return [];
  const { hasPassword, isTls, isLocal } = redisProtection(url);
  if (isLocal) return [];
  return [
    ...(hasPassword ? [] : [`${variable} has no password`]),
    ...(isTls ? [] : [`${variable} has no TLS`]),
  ];
}
