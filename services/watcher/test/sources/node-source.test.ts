import { startBitcoinNode, startLitecoinNode, type ChainNode } from '@paywatch/dev/nodes';
import { waitUntil } from '@paywatch/dev/testing';
import { scriptOf, unownedAddress, type Payer } from '@paywatch/dev/wallet';
import { parseBlock, parseTransaction } from '@paywatch/domain/chain';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ChainSourceError, type ChainSource } from '../../src/sources/chain-source.ts';
import { createNodeSource } from '../../src/sources/node/node-source.ts';
import { createRestBlocks } from '../../src/sources/node/rest-blocks.ts';
import { fundedPayer } from '../support/harness.ts';
import { startPublisher } from '../support/publisher.ts';

const AMOUNT = 1_000_000n;
const chains = [
  { currency: 'BTC', start: () => startBitcoinNode({ real: true }) },
  { currency: 'LTC', start: startLitecoinNode },
] as const;

describe.each(chains)('a $currency node', ({ currency, start }) => {
  let node: ChainNode;
  let payer: Payer;
  let source: ChainSource;
  beforeAll(async () => {
    node = await start();
    payer = await fundedPayer(node);
    source = createNodeSource(node.url);
  });
  afterAll(async () => {
    await source.close();
    await node.stop();
  });

  test('returns its tip, headers and blocks', async () => {
    const tip = await source.getTip();
    expect(tip).toMatchObject({ chain: 'regtest', height: await payer.getHeight(), prunedBelow: 0 });
    const header = await source.getHeader(tip.hash);
    expect(header).toMatchObject({ height: tip.height, prevHash: await source.getHashAt(tip.height - 1) });
    const block = parseBlock(await source.getBlock(tip.hash));
    expect(block).toMatchObject({ hash: tip.hash, timeMs: header.timeMs });
  });

  test('serves the same block over REST, if enabled, as over RPC', async () => {
    const hash = await node.rpc.getBestBlockHash();
    const rest = createRestBlocks(node.url);
    const block = await rest.getBlock(hash);
    await rest.close();
    const serves = node.kind !== 'bcoin';
    expect(block && Buffer.from(block).toString('hex')).toBe(
      serves ? await node.rpc.call('getblock', hash, 0) : null,
    );
  });

  test('returns transactions of its mempool only', async () => {
    const { txid } = await payer.pay(unownedAddress(currency), AMOUNT);
    expect(await source.listMempool()).toContain(txid);
    const absent = '00'.repeat(32);
    const [held, gone] = await source.getMempoolTransactions([txid, absent]);
    expect(held && parseTransaction(held).txid).toBe(txid);
    expect(gone).toBeNull();
    const [entered, never] = await source.getMempoolTimes([txid, absent]);
    expect(entered).toBeGreaterThan(Date.now() - 60_000);
    expect(never).toBeNull();
    await payer.mine();
  });

  test('that does not know a block or does not answer raises an error', async () => {
    await expect(source.getBlock('11'.repeat(32))).rejects.toThrow(ChainSourceError);
    const dead = createNodeSource('http://u:hidden@127.0.0.1:1/');
    const failure = dead.listMempool();
    await expect(failure).rejects.toThrow(ChainSourceError);
    await expect(failure).rejects.not.toThrow(/hidden/);
    await dead.close();
  });

  test('finds addresses that have coins, if it is Bitcoin Core, one request at a time', async () => {
    const [paid, unpaid] = [unownedAddress(currency), unownedAddress(currency)];
    await payer.pay(paid, AMOUNT);
    await payer.mine();
    const asked = [paid, unpaid].map((address) => ({ address, script: scriptOf(currency, address) }));
    const isCore = node.kind !== 'bcoin';
    expect(await source.histories?.canRead()).toBe(isCore);
    const answer = await source.histories?.read(asked).catch(() => 'an error');
    expect(answer).toEqual(isCore ? ['confirmed', 'none'] : 'an error');
  });
});

describe('notifications by ZeroMQ', () => {
  let node: ChainNode;
  let payer: Payer;
  beforeAll(async () => {
    node = await startBitcoinNode({ real: true });
    payer = await fundedPayer(node);
  });
  afterAll(() => node.stop());

  test('deliver transactions as they arrive; blocks and lost messages request a poll', async () => {
    const publisher = await startPublisher(node);
    const source = createNodeSource(node.url, { zmqEndpoints: [publisher.endpoint] });
    const received: string[] = [];
    let changes = 0;
    const stop = source.listen?.({
      onTransaction: (raw) => received.push(parseTransaction(raw).txid),
      onChange: () => (changes += 1),
      onFault: (error) => {
        throw error;
      },
    });
    const first = await payer.pay(unownedAddress('BTC'), AMOUNT);
    // A new ZeroMQ subscriber misses earlier messages.
    await waitUntil(async () => (await publisher.transaction(first.txid), received.length > 0), {
      what: 'a message',
    });
    const before = changes;
    const second = await payer.pay(unownedAddress('BTC'), AMOUNT);
    await publisher.transaction(second.txid);
    await waitUntil(() => received.at(-1) === second.txid, { what: 'the second transaction' });
    expect(changes).toBe(before);
    publisher.lose(3);
    await publisher.transaction(second.txid);
    await waitUntil(() => changes === before + 1, { what: 'a gap' });
    await payer.mine();
    await publisher.block();
    await waitUntil(() => changes === before + 2, { what: 'a block' });
    stop?.();
    publisher.close();
    await source.close();
  });

  test('are off without endpoints', async () => {
    const source = createNodeSource(node.url);
    expect(source.listen).toBeUndefined();
    await source.close();
  });
});
