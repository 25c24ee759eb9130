import { startPostgres, startRedis } from '@paywatch/dev/servers';
import { openStore, type Store } from '@paywatch/store';
import { migrate } from '@paywatch/store/postgres';

/** Postgres and Redis of one benchmark, and its own connections to them. */
export type BenchServers = {
  databaseUrl: string;
  redisUrl: string;
  redisPrefix: string;
  store: Store;
  /** Opens a second, empty database on the same servers, with its own connections. */
  openBeside(): Promise<Store>;
};

/** Starts both and runs the migrations; `parts` stops them. */
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

/** The connections of the benchmark itself, apart from those of the measured process. */
function openDriverStore(servers: Omit<BenchServers, 'store' | 'openBeside'>): Store {
  return openStore({
    ...servers,
    role: 'worker',
    applicationName: 'paywatch-bench',
    poolSize: 8,
    onRedisError: () => undefined,
  });
}
