import { redisProtection } from '@paywatch/runtime/process';
import { inspectRedis } from '@paywatch/store/redis';
import { readRedisConfig, type Env } from '../config.ts';
import { attempt, ok, warning, type Finding } from './finding.ts';

const ADVICE =
  'REDIS_URL and QUEUE_REDIS_URL must name a Redis that this machine may reach, with `maxmemory-policy noeviction` in its configuration.';

/** Whether Redis answers, and drops nothing that was put there. Never rejects. */
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
  'Whoever reaches Redis can delay and mislead: set requirepass and TLS, and name them as rediss://:password@host:6379?ca_file=… ' +
  '(docs/servers.md says how).';

/** What is missing between this machine and a Redis elsewhere. On loopback nobody listens in. */
function gapsOf(variable: string, url: string | undefined): string[] {
  if (url === undefined) return [];
  const { hasPassword, isTls, isLocal } = redisProtection(url);
  if (isLocal) return [];
  return [
    ...(hasPassword ? [] : [`${variable} has no password`]),
    ...(isTls ? [] : [`${variable} is without TLS`]),
  ];
}
