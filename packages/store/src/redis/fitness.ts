import { Redis, type Cluster } from 'ioredis';
import { RedisTimeoutError } from './impatience.ts';

/** The oldest version whose commands are all that we use (SMISMEMBER, and SET with both PX and NX at once, are not older). */
const OLDEST = '6.2';
/** The oldest of a cluster: publications are sharded there. */
const OLDEST_IN_CLUSTER = '7.0';

/** A server may be slow when its machine starts everything at once: it is asked again for so long. */
const PATIENCE_MS = 3000;

/** What a server says of itself. */
type ServerState = { version: string; mode: string; role: string; policy: string };

/**
 * Refuses what Paywatch cannot rely on: an old server or one without RESP3, one that evicts, a replica, a cluster that
 * is not whole, and a URL for another topology. Of a cluster every node that answers is asked: one may be away while another
 * process starts. Throws one clear line that names the variable; answers the oldest version.
 */
export async function assertSuitableRedis(redis: Redis | Cluster, variable: string): Promise<string> {
  const isCluster = !(redis instanceof Redis);
  const states = isCluster ? await readNodes(redis) : [await patiently(() => readState(redis))];
  for (const state of states) {
    const fault = findFault(state, isCluster);
    if (fault !== null) throw new Error(`${variable}: ${fault}`);
  }
  if (isCluster) await assertWhole(redis, variable);
  return states.map(({ version }) => version).toSorted(byVersion)[0] ?? 'unknown';
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
  if (states.length === 0) throw new Error('no node of the cluster answers');
  return states;
}

async function readState(redis: Redis): Promise<ServerState> {
  // INFO and not CONFIG: hosted servers have renamed or forbidden that one.
  const [greeting, memory] = await Promise.all([redis.call('HELLO', '3'), redis.info('memory')]);
  const policy = /^maxmemory_policy:(\S+)/m.exec(memory)?.[1] ?? 'unknown';
  const said = readGreeting(greeting);
  return { version: said('version'), mode: said('mode'), role: said('role'), policy };
}

/** The answer to HELLO: names and values in turn. */
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
