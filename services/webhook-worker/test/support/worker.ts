import { createTestServers } from '@paywatch/dev/servers';
import { createLogger, createRegistry, type Registry } from '@paywatch/runtime/observability';
import { pause, systemClock, type Clock } from '@paywatch/runtime/process';
import { createSealer, type Sealer, type SealingKey } from '@paywatch/runtime/security';
import { openStore, type Store } from '@paywatch/store';
import { randomBytes } from 'node:crypto';
import { Writable } from 'node:stream';
import {
  DEFAULT_SETTINGS,
  startWebhookWorker,
  type WebhookWorker,
  type WebhookWorkerSettings,
} from '../../src/webhook-worker.ts';

export type TestBench = {
  store: Store;
  sealer: Sealer;
  sealingKey: SealingKey;
  redisUrl: string;
  databaseUrl: string;
  redisPrefix: string;
  /** Every log line of the workers. */
  logLines: string[];
  /** Starts another worker with its own connections. */
  startWorker(
    settings?: Partial<WebhookWorkerSettings>,
    clock?: Clock,
  ): Promise<WebhookWorker & { registry: Registry; store: Store }>;
  /** Resolves after every relay has polled several times. */
  pollsPass(): Promise<void>;
  /** Stops the workers and drops the database. */
  close(): Promise<void>;
};

const POLL_MS = 100;

/** Servers that the test file started itself. */
export type GivenServers = { databaseUrl: string; redisUrl: string };

/** Opens a database and a Redis, and starts workers on them. */
export async function openTestBench(
  base: Partial<WebhookWorkerSettings> = {},
  given?: GivenServers,
): Promise<TestBench> {
  const servers =
    given === undefined
      ? await createTestServers()
      : { ...given, redisPrefix: 'test', close: async () => {} };
  const sealingKey = { id: 'test', key: randomBytes(32) };
  const sealer = createSealer([sealingKey]);
  const logLines: string[] = [];
  const store = openWorkerStore(servers, 'webhook-worker-bench');
  const running = new Set<() => Promise<void>>();
  return {
    store,
    sealer,
    sealingKey,
    logLines,
    redisUrl: servers.redisUrl,
    databaseUrl: servers.databaseUrl,
    redisPrefix: servers.redisPrefix,
    startWorker: async (settings = {}, clock = systemClock) => {
      const own = openWorkerStore(servers, 'webhook-worker-test');
      const registry = createRegistry('test');
      const logger = createLogger({ service: 'test', level: 'debug', destination: linesInto(logLines) });
      const worker = await startWebhookWorker(
        {
          store: own,
          sealer,
          clock,
          logger,
          registry,
          isQueueServing: () => own.queueRedis.status === 'ready',
        },
        { ...DEFAULT_SETTINGS, pollMs: POLL_MS, queueShards: 2, ...base, ...settings },
      );
      const stop = async (): Promise<void> => {
        if (!running.delete(stop)) return;
        await worker.stop();
        await own.close();
      };
      running.add(stop);
      return { stop, registry, store: own };
    },
    pollsPass: () => pause(5 * POLL_MS),
    close: async () => {
      await Promise.all([...running].map((stop) => stop()));
      await store.close();
      await servers.close();
    },
  };
}

function openWorkerStore(
  servers: { databaseUrl: string; redisUrl: string; redisPrefix: string },
  applicationName: string,
): Store {
  return openStore({
    ...servers,
    role: 'worker',
    applicationName,
    poolSize: 4,
    onRedisError: () => undefined,
  });
}

function linesInto(lines: string[]): Writable {
  return new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk));
      done();
    },
  });
}
