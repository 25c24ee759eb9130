import { expect, test } from 'vitest';
import type { RedisHealth } from '../../src/redis/redis-monitor.ts';
import { findStartFaults } from '../../src/postgres/start-checks.ts';

const serving: RedisHealth = { kind: 'serving' };
const unavailable: RedisHealth = { kind: 'unavailable', reason: 'connect ECONNREFUSED' };
const incompatible: RedisHealth = {
  kind: 'incompatible',
  reason: 'REDIS_URL: maxmemory-policy is allkeys-lru',
};
const NO_POSTGRES = 'DATABASE_URL: Postgres does not answer';

test.each([
  ['all serve', null, serving, []],
  ['Redis is unavailable', null, unavailable, []],
  ['Redis is incompatible', null, incompatible, ['REDIS_URL: maxmemory-policy is allkeys-lru']],
  ['Postgres is unavailable', NO_POSTGRES, serving, [NO_POSTGRES]],
  ['both are unavailable', NO_POSTGRES, unavailable, [NO_POSTGRES, 'REDIS_URL: Redis does not answer']],
  [
    'Postgres is unavailable and Redis incompatible',
    NO_POSTGRES,
    incompatible,
    [NO_POSTGRES, 'REDIS_URL: maxmemory-policy is allkeys-lru'],
  ],
] as const)('a start with %s is refused for exactly these reasons', (_case, postgres, health, faults) => {
  expect(findStartFaults(postgres, [{ variable: 'REDIS_URL', health }])).toEqual(faults);
});
