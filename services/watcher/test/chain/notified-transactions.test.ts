import { expect, test } from 'vitest';
import { createMempoolOutputs } from '../../src/chain/mempool-outputs.ts';
import { recordNotified } from '../../src/chain/read-mempool.ts';
import { payment, useStage } from '../support/stage.ts';

const stage = useStage('BTC');

test('a transaction that was announced twice, as after a reorganisation, is recorded once', async () => {
  const { chain, observer } = stage;
  const invoice = await stage.order();
  const paid = payment(invoice);
  chain.broadcast(paid);
  await observer.acquireLeadership();
  const memory = { known: new Set<string>(), outputs: createMempoolOutputs() };
  const read = await recordNotified(observer.context, chain, 'BTC', [paid.raw, paid.raw], memory);
  expect(read).toEqual([paid.txid]);
  expect(await stage.view(invoice)).toMatchObject({ status: 'pending', payments: [{ txid: paid.txid }] });
});
