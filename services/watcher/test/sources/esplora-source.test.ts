import { startLitecoinNode, type ChainNode } from '@paywatch/dev/nodes';
import { unownedAddress, scriptOf, type Payer } from '@paywatch/dev/wallet';
import { parseBlock, parseTransaction } from '@paywatch/domain/chain';
import { systemClock } from '@paywatch/runtime/process';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ChainSourceError, type ChainSource } from '../../src/sources/chain-source.ts';
import { createEsploraSource } from '../../src/sources/esplora/esplora-source.ts';
import { createNodeSource } from '../../src/sources/node/node-source.ts';
import { readBlock } from '../../src/sources/node/read-block.ts';
import { startEsploraServer, type EsploraServer } from '../support/sources/esplora-server.ts';
import { fundedPayer } from '../support/harness.ts';

const AMOUNT = 1_000_000n;
let node: ChainNode;
let payer: Payer;
let own: ChainSource;
let server: EsploraServer;
let source: ChainSource;
/** Let pass on the clock of the source. */
let elapsedMs = 0;

beforeAll(async () => {
  node = await startLitecoinNode();
  payer = await fundedPayer(node);
  own = createNodeSource(node.url);
});
afterAll(async () => {
  await own.close();
  await node.stop();
});
beforeEach(async () => {
  elapsedMs = 0;
  server = await startEsploraServer(node);
  const clock = { nowMs: () => systemClock.nowMs() + elapsedMs };
  source = createEsploraSource({ url: server.url, currency: 'LTC', clock, minPauseMs: 0 });
});
afterEach(async () => {
  await source.close();
  await server.close();
});

describe('agrees with the node', () => {
  test('about the tip and the name of the network', async () => {
    const { chain, height, hash } = await own.getTip();
    expect(await source.getTip()).toMatchObject({ chain, height, hash, headers: height, prunedBelow: 0 });
  });

  test('about headers, read in pages while walking down the chain', async () => {
    const { height, hash } = await source.getTip();
    let header = await source.getHeader(hash);
    for (let down = 1; down <= 40; down += 1) {
      header = await source.getHeader(header.prevHash);
      expect(header).toEqual(await own.getHeader(await own.getHashAt(height - down)));
    }
    expect(server.requests.filter((path) => path.startsWith('/block')).length).toBeLessThan(10);
  });

  test('about a block that left the best chain during the walk', async () => {
    const [lower] = await payer.mine(2);
    const { hash } = await source.getTip();
    const { prevHash } = await source.getHeader(hash);
    await payer.reorg(2);
    expect(prevHash).toBe(lower);
    expect(await source.getHeader(prevHash)).toMatchObject({ hash: lower });
  });

  test('about blocks, also one with a peg-in and a peg-out', async () => {
    const wallet = await payer.mweb();
    await wallet.pegIn();
    await payer.mine();
    await wallet.pegOut(unownedAddress('LTC'), 5_000_000n);
    const [hash] = await payer.mine();
    const block = await source.getBlock(String(hash));
    expect(Buffer.from(block).equals(await own.getBlock(String(hash)))).toBe(true);
    expect(parseBlock(block).transactions.at(-1)?.isHogEx).toBe(true);
  });

  test('about the mempool, peg-outs included, and fetches each transaction once', async () => {
    const { txid } = await payer.pay(unownedAddress('LTC'), AMOUNT);
    const wallet = await payer.mweb();
    await wallet.pegIn();
    const listed = await source.listMempool();
    expect(listed.toSorted()).toEqual((await own.listMempool()).toSorted());
    const transactions = await source.getMempoolTransactions(listed);
    expect(transactions.every((bytes) => bytes !== null)).toBe(true);
    expect(transactions[listed.indexOf(txid)]).toSatisfy(
      (raw: Uint8Array) => parseTransaction(raw).txid === txid,
    );
    const asked = server.requests.length;
    await source.getMempoolTransactions(await source.listMempool());
    expect(server.requests.length).toBe(asked + 1);
    await payer.mine();
  });

  test('about what addresses received, spent or not', async () => {
    const [paid, unpaid, pending] = [unownedAddress('LTC'), unownedAddress('LTC'), unownedAddress('LTC')];
    await payer.pay(paid, AMOUNT);
    await payer.mine();
    await payer.pay(pending, AMOUNT);
    const asked = [paid, unpaid, pending].map((address) => ({ address, script: scriptOf('LTC', address) }));
    expect(await source.histories?.read(asked)).toEqual(['confirmed', 'none', 'unconfirmed']);
    await payer.mine();
  });

  test('about fees, by the estimate for that many blocks or fewer, or none', async () => {
    expect(await source.estimateFees([0, 1, 2, 5, 144, 1000])).toEqual([
      { targetBlocks: 0, feeRate: null },
      { targetBlocks: 1, feeRate: '87.882' },
      { targetBlocks: 2, feeRate: '20.501' },
      { targetBlocks: 5, feeRate: '20.501' },
      { targetBlocks: 144, feeRate: '1.027' },
      { targetBlocks: 1000, feeRate: '1.027' },
    ]);
  });
});

describe('an invalid answer is an error, never an empty answer:', () => {
  const questions = {
    tip: () => source.getTip(),
    block: async () => source.getBlock(await node.rpc.getBestBlockHash()),
    mempool: () => source.listMempool(),
    transactions: () => source.getMempoolTransactions(['ab'.repeat(32)]),
    histories: async () => source.histories?.read([{ address: payer.address, script: new Uint8Array() }]),
  };

  // All at once: each is tried again for a while before it is given up.
  test.for([500, 503, 403, 301])('status %d', async (status) => {
    server.answer(status);
    const answers = Object.entries(questions).map(([question, ask]) =>
      expect(ask(), question).rejects.toThrow(ChainSourceError),
    );
    await Promise.all(answers);
  });

  test('a server that hangs up', async () => {
    await server.close();
    await expect(source.listMempool()).rejects.toThrow(ChainSourceError);
  });
});

describe('a server with rate limits', () => {
  test('is retried after its Retry-After', async () => {
    server.limit(0, 1);
    const startedMs = performance.now();
    const listing = source.listMempool();
    await expect.poll(() => server.requests).toHaveLength(1);
    server.limit(null);
    expect(await listing).toEqual(await own.listMempool());
    expect(performance.now() - startedMs).toBeGreaterThan(950);
    expect(server.requests).toHaveLength(2);
  });

  test('with a long Retry-After is an immediate error, and is not asked meanwhile', async () => {
    server.limit(0, 3600);
    await expect(source.listMempool()).rejects.toThrow(/asks for a pause of 3600 s/);
    server.limit(null);
    await expect(source.getTip()).rejects.toThrow(ChainSourceError);
    expect(server.requests).toHaveLength(1);
  });

  test('in the middle of a mempool read is continued where it stopped', async () => {
    for (let i = 0; i < 12; i += 1) await payer.pay(unownedAddress('LTC'), AMOUNT);
    const listed = await source.listMempool();
    server.limit(8, 3600);
    await expect(source.getMempoolTransactions(listed)).rejects.toThrow(ChainSourceError);
    server.limit(null);
    elapsedMs += 3_600_001;
    expect(await source.getMempoolTransactions(listed)).toEqual(await own.getMempoolTransactions(listed));
    const answered = server.requests.filter((path) => path.startsWith('/tx/')).length;
    // Eight got a response, those in flight at the limit did not, and nothing was requested twice.
    expect(answered).toBeLessThanOrEqual(12 + 4);
    await payer.mine();
  });
});

describe('invalid data of a server is detected:', () => {
  test('a block with a transaction left out is refused', async () => {
    const { txid } = await payer.pay(unownedAddress('LTC'), AMOUNT);
    const [hash] = await payer.mine();
    server.leaveOut(txid);
    await expect(readBlock(source, String(hash))).rejects.toThrow(/other transactions than its header/);
  });

  test('a transaction that has left its mempool is not an error', async () => {
    const { txid } = await payer.pay(unownedAddress('LTC'), AMOUNT);
    server.hide(txid, { isListed: true });
    expect(await source.getMempoolTransactions([txid])).toEqual([null]);
    await payer.mine();
  });
});
