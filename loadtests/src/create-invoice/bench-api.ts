import { freePort } from '@paywatch/dev/servers';
import { startStackService, type StackService } from '@paywatch/dev/stack';
import { temporaryFolder } from '@paywatch/dev/testing';
import { randomBytes } from 'node:crypto';
import type { BenchServers } from '../shared/bench-servers.ts';
import { PUBLIC_URL } from './snapshot-settings.ts';

/** The same at all replicas of a benchmark. */
const ENCRYPTION_KEYS = `bench:${randomBytes(32).toString('base64')}`;

/**
 * Starts an API replica at these servers; `parts` ends it. `settings` are added to its environment. The limits are far above what
 * a benchmark sends, but they are counted.
 */
export async function startBenchApi(
  parts: AsyncDisposableStack,
  { databaseUrl, redisUrl, redisPrefix }: BenchServers,
  settings: Record<string, string> = {},
): Promise<StackService> {
  const address = { port: await freePort(), adminPort: await freePort() };
  const env = {
    DATABASE_URL: databaseUrl,
    REDIS_URL: redisUrl,
    REDIS_PREFIX: redisPrefix,
    PUBLIC_URL,
    ENCRYPTION_KEYS,
    // Named so that the currency is offered; the API itself never calls it.
    BTC_NODE_URL: 'http://127.0.0.1:1',
    API_KEY_LIMIT_RATE: '1000000',
    API_KEY_LIMIT_BURST: '10000000',
    PUBLIC_READ_LIMIT_POINTS: '1000000000',
    // All clients come from one machine.
    STREAM_LIMIT: '1000000',
    DRAIN_SECONDS: '0',
    ...settings,
  };
  const name = `api-${address.port}`;
  const folder = temporaryFolder('bench');
  const api = await startStackService({ name, entry: 'services/api/src/main.ts', folder, env, address });
  parts.defer(api.stop);
  return api;
}
