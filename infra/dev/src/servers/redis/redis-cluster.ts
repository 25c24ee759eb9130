import { freePort } from '../free-port.ts';
import { startRedisServer, withClient } from './redis.ts';
import { REPLICATED, untilReplicated, type RedisWithFailover } from './redis-sentinel.ts';
import type { ServerProcess } from '../server-process.ts';
import { removeFolder, temporaryFolder } from '../../testing/temporary-folder.ts';
import { waitUntil } from '../../testing/wait-until.ts';

const MASTERS = 3;
const SLOTS = 16_384;
/** The time after which a node counts as lost. Redis' default is 15 seconds. */
const NODE_TIMEOUT_MS = 1000;
/** Nodes usually meet within half a second; a forgotten handshake takes a node timeout. */
const MEETING_MS = 4 * NODE_TIMEOUT_MS;

/** `busPort` is the port of the cluster bus. The default, port + 10,000, may be in use. */
type Node = { port: number; busPort: number; process: ServerProcess };

/** Starts a Redis Cluster of three masters with one replica each, on free ports of 127.0.0.1. Takes about three seconds. */
export async function startRedisCluster(): Promise<RedisWithFailover> {
  const folder = temporaryFolder('redis-cluster');
  const nodes = await Promise.all(Array.from({ length: 2 * MASTERS }, () => startNode(folder)));
  await join(nodes);
  const ports = nodes.map(({ port }) => port);
  const signal = (at: number, name: NodeJS.Signals) =>
    nodes.find(({ port }) => port === at)?.process.signal(name);
  return {
    url: `redis+cluster://${ports.map((port) => `127.0.0.1:${port}`).join(',')}`,
    ports: () => portsByRole(ports),
    failOver: async () => {
      const [lost = 0, ...others] = await portsByRole(ports);
      const node = nodes.find(({ port }) => port === lost);
      await node?.process.kill();
      await waitUntil(() => isReplaced(lost, others[0] ?? 0), { what: 'a replica to take over' });
      if (node) node.process = await launch(folder, node);
      await untilReplicated(lost);
    },
    freeze: (port) => signal(port, 'SIGSTOP'),
    thaw: (port) => signal(port, 'SIGCONT'),
    stop: async () => {
      await Promise.all(nodes.map((node) => node.process.stop()));
      removeFolder(folder);
    },
  };
}

async function startNode(folder: string): Promise<Node> {
  const addresses = { port: await freePort(), busPort: await freePort() };
  return { ...addresses, process: await launch(folder, addresses) };
}

function launch(folder: string, { port, busPort }: Pick<Node, 'port' | 'busPort'>): Promise<ServerProcess> {
  const settings = {
    ...REPLICATED,
    databases: '1',
    'cluster-enabled': 'yes',
    'cluster-config-file': `nodes-${port}.conf`,
    'cluster-node-timeout': String(NODE_TIMEOUT_MS),
    'cluster-port': String(busPort),
  };
  return startRedisServer({ port, folder, settings });
}

/** Configures every node directly, which takes a third of the time of `redis-cli --cluster create`. */
async function join(nodes: readonly Node[]): Promise<void> {
  const masters = nodes.slice(0, MASTERS);
  const [first, ...others] = nodes;
  if (first === undefined) throw new Error('the cluster has no nodes');
  await Promise.all(masters.map((node, index) => takeSlots(node, index)));
  await meet(first, others);
  const ids = await Promise.all(masters.map((master) => command(master, 'MYID')));
  const replicas = nodes.slice(MASTERS);
  await Promise.all(replicas.map((replica, index) => follow(replica, String(ids[index]))));
  await Promise.all(nodes.map((node) => untilWhole(node)));
}

/** Repeats CLUSTER MEET: on a busy machine a node may not respond in time, and is then forgotten. */
async function meet(first: Node, others: readonly Node[]): Promise<void> {
  const nodes = [first, ...others];
  const tryOnce = async (): Promise<boolean> => {
    for (const other of others) await command(first, 'MEET', '127.0.0.1', other.port, other.busPort);
    await Promise.all(nodes.map((node) => untilKnown(node, nodes.length)));
    return true;
  };
  await waitUntil(tryOnce, { what: 'the nodes to meet' });
}

async function takeSlots(node: Node, index: number): Promise<void> {
  const from = Math.floor((index * SLOTS) / MASTERS);
  const to = Math.floor(((index + 1) * SLOTS) / MASTERS) - 1;
  await command(node, 'ADDSLOTSRANGE', from, to);
  // Distinct epochs from the start: nodes with equal ones would raise them one after another, which takes seconds.
  await command(node, 'SET-CONFIG-EPOCH', index + 1);
}

/** A node refuses to replicate a master that it has not yet met itself. */
async function follow(replica: Node, masterId: string): Promise<void> {
  await waitUntil(async () => (await command(replica, 'REPLICATE', masterId)) === 'OK', {
    what: 'a replica to know its master',
  });
  await untilReplicated(replica.port);
}

async function untilKnown(node: Node, count: number): Promise<void> {
  await waitUntil(
    async () => {
      const lines = String(await command(node, 'NODES'))
        .trim()
        .split('\n');
      return lines.length === count && lines.every((line) => line.includes(' connected'));
    },
    { what: `the node at ${node.port} to know all others`, everyMs: 20, timeoutMs: MEETING_MS },
  );
}

/** The node must also report the replicas to clients. */
async function untilWhole(node: Node): Promise<void> {
  await waitUntil(
    async () => {
      const [info, nodes] = [await command(node, 'INFO'), await command(node, 'NODES')].map(String);
      return info?.includes('cluster_state:ok') && nodes?.match(/slave/g)?.length === MASTERS;
    },
    { what: `the node at ${node.port} to see a whole cluster`, everyMs: 20 },
  );
}

/** All nodes, masters first, as reported by the first node that responds. */
async function portsByRole(ports: readonly number[]): Promise<number[]> {
  const masters = await Promise.any(ports.map(mastersSeenFrom));
  return [...masters, ...ports.filter((port) => !masters.includes(port))];
}

/** Whether another node serves the slots of the lost one. */
async function isReplaced(lost: number, seenFrom: number): Promise<boolean> {
  const masters = await mastersSeenFrom(seenFrom);
  return masters.length === MASTERS && !masters.includes(lost);
}

/** Ports of the masters that this node considers alive. */
async function mastersSeenFrom(port: number): Promise<number[]> {
  const lines = String(await command({ port }, 'NODES'))
    .trim()
    .split('\n');
  return lines.flatMap((line) => {
    const [, address = '', flags = ''] = line.split(' ');
    const isAlive = flags.includes('master') && !flags.includes('fail');
    return isAlive ? [Number(/:(\d+)@/.exec(address)?.[1])] : [];
  });
}

function command({ port }: { port: number }, ...args: (string | number)[]): Promise<unknown> {
  return withClient(`redis://127.0.0.1:${port}`, (client) => client.call('CLUSTER', ...args));
}
