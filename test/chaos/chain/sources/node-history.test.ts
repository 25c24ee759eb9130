import { expect, test } from 'vitest';
import { tellOf, type Moment, type Sent } from './node-history.ts';
import type { RpcBlock } from './rpc-block.ts';

const SCRIPT = '0014aa';
const paid = { vout: 0, amount: 1000n, scriptHex: SCRIPT };
const change = { vout: 1, amount: 5000n, scriptHex: '0014bb' };

const transaction = (txid: string, claims: string[], outputs = [change]): Sent => ({
  txid,
  claims,
  outputs,
  sentMs: 0,
  isPegOut: false,
});
const block = (height: number, transactions: Sent[]): RpcBlock => ({
  hash: `block ${height}`,
  prevHash: `block ${height - 1}`,
  height,
  timeMs: height,
  transactions,
});
const moment = (tip: RpcBlock, mempool: string[] = []): Moment => ({
  atMs: tip.height,
  tip: tip.hash,
  mempool: new Set(mempool),
  isOut: false,
  isStarting: false,
  behindMs: 0,
});

/** A payment that spends the change of a child of `parent`, which `rival` double-spends. */
const parent = transaction('parent', ['coin:0']);
const child = transaction('child', ['parent:1']);
const payment = transaction('payment', ['child:1'], [paid, change]);
const rival = transaction('rival', ['coin:0']);
const blocks = new Map([block(1, []), block(2, [rival])].map((one) => [one.hash, one]));
const [first, second] = [...blocks.values()] as [RpcBlock, RpcBlock];

/** Where the conflict of the payment is in each view. */
function conflictsIn(sent: Sent[], moments: Moment[]): (string | undefined)[] {
  const { views } = tellOf(SCRIPT, { blocks, moments, sent });
  return views.map(({ conflicts }) => conflicts.get('payment'));
}

test('a double spend of an ancestor is a conflict of the payment, in the mempool and in a block', () => {
  const sent = [parent, child, payment, rival];
  const moments = [moment(first, ['parent', 'child', 'payment']), moment(first, ['rival']), moment(second)];
  expect(conflictsIn(sent, moments)).toEqual([undefined, 'mempool', 'block']);
});

test('a double spend of the payment itself is a conflict; its ancestors are not', () => {
  const own = transaction('own rival', ['child:1']);
  const moments = [moment(first, ['parent', 'child', 'payment']), moment(first, ['own rival'])];
  expect(conflictsIn([parent, child, payment, own], moments)).toEqual([undefined, 'mempool']);
});
