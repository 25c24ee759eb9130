import { isTraced } from '@paywatch/runtime/observability';
import { parseRedisUrl, type RedisLocation } from '@paywatch/runtime/process';
import { Cluster, Redis, type ClusterOptions, type DNSLookupFunction, type RedisOptions } from 'ioredis';
import { readFileSync } from 'node:fs';
import { ClusterWithTimeout, RedisWithTimeout } from './command-timeout.ts';

export { reconnectIfFrozen, RedisTimeoutError } from './command-timeout.ts';

/** A single server (directly or through Sentinels) or a cluster. Both accept the same commands. */
export type RedisClient = Redis | Cluster;

/**
 * `api`: commands fail after a fifth of a second; while Redis is unavailable, none is queued and none is sent twice. `worker`:
 * commands wait until Redis is back, as BullMQ requires.
 */
export type RedisRole = 'api' | 'worker';

/** A frozen or unreachable server never closes the connection that `disconnect` ends: it is destroyed after this time. */
const DISCONNECT_TIMEOUT_MS = 100;

const SERVER_OPTIONS = {
  api: {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 1,
    autoResendUnfulfilledCommands: false,
    // One write for all commands of a turn of the event loop: under load half of the CPU time of a command. Not with tracing: a
    // pipeline is sent in the context of its first command, so spans of other requests would join that request's trace.
    enableAutoPipelining: !isTraced,
    connectTimeout: 2000,
    disconnectTimeout: DISCONNECT_TIMEOUT_MS,
    retryStrategy: (attempt: number) => Math.min(50 * 2 ** attempt, 1000),
  },
  worker: {
    maxRetriesPerRequest: null,
    connectTimeout: 5000,
    disconnectTimeout: DISCONNECT_TIMEOUT_MS,
    retryStrategy: (attempt: number) => Math.min(50 * 2 ** attempt, 2000),
  },
} satisfies Record<RedisRole, RedisOptions>;

const CLUSTER_OPTIONS = {
  api: {
    enableOfflineQueue: false,
    // Follows a slot that moves, but does not wait for a failover.
    maxRedirections: 4,
    retryDelayOnFailover: 20,
    retryDelayOnClusterDown: 20,
    retryDelayOnTryAgain: 20,
    clusterRetryStrategy: (attempt: number) => Math.min(50 * 2 ** attempt, 1000),
  },
  worker: {
    // About ten seconds, the duration of a failover.
    maxRedirections: 50,
    retryDelayOnFailover: 200,
    retryDelayOnClusterDown: 200,
    clusterRetryStrategy: (attempt: number) => Math.min(50 * 2 ** attempt, 2000),
  },
} satisfies Record<RedisRole, ClusterOptions>;

/**
 * Connects in the background to the servers that the URL names (see `parseRedisUrl`). Connection errors go to `onError`;
 * without a listener they would end the process. Throws on an invalid URL and on an unreadable `ca_file`.
 */
export function connectRedis(url: string, role: RedisRole, onError: (error: Error) => void): RedisClient {
  const redis = connect(parseRedisUrl(url), role);
  redis.on('error', onError);
  return redis;
}

function connect(location: RedisLocation, role: RedisRole): RedisClient {
  if (location.topology === 'cluster') return connectCluster(location, role);
  const Client = role === 'api' ? RedisWithTimeout : Redis;
  if (location.topology === 'standalone')
    return new Client(location.url, { ...SERVER_OPTIONS[role], ...ownAuthority(location) });
  return new Client({ ...SERVER_OPTIONS[role], ...behindSentinels(location) });
}

/** For a single server the URL scheme decides about TLS. */
function ownAuthority(location: RedisLocation): { tls?: { ca?: string } } {
  return location.caFile === null ? {} : { tls: tlsOf(location) };
}

function tlsOf({ caFile }: RedisLocation): { ca?: string } {
  return caFile === null ? {} : { ca: readFileSync(caFile, 'utf8') };
}

function behindSentinels(location: Extract<RedisLocation, { topology: 'sentinel' }>) {
  const { sentinels, masterName, database, login, sentinelLogin, isTls } = location;
  const tls = tlsOf(location);
  return {
    sentinels: [...sentinels],
    name: masterName,
    db: database,
    ...login,
    ...(sentinelLogin.username === undefined ? {} : { sentinelUsername: sentinelLogin.username }),
    ...(sentinelLogin.password === undefined ? {} : { sentinelPassword: sentinelLogin.password }),
    // A replaced master may stay up for a while; what is written to it is lost.
    failoverDetector: true,
    reconnectOnError: (error: Error) => error.message.startsWith('READONLY'),
    sentinelRetryStrategy: (attempt: number) => Math.min(50 * 2 ** attempt, 1000),
    ...(isTls ? { tls, sentinelTLS: tls, enableTLSForSentinelMode: true } : {}),
  } satisfies RedisOptions;
}

function connectCluster(location: Extract<RedisLocation, { topology: 'cluster' }>, role: RedisRole): Cluster {
  const { nodes, isTls, login } = location;
  const { connectTimeout, maxRetriesPerRequest } = SERVER_OPTIONS[role];
  const options = {
    ...CLUSTER_OPTIONS[role],
    redisOptions: {
      ...login,
      connectTimeout,
      maxRetriesPerRequest,
      ...(isTls ? { tls: tlsOf(location) } : {}),
    },
    // Certificates name hosts: after resolution to an IP address the check would fail.
    ...(isTls ? { dnsLookup: keepName } : {}),
  } satisfies ClusterOptions;
  return role === 'api' ? new ClusterWithTimeout([...nodes], options) : new Cluster([...nodes], options);
}

const keepName: DNSLookupFunction = (host, done) => done(null, host);

/** Opens a separate connection to one cluster node by its address, for subscriptions. */
export function connectNode(cluster: Cluster, address: string): Redis {
  const { username, password, tls, connectTimeout } = cluster.options.redisOptions ?? {};
  const colon = address.lastIndexOf(':');
  return new Redis({
    host: address.slice(0, colon),
    port: Number(address.slice(colon + 1)),
    username,
    password,
    tls,
    connectTimeout,
    disconnectTimeout: DISCONNECT_TIMEOUT_MS,
    retryStrategy: SERVER_OPTIONS.worker.retryStrategy,
    autoResubscribe: false,
  });
}
