import type { DeploymentFacts } from '@paywatch/domain/deployment';
import { readDeploymentStatus, type DeploymentStatus as StoredStatus } from '@paywatch/store/deployment';
import type { Database } from '@paywatch/store/postgres';
import { inspectRedis } from '@paywatch/store/redis';
import { readMailConfig, readRedisConfig, type Env } from '../config.ts';
import { explainFailure } from '../terminal/failure.ts';

/** The state of a deployment at one moment. */
export type DeploymentStatus = StoredStatus & Pick<DeploymentFacts, 'redisFault'>;

/** Reads the status. Throws if Postgres does not respond. */
export async function readStatus(env: Env, database: Database): Promise<DeploymentStatus> {
  const [status, redisFault] = await Promise.all([
    readDeploymentStatus(database, readMailConfig(env) !== null),
    findRedisFault(env),
  ]);
  return { ...status, redisFault };
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
