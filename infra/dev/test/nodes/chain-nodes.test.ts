import { hex } from '@scure/base';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startBitcoinNode } from '../../src/nodes/bitcoin-node.ts';
import { startLitecoinNode } from '../../src/nodes/litecoin-node.ts';
import { litoshiPerPegIn } from '../../src/nodes/mweb-wallet.ts';
import type { ChainNode } from '../../src/nodes/node-process.ts';
import { createPayer, type Payer } from '../../src/wallet/payer.ts';
import { scriptOf, unownedAddress } from '../../src/wallet/regtest-address.ts';

const starts = [
  ['BTC', () => startBitcoinNode()],
  ['LTC', () => startLitecoinNode()],
] as const;

describe.each(starts)('a %s payer on a real node', (currency, start) => {
  let node: ChainNode;
  let payer: Payer;
  const shop = unownedAddress(currency);
  const mempool = () => node.rpc.getMempool();
  const transactionsOf = async (hash: string | undefined) => {
    const [block] = await node.rpc.getBlocks([String(hash)]);
    return block?.transactions ?? [];
  };
  const txidsOf = async (hash: string | undefined) => (await transactionsOf(hash)).map(({ txid }) => txid);

  beforeAll(async () => {
    node = await start();
    payer = createPayer(node);
    await payer.fund();
  });
  afterAll(() => node.stop());

  test('has hundreds of coins after segwit and MWEB are active, and no block is in the future', async () => {
    expect(await node.rpc.getBlockCount()).toBe(450);
    expect(await payer.getBalance()).toBeGreaterThan(5_000n * 100_000_000n);
    const info = await node.rpc.call('getblockheader', await node.rpc.getBestBlockHash());
    expect(info).toHaveProperty(
      'time',
      expect.toSatisfy((time: number) => time <= Date.now() / 1000),
    );
  });

  test('pays an address the exact amount, first in the mempool, then in a block', async () => {
    const { txid } = await payer.pay(shop, 1_234_567n);
    expect(await mempool()).toContain(txid);
    const [hash] = await payer.mine();
    const paid = (await transactionsOf(hash)).find((transaction) => transaction.txid === txid);
    expect(paid?.outputs).toContainEqual({
      vout: 0,
      amount: 1_234_567n,
      scriptHex: hex.encode(scriptOf(currency, shop)),
    });
    expect(await mempool()).not.toContain(txid);
  });

  test('pays several scripts in one transaction, optionally without change', async () => {
    const payees = [1n, 2n, 3n].map((n) => ({
      to: scriptOf(currency, unownedAddress(currency)),
      amount: n * 100_000n,
    }));
    const { txid } = await payer.payMany(payees, { dropChange: true });
    const [transaction] = await node.rpc.getMempoolTransactions([txid]);
    expect(transaction?.outputs.map(({ amount }) => amount)).toEqual([100_000n, 200_000n, 300_000n]);
  });

  test('makes a hundred payments at once without exceeding the mempool’s limit for chains', async () => {
    const sent = await Promise.all(
      Array.from({ length: 100 }, (_, i) => payer.pay(shop, 100_000n + BigInt(i))),
    );
    expect(await mempool()).toEqual(expect.arrayContaining(sent.map(({ txid }) => txid)));
    await payer.mine();
    expect(await mempool()).toEqual([]);
  });

  test('bumps a fee: a transaction with a higher fee replaces the first one', async () => {
    const first = await payer.pay(shop, 500_000n);
    const second = await payer.bumpFee(first.txid);
    expect(second.fee).toBeGreaterThan(first.fee);
    expect(await mempool()).toEqual([second.txid]);
    const [transaction] = await node.rpc.getMempoolTransactions([second.txid]);
    expect(transaction?.outputs).toContainEqual(expect.objectContaining({ amount: 500_000n }));
  });

  test('replaces a payment by one that returns everything', async () => {
    const first = await payer.pay(shop, 600_000n);
    const second = await payer.replace(first.txid);
    const [transaction] = await node.rpc.getMempoolTransactions([second.txid]);
    expect(transaction?.outputs.map(({ scriptHex }) => scriptHex)).toEqual([
      hex.encode(scriptOf(currency, payer.address)),
    ]);
    expect(await mempool()).not.toContain(first.txid);
  });

  test('gets the node’s reason for rejecting a conflicting transaction without a higher fee', async () => {
    const first = await payer.pay(shop, 700_000n);
    await payer.replace(first.txid);
    await expect(node.rpc.sendRawTransaction(first.rawHex)).rejects.toThrow(/insufficient fee/);
    expect(await mempool()).not.toContain(first.txid);
  });

  test('mines only the given transactions and leaves the others in the mempool', async () => {
    await payer.mine();
    const [one, other] = [await payer.pay(shop, 800_000n), await payer.pay(shop, 900_000n)];
    const [hash] = await payer.mine(1, { withTxids: [one.txid] });
    expect(await txidsOf(hash)).toContain(one.txid);
    expect(await mempool()).toEqual([other.txid]);
  });

  test('reorg: a payment is mined again in the new branch, or returns to the mempool', async () => {
    const { txid } = await payer.pay(shop, 1_000_000n);
    await payer.mine(2);
    const again = await payer.reorg(2);
    expect(again.connected).toHaveLength(3);
    expect(await txidsOf(again.connected[0])).toContain(txid);
    expect(await node.rpc.getBestBlockHash()).toBe(again.connected[2]);
    await payer.reorg(3, { withTxids: [] });
    expect(await mempool()).toContain(txid);
  });

  test('reorg: the new branch double-spends a payment of the old one', async () => {
    const paid = await payer.pay(shop, 1_100_000n);
    await payer.mine();
    const { connected } = await payer.reorg(1, { whileDisconnected: ({ replace }) => replace(paid.txid) });
    expect(await txidsOf(connected[0])).not.toContain(paid.txid);
    await expect(payer.broadcast(paid.rawHex)).rejects.toThrow(/missingorspent/);
  });

  test('keeps its chain when the node is killed', async () => {
    const tip = await node.rpc.getBestBlockHash();
    await node.kill();
    // The connection is refused, or closed if it was kept alive.
    await expect(node.rpc.getBlockCount()).rejects.toThrow(/ECONN|other side closed/);
    await node.restart();
    expect(await node.rpc.getBestBlockHash()).toBe(tip);
    await payer.pay(shop, 1_200_000n);
  });

  if (currency === 'BTC') return;

  test('sees a peg-out only in the HogEx of the next block', async () => {
    const wallet = await payer.mweb();
    await wallet.pegIn();
    await payer.mine();
    expect(await wallet.getBalance()).toBeGreaterThan(litoshiPerPegIn);
    const txid = await wallet.pegOut(shop, 5_000_000n);
    const [pending] = await node.rpc.getMempoolTransactions([txid]);
    expect(pending?.outputs).toEqual([]);
    const hogEx = (await transactionsOf((await payer.mine())[0])).at(-1);
    expect(hogEx?.outputs).toContainEqual(expect.objectContaining({ amount: 5_000_000n }));
  });
});

test('a Litecoin node without MWEB mines past the activation height', async () => {
  const node = await startLitecoinNode({ mweb: false });
  const payer = createPayer(node);
  await payer.fund();
  expect(await node.rpc.getBlockCount()).toBe(450);
  await expect(payer.mweb()).rejects.toThrow(/no MWEB/);
  await node.stop();
});
