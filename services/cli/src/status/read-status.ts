import { loadChainStatuses, type ChainStatus } from '@paywatch/store/chain';
import { countParkedInvoices } from '@paywatch/store/invoices';
import { measureMailLag } from '@paywatch/store/mails';
import { readPoolFigures, type PoolFigures } from '@paywatch/store/pools';
import { readWalArchive, type Database, type WalArchive } from '@paywatch/store/postgres';
import { inspectRedis } from '@paywatch/store/redis';
import { countPendingDeliveries, measureRelayLag, type PendingDeliveries } from '@paywatch/store/webhooks';
import { readMailConfig, readRedisConfig, type Env } from '../config.ts';
import { explainFailure } from '../terminal/failure.ts';

/** The state of a deployment at one moment. */
export type DeploymentStatus = {
  chains: readonly ChainStatus[];
  pools: readonly PoolFigures[];
  parkedInvoices: number;
  webhooks: PendingDeliveries & { lagSeconds: number };
  /** Null if no mail is sent. */
  mail: { lagSeconds: number } | null;
  /** Why Redis cannot be used; null if it can. */
  redisFault: string | null;
  /** Null if Postgres archives nothing. */
  archive: WalArchive | null;
};

/** Reads the status. Throws if Postgres does not respond. */
export async function readStatus(env: Env, database: Database): Promise<DeploymentStatus> {
  const [chains, pools, parked, backlog, lagSeconds, mail, redisFault, archive] = await Promise.all([
    loadChainStatuses(database),
    readPoolFigures(database.sql),
    countParkedInvoices(database.sql),
    countPendingDeliveries(database),
    measureRelayLag(database),
    readMailLag(env, database),
    findRedisFault(env),
    readWalArchive(database),
  ]);
  return {
    chains: [...chains.values()],
    pools,
    parkedInvoices: parked.reduce((sum, { count }) => sum + count, 0),
    webhooks: { ...backlog, lagSeconds: Math.round(lagSeconds) },
    mail,
    redisFault,
    archive,
  };
}

async function readMailLag(env: Env, database: Database): Promise<DeploymentStatus['mail']> {
  if (readMailConfig(env) === null) return null;
  return { lagSeconds: Math.round(await measureMailLag(database)) };
}

async function findRedisFault(env: Env): Promise<string | null> {
  const { REDIS_URL, QUEUE_REDIS_URL } = readRedisConfig(env);
  try {
    await inspectRedis(REDIS_URL, 'REDIS_URL');
    if (QUEUE_REDIS_URL !== undefined) await inspectRedis(QUEUE_REDIS_URL, 'QUEUE_REDIS_URL');
    return null;
  } catch (error) {
    return explainFailure(error).message;
  }
}
