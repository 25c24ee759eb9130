import type FullNode from 'bcoin/lib/node/fullnode.js';
import { Publisher } from 'zeromq';

/**
 * Publishes the ZeroMQ topics of Bitcoin Core, which bcoin lacks: `rawtx` when a transaction enters the mempool or a block, and
 * `hashblock` when the best chain grows. Messages are numbered per topic.
 */
export async function publishNews(node: FullNode, endpoint: string): Promise<void> {
  const socket = new Publisher({ linger: 0 });
  await socket.bind(endpoint);
  const sequences = new Map<string, number>();
  let last: Promise<void> = Promise.resolve();
  const publish = (topic: string, body: Buffer): void => {
    const sequence = sequences.get(topic) ?? 0;
    sequences.set(topic, sequence + 1);
    const counter = Buffer.alloc(4);
    counter.writeUInt32LE(sequence);
    // The socket allows one send at a time.
    last = last
      .then(() => socket.send([topic, body, counter]))
      .catch((error: unknown) => console.error(error));
  };
  node.mempool.on('tx', (tx) => publish('rawtx', tx.toRaw()));
  node.chain.on('connect', async (entry, block) => {
    for (const tx of block.txs) publish('rawtx', tx.toRaw());
    publish('hashblock', Buffer.from(entry.rhash(), 'hex'));
  });
}
