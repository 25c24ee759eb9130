import type { Measure } from '@paywatch/dev/commands';
import { startStackService } from '@paywatch/dev/stack';
import {
  createSeededRandom,
  HANG_TIMEOUT_MS,
  temporaryFolder,
  waitUntil,
  type SeededRandom,
} from '@paywatch/dev/testing';
import type { Store } from '@paywatch/store';
import { loadChain } from '@paywatch/store/chain';
import { startBenchServers, type BenchServers } from '../shared/bench-servers.ts';
import { makeBlock, type SyntheticBlock } from './synthetic-block.ts';
import { REGTEST_GENESIS, startSyntheticNode, type SyntheticNode } from './synthetic-node.ts';

const BLOCKS = 150;
/** Blocks that exist when the watchers start; they follow the chain from below these. */
const KNOWN = 13;

/** The time that a node needs to read a block from a slow disk. */
const SLOW_MS = 100;

/**
 * One watcher process, then two, scan missed blocks of mainnet's size: from a node that responds at once, which shares the cores
 * with Postgres and the watchers, and from a node that needs SLOW_MS per block.
 */
export const run: Measure = async ({ terminal, seed, share }) => {
  const count = Math.max(20, Math.round(BLOCKS * share));
  const blocks = await terminal.step(`Making ${count} blocks`, () =>
    Promise.resolve(makeChain(createSeededRandom(seed), KNOWN + count)),
  );
  const measure = async (watchers: number, blockMs: number): Promise<number> => {
    const pace = blockMs === 0 ? 'a fast node' : 'a slow node';
    return terminal.step(`Catching up from ${pace}, watchers: ${watchers}`, async () => {
      const seconds = await catchUp(blocks, { watchers, blockMs });
      return count / seconds;
    });
  };
  const [fast, slow] = [await measure(1, 0), await measure(1, SLOW_MS)];
  const [fastOfTwo, slowOfTwo] = [await measure(2, 0), await measure(2, SLOW_MS)];
  const bytes = blocks.slice(KNOWN).reduce((sum, block) => sum + block.bytes.length, 0);
  return [
    { name: 'blocks', value: count },
    { name: 'block_bytes', value: Math.round(bytes / count) },
    { name: 'blocks_per_second', value: fast },
    { name: 'blocks_per_second_of_two', value: fastOfTwo },
    { name: 'slow_blocks_per_second', value: slow },
    { name: 'slow_blocks_per_second_of_two', value: slowOfTwo },
    { name: 'slow_speedup_of_two', value: slowOfTwo / slow },
  ];
};

function makeChain(random: SeededRandom, count: number): SyntheticBlock[] {
  const blocks: SyntheticBlock[] = [];
  while (blocks.length < count) {
    const prevHash = blocks.at(-1)?.hash ?? REGTEST_GENESIS;
    blocks.push(makeBlock(random, { prevHash, paidScripts: [] }));
  }
  return blocks;
}

/** Seconds from the first block request until the tip is the last block. */
async function catchUp(
  blocks: readonly SyntheticBlock[],
  { watchers, blockMs }: { watchers: number; blockMs: number },
): Promise<number> {
  await using parts = new AsyncDisposableStack();
  const servers = await startBenchServers(parts);
  const node = await startSyntheticNode(parts, blockMs);
  node.show(blocks, KNOWN);
  for (let number = 1; number <= watchers; number += 1) {
    const watcher = await startWatcher(node, servers, `watcher-${number}`);
    parts.defer(() => watcher.stop());
  }
  await reached(servers.store, KNOWN);
  node.show(blocks, blocks.length);
  await reached(servers.store, blocks.length);
  return (performance.now() - (node.firstAskedMs() ?? 0)) / 1000;
}

function reached(store: Store, height: number): Promise<unknown> {
  return waitUntil(async () => (await loadChain(store.sql, 'BTC'))?.tip.height === height, {
    what: `block ${height}`,
    timeoutMs: 3 * HANG_TIMEOUT_MS,
    everyMs: 20,
  });
}

function startWatcher(node: SyntheticNode, servers: BenchServers, name: string) {
  const env = {
    LOG_LEVEL: 'warn',
    DATABASE_URL: servers.databaseUrl,
    REDIS_URL: servers.redisUrl,
    REDIS_PREFIX: servers.redisPrefix,
    PUBLIC_URL: 'http://pay.test',
    BTC_NETWORK: 'regtest',
    BTC_NODE_URL: node.url,
  };
  const folder = temporaryFolder('catch-up');
  return startStackService({ name, entry: 'services/watcher/src/main.ts', folder, env });
}
