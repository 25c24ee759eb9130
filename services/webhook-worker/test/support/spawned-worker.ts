import { freePort } from '@paywatch/dev/servers';
import { serviceProgram, spawnService } from '@paywatch/dev/stack';
import type { SealingKey } from '@paywatch/runtime/security';
import type { ShopBench } from './shop.ts';

/** Starts a worker as a separate process on the servers of a bench. It logs to `folder`. */
export async function spawnWorker(
  bench: ShopBench,
  folder: string,
  keys: readonly SealingKey[] = [bench.sealingKey],
) {
  return spawnService({
    name: 'webhook-worker',
    entry: serviceProgram('webhook-worker'),
    folder,
    env: {
      DATABASE_URL: bench.databaseUrl,
      REDIS_URL: bench.redisUrl,
      REDIS_PREFIX: bench.redisPrefix,
      ENCRYPTION_KEYS: writeKeys(keys),
      WEBHOOK_ALLOWED_HOSTS: 'localhost',
      WEBHOOK_CA: bench.caPem,
      ADMIN_PORT: String(await freePort()),
    },
  });
}

/** Formats keys for `ENCRYPTION_KEYS`, newest first. */
export function writeKeys(keys: readonly SealingKey[]): string {
  return keys.map(({ id, key }) => `${id}:${key.toString('base64')}`).join(',');
}
