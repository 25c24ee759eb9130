import { createTestServers } from '@paywatch/dev/servers';
import { openStore, type Store } from '../../src/store.ts';

export type TestStore = Store & { redisUrl: string; databaseUrl: string };

/** A store of its own for a test file; `close` drops its database. */
export async function openTestStore(options: { redisUrl?: string } = {}): Promise<TestStore> {
  const servers = await createTestServers();
  const redisUrl = options.redisUrl ?? servers.redisUrl;
  const store = openStore({
    databaseUrl: servers.databaseUrl,
    redisUrl,
    redisPrefix: servers.redisPrefix,
    role: 'api',
    applicationName: 'store-test',
    onRedisError: () => undefined,
  });
  return {
    ...store,
    redisUrl,
    databaseUrl: servers.databaseUrl,
    close: async () => {
      await store.close();
      await servers.close();
    },
  };
}
