import { startLitecoinNode } from '@paywatch/dev/nodes';
import { startPostgres, startRedisPair, type Postgres, type RedisPair } from '@paywatch/dev/servers';
import type { Merchant, StackService } from '@paywatch/dev/stack';
import { temporaryFolder, waitUntil } from '@paywatch/dev/testing';
import { createPayer } from '@paywatch/dev/wallet';
import type { Store } from '@paywatch/store';
import { migrate } from '@paywatch/store/postgres';
import { randomBytes } from 'node:crypto';
import { openMerchants } from './merchants.ts';
import { hasReadChain, openDriverStore, started, startServices } from './stage.ts';

/** Several API processes with merchants, and a watcher that derives addresses and expires invoices. */
export type ApiStage = {
  store: Store;
  postgres: Postgres;
  redis: RedisPair;
  apis: readonly StackService[];
  merchants: readonly Merchant[];
};

/** High enough that no measured request is rate limited. */
const NO_LIMIT = '1000000';

/** Starts the stage on its own servers and opens merchants over HTTP, with 999 addresses each. */
export async function setApiStage(
  parts: AsyncDisposableStack,
  wanted: { apis: number; merchants: number; env?: Record<string, string> },
): Promise<ApiStage> {
  const folder = temporaryFolder('chaos');
  const [postgres, redis, node] = await Promise.all([
    started(parts, startPostgres({ own: true })),
    started(parts, startRedisPair()),
    started(parts, startLitecoinNode({ mweb: false })),
  ]);
  await Promise.all([migrate(postgres.url), createPayer(node).fund()]);
  const store = openDriverStore(postgres, redis);
  parts.defer(store.close);
  const env = {
    LOG_LEVEL: 'warn',
    DATABASE_URL: postgres.url,
    REDIS_URL: redis.url,
    PUBLIC_URL: 'http://localhost',
    LTC_NETWORK: 'regtest',
    LTC_NODE_URL: node.url,
    ENCRYPTION_KEYS: `chaos:${randomBytes(32).toString('base64')}`,
    DRAIN_SECONDS: '0',
    REGISTER_LIMIT_POINTS: NO_LIMIT,
    LOGIN_LIMIT_POINTS: NO_LIMIT,
    PUBLIC_READ_LIMIT_POINTS: NO_LIMIT,
    API_KEY_LIMIT_RATE: NO_LIMIT,
    API_KEY_LIMIT_BURST: NO_LIMIT,
    ...wanted.env,
  };
  await startServices(parts, { kind: 'watcher', count: 1, folder, env });
  const apis = await startServices(parts, { kind: 'api', count: wanted.apis, folder, env });
  const merchants = await openMerchants(apis, wanted.merchants);
  await waitUntil(() => isReady(store), { what: 'pools and chain to be read' });
  return { store, postgres, redis, apis, merchants };
}

/** Whether every pool has leasable addresses and invoices can expire. */
async function isReady(store: Store): Promise<boolean> {
  const [waiting] = await store.sql<{ pools: number }[]>`
    select count(*)::int as pools from pools where history_checked_at is null`;
  return waiting?.pools === 0 && (await hasReadChain(store));
}
