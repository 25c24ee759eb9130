import { deriveReceiveAddress } from '@paywatch/domain/keys';
import { byOperator } from '@paywatch/store/accounts';
import { deleteIdlePools, verifyWallet } from '@paywatch/store/pools';
import { expect, onTestFinished, test } from 'vitest';
import { refillPool } from '../../src/pools/refill-pools.ts';
import { payment, useStage } from '../support/stage.ts';
import { openPool, openProject, registerNewWallet, walletKey } from '../support/chains/verified-pool.ts';

/** Recording a payment locks the address first, then its pool. So a holder of a pool must not wait for an address. */

const stage = useStage('BTC');
let keys = 0;

test('a registration that resets a pool and waits for an address does not block recording payments of others', async () => {
  const { keyId, poolId } = await registerKey();
  const { projectId } = await openProject(stage.harness.store);
  const release = await holdFirstAddress(poolId);
  const registered = registerNewWallet(stage.harness.store, projectId, { keyId, startIndex: 300 });
  await stage.harness.untilSomebodyWaits();
  await stage.mine(paymentTo(5));
  await release();
  await registered;
  expect(await windowOf(poolId)).toEqual({ startIndex: 300, addresses: 0 });
});

test('a verification that resets a pool and waits for an address does not block recording payments of others', async () => {
  const { store, context } = stage.harness;
  const { keyId, poolId, projectId, wallet } = await registerKey();
  const { projectId: another } = await openProject(store);
  await registerNewWallet(store, another, { keyId, startIndex: 300 });
  await refillPool(context, poolId);
  await openPool(store, poolId);
  const release = await holdFirstAddress(poolId);
  const verified = verifyWallet(store, byOperator, projectId, wallet);
  await stage.harness.untilSomebodyWaits();
  await stage.mine(paymentTo(305));
  await release();
  expect(await verified).toBe(true);
  expect(await windowOf(poolId)).toEqual({ startIndex: 0, addresses: 0 });
});

test('the clean-up waits for no lock: it skips a pool with an address that is being recorded as paid', async () => {
  const { store } = stage.harness;
  const { poolId } = await registerKey();
  await store.sql`update pools set created_at = now() - interval '8 days' where id = ${poolId}`;
  await store.sql`update wallets set created_at = now() - interval '8 days' where pool_id = ${poolId}`;
  const release = await holdFirstAddress(poolId);
  await deleteIdlePools(store, 20);
  expect(await windowOf(poolId)).toEqual({ startIndex: 0, addresses: 19 });
  await release();
  await deleteIdlePools(store, 20);
  expect(await windowOf(poolId)).toBeUndefined();
});

/** An unowned pool with an invented identity and its first addresses, which are in no other pool. */
async function registerKey() {
  const { store, context } = stage.harness;
  await store.sql`delete from pool_addresses`;
  const { projectId } = await openProject(store);
  keys += 1;
  const keyId = `locked ${keys}`;
  const wallet = await registerNewWallet(store, projectId, { keyId });
  await refillPool(context, wallet.poolId);
  // Otherwise the next poll would promote them, and wait as well.
  await openPool(store, wallet.poolId);
  return { keyId, poolId: wallet.poolId, projectId, wallet };
}

function paymentTo(index: number) {
  const { address, script } = deriveReceiveAddress({ ...walletKey(), network: 'regtest' }, index);
  return payment({ address, script: Buffer.from(script) });
}

/** Locks the lowest address of the pool in another transaction, until the returned function is called. */
async function holdFirstAddress(poolId: bigint): Promise<() => Promise<unknown>> {
  const [held, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const holding = stage.harness.store.sql.begin(async (tx) => {
    await tx`
      select from pool_addresses where pool_id = ${poolId} order by address_index limit 1 for update`;
    held.resolve();
    await released.promise;
  });
  const release = (): Promise<unknown> => {
    released.resolve();
    return holding;
  };
  onTestFinished(async () => void (await release()));
  await held.promise;
  return release;
}

async function windowOf(poolId: bigint): Promise<unknown> {
  const [pool] = await stage.harness.store.sql`
    select start_index as "startIndex",
      (select count(*)::int from pool_addresses a where a.pool_id = pools.id) as addresses
    from pools where id = ${poolId}`;
  return pool;
}
