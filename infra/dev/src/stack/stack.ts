import { randomBytes } from 'node:crypto';
// Imported by path: the tests of @paywatch/store depend on this workspace, so a dependency would be circular.
import { migrate } from '../../../../packages/store/src/postgres/migrate.ts';
import { startBitcoinNode } from '../nodes/bitcoin-node.ts';
import { createCertificateAuthority, type CertificateAuthority } from '../servers/certificates.ts';
import { freePort } from '../servers/free-port.ts';
import { startMailServer, type MailServer } from '../servers/mail-server.ts';
import { startMarketServer, type MarketServer } from '../servers/markets/market-server.ts';
import { startLitecoinNode } from '../nodes/litecoin-node.ts';
import { startLoadBalancer, type LoadBalancer } from '../servers/load-balancer.ts';
import type { ChainNode } from '../nodes/node-process.ts';
import { createPayer, type Payer } from '../wallet/payer.ts';
import { startPgBouncer } from '../servers/pgbouncer.ts';
import { startPostgres, type Postgres } from '../servers/postgres/postgres.ts';
import { buildPages } from './pages-build.ts';
import { serviceProgram } from './processes.ts';
import { startReceiver, type Receiver } from './receiver.ts';
import { startRedis, type Redis } from '../servers/redis/redis.ts';
import { startSecuredRedis } from '../servers/redis/redis-secured.ts';
import type { Currency } from '../wallet/regtest-address.ts';
import { startStackService, type ServiceAddress, type StackService } from './stack-service.ts';
import { removeFolder, temporaryFolder } from '../testing/temporary-folder.ts';
import { waitUntil } from '../testing/wait-until.ts';

/** Options of a stack. */
export type StackOptions = {
  /** API replicas (2), watchers (1) and webhook workers (1). */
  replicas?: { api?: number; watcher?: number; webhookWorker?: number };
  /** Starts one process with all roles (`paywatch serve`) instead of replicas. */
  serve?: boolean;
  /** Starts no service. The caller starts its own, with an API on `apiAddresses`, for which the balancer waits. */
  external?: boolean;
  /** The preferred port of the balancer; another one is used if it is not free. */
  port?: number;
  /** Folder for logs and certificates. By default a temporary one, which `stop` deletes. */
  folder?: string;
  /** Environment variables for every service; they override those of the stack. */
  env?: Record<string, string>;
  /** Starts its own servers despite DATABASE_URL and REDIS_URL, for tests that stop them. */
  ownServers?: boolean;
  /** Puts PgBouncer, in transaction mode, between the services and Postgres. */
  pooled?: boolean;
  /** Adds a Postgres replica for reading lists; requires `ownServers`. */
  replica?: boolean;
  /**
   * Secured as in production: Redis with a password and TLS, and a restricted Postgres role for the services; requires
   * `ownServers`.
   */
  secured?: boolean;
  /** Archives the WAL of Postgres, for restores; requires `ownServers`. */
  archive?: boolean;
  /** False disables MWEB on the Litecoin chain. */
  mweb?: boolean;
  /** Makes bcoin publish by ZeroMQ like Bitcoin Core. */
  zmq?: boolean;
  /** Uses Bitcoin Knots instead of bcoin if it is installed. */
  realBitcoin?: boolean;
  /** Called when a part is ready, with the duration of its start. */
  onReady?: (part: string, durationMs: number) => void;
  /** Called repeatedly during a slow start with what it waits for; writes to standard error by default. */
  say?: (line: string) => void;
};

/** A running Paywatch with everything that it depends on. */
export type Stack = {
  folder: string;
  /** The URL of the balancer (PUBLIC_URL). */
  url: string;
  postgres: Postgres;
  redis: Redis;
  nodes: Record<Currency, ChainNode>;
  payers: Record<Currency, Payer>;
  authority: CertificateAuthority;
  receiver: Receiver;
  /** Receives every mail of the services. */
  mail: MailServer;
  /** Answers invented prices in place of the public markets, so that the stack works offline. */
  markets: MarketServer;
  loadBalancer: LoadBalancer;
  /** Where the balancer expects API replicas. */
  apiAddresses: readonly ServiceAddress[];
  services: {
    api: StackService[];
    watcher: StackService[];
    webhookWorker: StackService[];
    serve: StackService[];
  };
  /** The environment of the services, for the CLI or a further service. */
  env: Record<string, string>;
  /** Stops everything, services before their servers. */
  stop(): Promise<void>;
};

/**
 * Starts all of Paywatch on free ports of this machine: Postgres, Redis, a node with a funded payer for each chain, services, balancer,
 * and a merchant's https receiver. If a part fails, stops the others before it throws.
 */
export async function startStack(options: StackOptions = {}): Promise<Stack> {
  const parts = new AsyncDisposableStack();
  try {
    return await startParts(parts, options);
  } catch (error) {
    await parts.disposeAsync();
    throw error;
  }
}

async function startParts(parts: AsyncDisposableStack, options: StackOptions): Promise<Stack> {
  const folder = options.folder ?? temporaryFolder('stack');
  if (options.folder === undefined) parts.defer(() => removeFolder(folder));
  // The balancer starts first and reserves its port, so that a second stack chooses another one.
  const addresses = await apiAddresses(options.serve || options.external ? 1 : (options.replicas?.api ?? 2));
  const loadBalancer = await timed(options, 'HAProxy', () => startBalancer(parts, addresses, options.port));
  const { url } = loadBalancer;
  const servers = await startServers(parts, folder, options);
  const database = await databaseEnvironment(parts, servers.postgres, options);
  const env = { ...environmentOf(url, servers), ...database, ...options.env };
  const common = { folder, url, ...servers, loadBalancer, apiAddresses: addresses, env };
  const stop = () => parts.disposeAsync();
  if (options.external) return { ...common, services: NO_SERVICES, stop };
  const services = await startServices(parts, { folder, env, addresses }, options);
  await waitUntil(() => hasReplica(url), { what: 'the balancer to see a replica' });
  return { ...common, services, stop };
}

const NO_SERVICES: Stack['services'] = { api: [], watcher: [], webhookWorker: [], serve: [] };

function apiAddresses(count: number): Promise<ServiceAddress[]> {
  return Promise.all(Array.from({ length: count }, freeAddress));
}

async function freeAddress(): Promise<ServiceAddress> {
  return { port: await freePort(), adminPort: await freePort() };
}

async function startBalancer(
  parts: AsyncDisposableStack,
  addresses: readonly ServiceAddress[],
  preferredPort: number | undefined,
): Promise<LoadBalancer> {
  const backends = addresses.map(({ port, adminPort }) => ({ port, healthPort: adminPort }));
  const port = await freePort(preferredPort);
  return started(parts, await startLoadBalancer({ backends, port }));
}

/** Whether the balancer has a replica; without one HAProxy itself responds with 503. */
async function hasReplica(url: string): Promise<boolean> {
  const { status } = await fetch(`${url}/v1/openapi.json`);
  return status !== 503;
}

type Servers = Pick<
  Stack,
  'postgres' | 'redis' | 'nodes' | 'payers' | 'authority' | 'receiver' | 'mail' | 'markets'
>;

async function databaseEnvironment(
  parts: AsyncDisposableStack,
  postgres: Postgres,
  { pooled = false, replica = false, secured = false }: StackOptions,
): Promise<Record<string, string>> {
  const env: Record<string, string> = {};
  if (secured) env['DATABASE_URL'] = await createServiceRole(postgres.url);
  if (pooled) {
    env['DATABASE_URL'] = started(parts, await startPgBouncer(postgres.url)).url;
    env['DATABASE_DIRECT_URL'] = postgres.url;
  }
  if (replica) env['DATABASE_READ_URL'] = started(parts, await postgres.startReplica()).urlOf(postgres.url);
  return env;
}

/** Starts the servers concurrently. */
async function startServers(
  parts: AsyncDisposableStack,
  folder: string,
  options: StackOptions,
): Promise<Servers> {
  const own = options.ownServers ?? false;
  const starting = [
    timed(options, 'Postgres', () =>
      startMigratedPostgres(parts, { own, archive: options.archive ?? false }),
    ),
    timed(options, 'Redis', async () =>
      started(parts, await (options.secured ? startSecuredRedis() : startRedis({ own }))),
    ),
    timed(options, 'Bitcoin node', () =>
      startChain(parts, startBitcoinNode({ zmq: options.zmq ?? false, real: options.realBitcoin ?? false })),
    ),
    timed(options, 'Litecoin node', () =>
      startChain(parts, startLitecoinNode({ mweb: options.mweb ?? true })),
    ),
    timed(options, 'Mail server', async () => started(parts, await startMailServer())),
    timed(options, 'Market server', async () => started(parts, await startMarketServer())),
    timed(options, 'Receiver', () => startMerchant(parts, folder)),
    timed(options, 'Pages', () => buildPages(folder)),
  ] as const;
  await settled(starting);
  const [postgres, redis, bitcoin, litecoin, mail, markets, merchant] = await Promise.all(starting);
  return {
    postgres,
    redis,
    mail,
    markets,
    ...merchant,
    nodes: { BTC: bitcoin.node, LTC: litecoin.node },
    payers: { BTC: bitcoin.payer, LTC: litecoin.payer },
  };
}

async function startMigratedPostgres(
  parts: AsyncDisposableStack,
  options: { own: boolean; archive: boolean },
): Promise<Postgres> {
  const postgres = started(parts, await startPostgres(options));
  await migrate(postgres.url);
  return postgres;
}

/** The URL for the role of the services, created by `migrate`. */
async function createServiceRole(ownerUrl: string): Promise<string> {
  const [service, password] = ['paywatch_service', randomBytes(12).toString('base64url')];
  await migrate(ownerUrl, { service }, { service: password });
  const url = new URL(ownerUrl);
  url.username = service;
  url.password = password;
  return url.href;
}

async function startChain(
  parts: AsyncDisposableStack,
  starting: Promise<ChainNode>,
): Promise<{ node: ChainNode; payer: Payer }> {
  const node = started(parts, await starting);
  const payer = createPayer(node);
  await payer.fund();
  return { node, payer };
}

async function startMerchant(
  parts: AsyncDisposableStack,
  folder: string,
): Promise<{ authority: CertificateAuthority; receiver: Receiver }> {
  const authority = await createCertificateAuthority(folder);
  return {
    authority,
    receiver: started(parts, await startReceiver({ certificate: await authority.issue() })),
  };
}

/** The environment of all services; each reads the variables that it knows. */
function environmentOf(
  url: string,
  { postgres, redis, nodes, authority, mail, markets }: Servers,
): Record<string, string> {
  return {
    NODE_ENV: 'development',
    LOG_LEVEL: 'info',
    DATABASE_URL: postgres.url,
    REDIS_URL: redis.url,
    PUBLIC_URL: url,
    BTC_NETWORK: 'regtest',
    LTC_NETWORK: 'regtest',
    BTC_NODE_URL: nodes.BTC.url,
    // bcoin has no ZeroMQ by itself and is polled.
    ...(nodes.BTC.zmqUrl !== undefined && { BTC_NODE_ZMQ_URL: nodes.BTC.zmqUrl }),
    LTC_NODE_URL: nodes.LTC.url,
    DEFAULT_GAP_LIMIT: '1000',
    ACCOUNT_ADDRESSES: '20000',
    TRIAL_DAYS: '14',
    ENCRYPTION_KEYS: `dev1:${randomBytes(32).toString('base64')}`,
    WEBHOOK_ALLOWED_HOSTS: 'localhost,127.0.0.1',
    WEBHOOK_CA_FILE: authority.caFile,
    WALLET_CHANGE_DELAY: '0',
    MAIL_URL: mail.url,
    MAIL_FROM: 'Paywatch <no-reply@localhost.localdomain>',
    ...markets.env,
    // No draining: the balancer is stopped together with the services.
    DRAIN_SECONDS: '0',
  };
}

async function startServices(
  parts: AsyncDisposableStack,
  shared: { folder: string; env: Record<string, string>; addresses: readonly ServiceAddress[] },
  options: StackOptions,
): Promise<Stack['services']> {
  const { folder, env, addresses } = shared;
  const start = (kind: string, index: number, address?: ServiceAddress) =>
    timed(options, `${kind} ${index + 1}`, async () => {
      const entry = serviceProgram(kind, env);
      const waiting = options.say === undefined ? {} : { start: { say: options.say } };
      const service = { name: `${kind}-${index + 1}`, entry, folder, env, ...waiting };
      return started(
        parts,
        await startStackService(address === undefined ? service : { ...service, address }),
      );
    });
  const several = (kind: string, count: number) =>
    Array.from({ length: count }, (_, index) => start(kind, index));
  const listening = (kind: string) => addresses.map((address, index) => start(kind, index, address));
  const { serve = false, replicas } = options;
  const starting = {
    api: serve ? [] : listening('api'),
    watcher: several('watcher', serve ? 0 : (replicas?.watcher ?? 1)),
    webhookWorker: several('webhook-worker', serve ? 0 : (replicas?.webhookWorker ?? 1)),
    serve: serve ? listening('serve') : [],
  };
  await settled(Object.values(starting).flat());
  return {
    api: await Promise.all(starting.api),
    watcher: await Promise.all(starting.watcher),
    webhookWorker: await Promise.all(starting.webhookWorker),
    serve: await Promise.all(starting.serve),
  };
}

function started<T extends { stop(): Promise<void> }>(parts: AsyncDisposableStack, part: T): T {
  parts.defer(() => part.stop());
  return part;
}

/** Waits for all starts before it throws the first error: a server that is still starting could not be stopped. */
async function settled(starting: readonly Promise<unknown>[]): Promise<void> {
  await Promise.allSettled(starting);
}

async function timed<T>({ onReady }: StackOptions, part: string, start: () => Promise<T>): Promise<T> {
  const startedMs = performance.now();
  const result = await start();
  onReady?.(part, performance.now() - startedMs);
  return result;
}
