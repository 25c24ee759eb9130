import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { expectAnswer, expectProblem, openAccount, openApiKey, sharedApi } from '../support/api.ts';

const api = await sharedApi({});

/** A merchant who owns a pool with one address, and what came to it: amounts, oldest first. */
async function openMerchant(amounts: readonly number[]) {
  const account = await openAccount(api);
  const key = await openApiKey(api, account);
  const script = randomBytes(22);
  const [pool] = await api.store.sql<{ id: bigint }[]>`
    insert into pools (currency, key_id, xpub, script_type, branch, owner_project_id, gap_limit)
    values ('BTC', ${script.toString('hex')}, 'xpub', 'p2wpkh', 0, ${account.projectId}, 20) returning id`;
  const poolId = pool?.id ?? 0n;
  await api.store.sql`
    insert into pool_addresses (pool_id, address_index, script, address, address_class, state)
    values (${poolId}, 7, ${script}, 'bc1q-seven', 'any', 'retired')`;
  for (const amount of amounts) {
    const txid = randomBytes(32);
    await api.store.sql`
      insert into transactions (currency, txid, state, first_seen_at) values ('BTC', ${txid}, 'mempool', now())`;
    await api.store.sql`
      insert into payments (currency, txid, vout, pool_id, script, amount, first_seen_at)
      values ('BTC', ${txid}, 1, ${poolId}, ${script}, ${amount}, now())`;
  }
  return { account, key, poolId };
}

const list = (apiKey: string, query = '') => api.call('get', `/v1/unassigned-payments${query}`, { apiKey });

describe('the list of payments that belong to no invoice', () => {
  it('pages through all of the project, newest first, with a session too', async () => {
    const { key, account } = await openMerchant([1, 2, 3]);
    const first = await list(key, '?limit=2');
    expectAnswer(first, 'listUnassignedPayments', 200);
    expect(first.body.data).toMatchObject([
      {
        amount: '3',
        currency: 'BTC',
        address: 'bc1q-seven',
        address_index: 7,
        status: 'unconfirmed',
        vout: 1,
      },
      { amount: '2', confirmations: 0, block_height: null, block_hash: null },
    ]);
    const second = await api.call('get', `/v1/unassigned-payments?limit=2&cursor=${first.body.next_cursor}`, {
      session: account.session,
    });
    expect(second.body).toMatchObject({ data: [{ amount: '1' }], next_cursor: null });
  });

  it('shows nothing to projects that share the key, and refuses a cursor of another project', async () => {
    const { key, poolId } = await openMerchant([1, 2]);
    const guest = await openAccount(api);
    const guestKey = await openApiKey(api, guest);
    await api.store.sql`
      insert into wallets (project_id, currency, pool_id, script_type, verification_address, gap_limit, status)
      values (${guest.projectId}, 'BTC', ${poolId}, 'p2wpkh', 'bc1-none', 20, 'verified')`;
    expect((await list(guestKey)).body).toEqual({ data: [], next_cursor: null });
    const { next_cursor: cursor } = (await list(key, '?limit=1')).body;
    expectProblem(await list(guestKey, `?cursor=${cursor}`), 422, 'validation_error');
    expectProblem(await list(key, '?cursor=nonsense'), 422, 'validation_error');
  });

  it('excludes payments of invoices', async () => {
    const { key, poolId } = await openMerchant([1]);
    await api.store.sql`update payments set invoice_id = 1, pool_id = null where pool_id = ${poolId}`;
    expect((await list(key)).body.data).toEqual([]);
  });
});
