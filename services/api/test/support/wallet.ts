import type { Currency } from '@paywatch/domain/values';
import { addPoolAddresses } from '@paywatch/store/pools';
import { randomBytes } from 'node:crypto';
import { onTestFinished } from 'vitest';
import type { TestAccount, TestApi } from './api.ts';

/** Gives a project a verified wallet whose pool holds its whole window (index 1 to gapLimit - 1); returns the pool's id. */
export async function openWallet(
  { store }: Pick<TestApi, 'store'>,
  { projectId }: Pick<TestAccount, 'projectId'>,
  { currency = 'BTC', gapLimit = 20 }: { currency?: Currency; gapLimit?: number } = {},
): Promise<bigint> {
  const [pool] = await store.sql<{ id: bigint }[]>`
    insert into pools (currency, key_id, xpub, script_type, branch, owner_project_id, gap_limit)
    values (${currency}, ${randomBytes(8).toString('hex')}, 'xpub', 'p2wpkh', 0, ${projectId}, ${gapLimit})
    returning id`;
  if (!pool) throw new Error('a pool was inserted');
  const addresses = Array.from({ length: gapLimit - 1 }, (_, i) => ({
    index: i + 1,
    script: randomBytes(22),
    address: `bc1q-${pool.id}-${i + 1}`,
  }));
  await addPoolAddresses(store.sql, pool.id, addresses, gapLimit);
  await store.sql`
    update pool_addresses set state = 'free', history_asked = true where pool_id = ${pool.id}`;
  await store.sql`update pools set history_checked_at = now() where id = ${pool.id}`;
  await store.sql`
    insert into wallets (project_id, currency, pool_id, script_type, verification_address, gap_limit, status)
    values (${projectId}, ${currency}, ${pool.id}, 'p2wpkh', 'bc1q-0', ${gapLimit}, 'verified')`;
  return pool.id;
}

/** Ends the subscription of a project now. */
export async function endSubscription(
  { store }: Pick<TestApi, 'store'>,
  { projectId }: TestAccount,
): Promise<void> {
  await store.sql`update projects set subscription_active_until = now() where id = ${projectId}`;
}

/** Lets Bitcoin's chain be followed for the test that runs now, as by a watcher that reads everything at once. */
export async function followChain({ store }: Pick<TestApi, 'store'>): Promise<void> {
  onTestFinished(async () => void (await store.sql`delete from chains where currency = 'BTC'`));
  await store.sql`
    insert into chains (currency, network, tip_height, tip_hash, tip_time, checked_at, mempool_read_at)
    values ('BTC', 'mainnet', 100, ${randomBytes(32)}, now(), now() + interval '1 hour', now() + interval '1 hour')`;
}
