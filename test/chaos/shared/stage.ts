import { freePort, type Postgres, type Redis } from '@paywatch/dev/servers';
import { startStackService, type StackService } from '@paywatch/dev/stack';
import { openStore, type Store } from '@paywatch/store';

/** Waits until a part of a stage is up, and registers it to be stopped with the stage. */
export async function started<Part extends { stop(): Promise<void> }>(
  parts: AsyncDisposableStack,
  starting: Promise<Part>,
): Promise<Part> {
  const part = await starting;
  parts.defer(() => part.stop());
  return part;
}

/** Starts processes of one service, numbered from 1. API processes get their own ports. All stop with the stage. */
export function startServices(
  parts: AsyncDisposableStack,
  services: { kind: string; count: number; folder: string; env: Record<string, string> },
): Promise<StackService[]> {
  const { kind, count, folder, env } = services;
  const start = async (number: number) => {
    const service = { name: `${kind}-${number}`, entry: `services/${kind}/src/main.ts`, folder, env };
    const address =
      kind === 'api' ? { address: { port: await freePort(), adminPort: await freePort() } } : {};
    return startStackService({ ...service, ...address });
  };
  return Promise.all(Array.from({ length: count }, (_, index) => started(parts, start(index + 1))));
}

/** The store of the driver itself, which gets no faults. */
export function openDriverStore(postgres: Pick<Postgres, 'url'>, redis: Pick<Redis, 'url'>): Store {
  return openStore({
    databaseUrl: postgres.url,
    redisUrl: redis.url,
    redisPrefix: 'pw',
    role: 'worker',
    applicationName: 'paywatch-chaos',
    poolSize: 8,
    onRedisError: () => undefined,
  });
}

/** Whether a watcher has read the Litecoin chain and its mempool, so that invoices may expire. */
export async function hasReadChain({ sql }: Store): Promise<boolean> {
  const rows = await sql`
    select from chains where currency = 'LTC' and stale_since is null and mempool_read_at is not null`;
  return rows.length > 0;
}
