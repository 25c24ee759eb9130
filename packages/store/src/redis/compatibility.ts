import { Redis, type Cluster } from 'ioredis';
import { RedisTimeoutError } from './command-timeout.ts';

/** The oldest version with all commands that we use. */
const OLDEST = '6.2';
/** The oldest cluster version: sharded pub/sub needs it. */
const OLDEST_IN_CLUSTER = '7.0';

/** How long an unresponsive server is asked again: it may be slow while its whole machine starts. */
const PATIENCE_MS = 3000;

/** What a server reports about itself. */
type ServerState = { version: string; mode: string; role: string; policy: string };

/** Redis responds, but Paywatch cannot run on it. The message is one line that names the variable. */
export class IncompatibleRedisError extends Error {
  override name = 'IncompatibleRedisError';
}

/**
 * Throws IncompatibleRedisError for an old server, one without RESP3, one that evicts keys, a replica, or a URL for another
 * topology. Of a cluster, every reachable node is checked, since one may be down while this process starts. Throws other errors
 * for outages: no response, or a cluster that does not serve all slots. Returns the oldest version.
 */
export async function assertRedisCompatible(redis: Redis | Cluster, variable: string): Promise<string> {
  const isCluster = !(redis instanceof Redis);
  const states = await readStates(redis).catch((error: unknown) => {
    throw isRefusal(error) ? new IncompatibleRedisError(`${variable}: ${error.message}`) : error;
  });
  for (const state of states) {
    const fault = findFault(state, isCluster);
    if (fault !== null) throw new IncompatibleRedisError(`${variable}: ${fault}`);
  }
  if (isCluster) await assertWhole(redis, variable);
  return states.map(({ version }) => version).toSorted(byVersion)[0] ?? 'unknown';
}

function readStates(redis: Redis | Cluster): Promise<ServerState[]> {
  return redis instanceof Redis
    ? patiently(() => readState(redis)).then((state) => [state])
    : readNodes(redis);
}

/** Errors of a server that can serve shortly, or once its master is back. */
const PASSING = /^(LOADING|BUSY|MASTERDOWN|CLUSTERDOWN|TRYAGAIN)/;

/** Whether the server responded that it does not support the command. */
function isRefusal(error: unknown): error is Error {
  return error instanceof Error && error.name === 'ReplyError' && !PASSING.test(error.message);
}

async function patiently<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  const untilMs = performance.now() + PATIENCE_MS;
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof RedisTimeoutError) || performance.now() > untilMs) throw error;
    }
  }
}

async function readNodes(cluster: Cluster): Promise<ServerState[]> {
  const outcomes = await Promise.allSettled(
    cluster.nodes('all').map((node) => patiently(() => readState(node))),
  );
  const states = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
  const [first] = outcomes;
  if (states.length === 0)
    throw first?.status === 'rejected' ? first.reason : new Error('no node of the cluster answers');
  return states;
}

async function readState(redis: Redis): Promise<ServerState> {
  // INFO instead of CONFIG, which hosted servers rename or forbid.
  const [greeting, memory] = await Promise.all([redis.call('HELLO', '3'), redis.info('memory')]);
  const policy = /^maxmemory_policy:(\S+)/m.exec(memory)?.[1] ?? 'unknown';
  const said = readGreeting(greeting);
  return { version: said('version'), mode: said('mode'), role: said('role'), policy };
}

/** Reads the reply to HELLO, a list of alternating names and values. */
function readGreeting(greeting: unknown): (name: string) => string {
  const words: unknown[] = Array.isArray(greeting) ? greeting : [];
  return (name) => String(words[words.indexOf(name) + 1]);
}

function findFault({ version, policy, mode, role }: ServerState, isCluster: boolean): string | null {
  if (mode === 'sentinel') return 'this is a Sentinel; name it with redis+sentinel://';
  const oldest = isCluster ? OLDEST_IN_CLUSTER : OLDEST;
  if (byVersion(version, oldest) < 0) return `Redis is ${version}; Paywatch needs ${oldest} or newer here`;
  if (policy !== 'noeviction')
    return `maxmemory-policy is ${policy}; Paywatch needs noeviction, or delayed jobs vanish`;
  if (isCluster) return null;
  if (mode === 'cluster') return 'this server belongs to a cluster; name it with redis+cluster://';
  return role === 'master' ? null : 'this server is a replica and takes no writes';
}

async function assertWhole(cluster: Cluster, variable: string): Promise<void> {
  const info = await patiently(() => cluster.cluster('INFO'));
  const state = /^cluster_state:(\S+)/m.exec(info)?.[1];
  if (state !== 'ok') throw new Error(`${variable}: the cluster is not whole (cluster_state:${state})`);
}

function byVersion(a: string, b: string): number {
  const [left, right] = [a, b].map((version) => version.split('.').map(Number));
  return (left?.[0] ?? 0) - (right?.[0] ?? 0) || (left?.[1] ?? 0) - (right?.[1] ?? 0);
}
