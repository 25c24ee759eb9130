import { scriptOf, unownedAddress } from '@paywatch/dev/wallet';
import { CURRENCIES } from '@paywatch/domain/values';
import { importOrders } from '@paywatch/store/invoices';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { followChain } from '../../src/chain/follow-chain.ts';
import { continueRescan } from '../../src/chain/rescan-chain.ts';
import { scanBlock } from '../../src/chain/scan-block.ts';
import { sweepDeadlines } from '../../src/payments/settle-due.ts';
import type { SourcePool } from '../../src/sources/source-pool.ts';
import type { TestInvoice } from '../support/harness.ts';
import type { SyntheticTransaction } from '../support/chains/synthetic-transaction.ts';
import { AMOUNT, payment, useStage } from '../support/stage.ts';

describe.each(CURRENCIES)(
  'an imported order of %s that was paid in a block before its import',
  (currency) => {
    const stage = useStage(currency);
    const sql = () => stage.harness.store.sql;
    let imported = 0;

    /** The harness's project has a wallet, and a subscription. */
    beforeAll(async () => {
      const { projectId } = stage.harness;
      await sql()`update projects set subscription_active_until = now() + interval '1 day' where id = ${projectId}`;
      await sql()`update pools set owner_project_id = ${projectId} where currency = ${currency}`;
      await sql()`
      insert into wallets (project_id, currency, pool_id, script_type, verification_address, gap_limit, status, verified_at)
      select ${projectId}, ${currency}, id, 'p2wpkh', 'first', 20, 'verified', now() from pools where currency = ${currency}`;
    });
    beforeEach(async () => {
      await sql()`delete from chain_rescans`;
      // Its blocks are older than the end of the order, and younger than its beginning.
      stage.chain.timeMs = Date.now() - 30_000;
    });

    const paid = async (amount: bigint, mine = stage.mine): Promise<TestInvoice> => {
      const address = unownedAddress(currency);
      const script = Buffer.from(scriptOf(currency, address));
      if (amount > 0n) await mine(payment({ address, script }, amount));
      imported += 1;
      const order = {
        currency,
        orderId: `open ${imported}`,
        addressIndex: 1000 + imported,
        address,
        script,
        expectedAmount: AMOUNT,
        confirmationsRequired: 1,
        returnUrl: null,
        createdAt: new Date(Date.now() - 60_000),
        expiresAt: new Date(Date.now() + 60_000),
      };
      const { projectId, store } = stage.harness;
      const settings = { projectId, actor: 'operator', isDryRun: false } as const;
      const outcome = await importOrders(store, [order], settings);
      const publicId = outcome.imported[0]!.publicId;
      const [row] = await sql()<{ id: bigint }[]>`select id from invoices where public_id = ${publicId}`;
      return { address, script, publicId, id: row!.id };
    };
    const passDeadline = async (order: TestInvoice): Promise<void> => {
      await stage.harness.moveDeadline(order, -1);
      await stage.look();
      await sweepDeadlines(stage.harness.context, currency);
    };
    /** In the last of several new blocks, which is scanned before those below it: our tip cannot move over it yet. */
    const mineAboveGap = async (transaction: SyntheticTransaction): Promise<void> => {
      const { chain, observer } = stage;
      for (const held of [[], [], [transaction]]) chain.mine(held);
      await observer.acquireLeadership();
      await followChain(observer.context, chain, currency, async (_currency, blocks) => {
        await scanBlock(observer.context, chain, currency, blocks.at(-1)!);
        return true;
      });
    };
    /** From the chain of the stage. */
    const readAgain = async (): Promise<void> => {
      const sources = { listUsable: () => Promise.resolve([stage.chain]), report: () => {} };
      while (await continueRescan(stage.harness.context, sources as unknown as SourcePool, currency));
      await stage.look();
    };

    test('does not expire before that block is read again, and is then confirmed', async () => {
      const order = await paid(AMOUNT);
      await passDeadline(order);
      expect(await stage.statusOf(order)).toBe('new');
      await readAgain();
      expect(await stage.statusOf(order)).toBe('confirmed');
      expect(await stage.harness.typesOf(order)).toEqual(['invoice.confirmed']);
    });

    test('is also confirmed if that block was read already but lower ones were not', async () => {
      const order = await paid(AMOUNT, mineAboveGap);
      await readAgain();
      await passDeadline(order);
      expect(await stage.harness.typesOf(order)).toEqual(['invoice.confirmed']);
    });

    test('is not underpaid before, even if a partial payment is known', async () => {
      const order = await paid(AMOUNT / 2n);
      await stage.mine(payment(order, AMOUNT / 4n));
      await passDeadline(order);
      expect(await stage.statusOf(order)).toBe('pending');
      await readAgain();
      expect(await stage.harness.typesOf(order)).toEqual(['invoice.underpaid']);
      expect((await stage.view(order)).received_amount).toBe(String((AMOUNT / 4n) * 3n));
    });

    test('expires afterwards if nobody paid it', async () => {
      const order = await paid(0n);
      await passDeadline(order);
      expect(await stage.statusOf(order)).toBe('new');
      await readAgain();
      expect(await stage.harness.typesOf(order)).toEqual(['invoice.expired']);
    });
  },
);
