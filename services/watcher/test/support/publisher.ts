import type { ChainNode } from '@paywatch/dev/nodes';
import { freePort } from '@paywatch/dev/servers';
import { Publisher } from 'zeromq';

/** Publishes by ZeroMQ what Bitcoin Core would: for nodes that cannot. */
export type NodePublisher = {
  endpoint: string;
  /** As when the transaction enters the mempool, or comes with a block. */
  transaction(txid: string): Promise<void>;
  /** The same for bytes that the node need not have. */
  raw(rawHex: string): Promise<void>;
  /** As when the best chain moved. */
  block(): Promise<void>;
  /** Counts dropped messages, as with a full queue. */
  lose(count: number): void;
  close(): void;
};

export async function startPublisher(node: ChainNode): Promise<NodePublisher> {
  const socket = new Publisher({ linger: 0 });
  const endpoint = `tcp://127.0.0.1:${await freePort()}`;
  await socket.bind(endpoint);
  const sequences = new Map<string, number>();
  const send = async (topic: string, body: string): Promise<void> => {
    const sequence = sequences.get(topic) ?? 0;
    sequences.set(topic, sequence + 1);
    const counter = Buffer.alloc(4);
    counter.writeUInt32LE(sequence);
    await socket.send([topic, Buffer.from(body, 'hex'), counter]);
  };
  return {
    endpoint,
    transaction: async (txid) => send('rawtx', String(await node.rpc.call('getrawtransaction', txid, 0))),
    raw: (rawHex) => send('rawtx', rawHex),
    block: async () => send('hashblock', await node.rpc.getBestBlockHash()),
    lose: (count) => void sequences.set('rawtx', (sequences.get('rawtx') ?? 0) + count),
    close: () => socket.close(),
  };
}
