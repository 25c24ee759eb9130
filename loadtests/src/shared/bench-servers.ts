import { startPostgres, startRedis } from '@paywatch/dev/servers';
import { openStore, type Store } from '@paywatch/store';
import { migrate } from '@paywatch/store/postgres';

/** Postgres and Redis of a benchmark's own, and its own way to them. */
export type BenchServers = {
  databaseUrl: string;
  redisUrl: string;
  redisPrefix: string;
  store: Store;
  /** A second, empty database in the same servers, with connections of its own. */
  openBeside(): Promise<Store>;
};

/** Starts both and brings the schema up to date; `parts` ends them. */
export async function startBenchServers(parts: AsyncDisposableStack): Promise<BenchServers> {
  const postgres = await startPostgres({ own: true });
  parts.defer(postgres.stop);
  const redis = await startRedis({ own: true });
  parts.defer(redis.stop);
  await migrate(postgres.url);
  const servers = { databaseUrl: postgres.url, redisUrl: redis.url, redisPrefix: 'pw' };
  const store = openDriverStore(servers);
  parts.defer(store.close);
  return {
    ...servers,
    store,
    openBeside: async () => {
      const databaseUrl = await postgres.createDatabase();
      await migrate(databaseUrl);
      const beside = openDriverStore({ ...servers, databaseUrl, redisPrefix: 'beside' });
      parts.defer(beside.close);
      return beside;
    },
  };
}

/** The benchmark's own connections, beside those of what is measured. */
function openDriverStore(servers: Omit<BenchServers, 'store' | 'openBeside'>): Store {
  return openStore({
    ...servers,
    role: 'worker',
    applicationName: 'paywatch-bench',
    poolSize: 8,
    onRedisError: () => undefined,
  });
}
