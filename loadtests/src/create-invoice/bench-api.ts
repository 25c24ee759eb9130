import { freePort } from '@paywatch/dev/servers';
import { startStackService, type StackService } from '@paywatch/dev/stack';
import { temporaryFolder } from '@paywatch/dev/testing';
import { randomBytes } from 'node:crypto';
import type { BenchServers } from '../shared/bench-servers.ts';
import { PUBLIC_URL } from './snapshot-settings.ts';

/** Shared by all replicas of a benchmark. */
const ENCRYPTION_KEYS = `bench:${randomBytes(32).toString('base64')}`;

/**
 * Starts an API replica on these servers; `parts` stops it. `settings` are added to its environment. Rate limits are counted as
 * usual, but are too high to refuse a request.
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
    // Enables the currency. The API never connects to a node.
    BTC_NODE_URL: 'http://127.0.0.1:1',
    API_KEY_LIMIT_RATE: '1000000',
    API_KEY_LIMIT_BURST: '10000000',
    PUBLIC_READ_LIMIT_POINTS: '1000000000',
    // All clients have the same address.
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
