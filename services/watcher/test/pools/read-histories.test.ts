import { startBitcoinNode, startLitecoinNode, type ChainNode } from '@paywatch/dev/nodes';
import { waitUntil } from '@paywatch/dev/testing';
import type { Payer } from '@paywatch/dev/wallet';
import { deriveReceiveAddress } from '@paywatch/domain/keys';
import type { Currency } from '@paywatch/domain/values';
import { createLogger } from '@paywatch/runtime/observability';
import { systemClock } from '@paywatch/runtime/process';
import { byOperator } from '@paywatch/store/accounts';
import { findPromotable, registerWallet, requestRefill } from '@paywatch/store/pools';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { ChainSource } from '../../src/sources/chain-source.ts';
import { createEsploraSource } from '../../src/sources/esplora/esplora-source.ts';
import { createNodeSource } from '../../src/sources/node/node-source.ts';
import { createSourcePool } from '../../src/sources/source-pool.ts';
import { startHistoryReads, type HistoryReads } from '../../src/pools/read-histories.ts';
import { refillPool, startPoolRefills } from '../../src/pools/refill-pools.ts';
import { startEsploraServer, type EsploraServer } from '../support/sources/esplora-server.ts';
import { createHarness, fundedPayer, type Harness } from '../support/harness.ts';
import { openVerifiedPool, walletKey } from '../support/chains/verified-pool.ts';

const GAP_LIMIT = 20;

let harness: Harness;
let stop: () => Promise<void> = async () => undefined;
beforeAll(async () => {
  harness = await createHarness();
});
afterEach(async () => {
  await stop();
  stop = async () => undefined;
});
afterAll(() => harness.close());

describe('litecoin', () => {
  let node: ChainNode;
  let payer: Payer;
  let server: EsploraServer;
  beforeAll(async () => {
    node = await startLitecoinNode();
    payer = await fundedPayer(node);
    server = await startEsploraServer(node);
  });
  afterAll(async () => {
    await server.close();
    await node.stop();
  });
  const pay = (index: number) => payer.pay(addressOf('LTC', index), 1_000_000n);

  test.for([
    { kind: 'an Esplora server', start: 1000, open: () => esplora(server) },
    { kind: 'a node', start: 2000, open: () => createNodeSource(node.url) },
  ])('$kind reports used addresses: they are skipped, and the window begins after them', async (source) => {
    const { start } = source;
    // The second gap is as wide as a wallet looks, counted from the first used one.
    for (const index of [start + 2, start + 12, start + 32]) await pay(index);
    await payer.mine();
    const poolId = await verifiedPool('LTC', start);
    run('LTC', source.open());
    await waitUntil(async () => (await promotable(poolId)).includes(start + 32 + GAP_LIMIT), {
      what: 'the window',
    });
    expect(await readPool(poolId)).toMatchObject({ last_used_index: start + 32 });
    const free = await promotable(poolId);
    expect(free).not.toContain(start + 2);
    expect(free).not.toContain(start + 12);
    expect(free).not.toContain(start + 32);
    expect(free).toContain(start + 3);
  });

  test('an address with a mempool payment is skipped, and does not move the window', async () => {
    await pay(3005);
    const poolId = await verifiedPool('LTC', 3000);
    run('LTC', esplora(server));
    await untilPromotable(poolId);
    expect(await readPool(poolId)).toMatchObject({ last_used_index: 2999 });
    expect(await promotable(poolId)).not.toContain(3005);
    await payer.mine();
  });

  test('nothing is leasable while the source does not answer; after two minutes everything is', async () => {
    server.answer(503);
    const poolId = await verifiedPool('LTC', 4000);
    const { refill } = run('LTC', esplora(server));
    await refill(poolId);
    expect(await promotable(poolId)).toEqual([]);
    await harness.store
      .sql`update pools set history_wanted_at = now() - interval '121 seconds' where id = ${poolId}`;
    await refill(poolId);
    expect(await promotable(poolId)).toContain(4000);
    // The next test need not wait until this pool was asked about.
    await harness.store.sql`update pool_addresses set history_asked = true where pool_id = ${poolId}`;
    server.answer(null);
  });

  test('the wait ends when the source answers again', async () => {
    server.answer(503);
    const poolId = await verifiedPool('LTC', 5000);
    run('LTC', esplora(server));
    await waitUntil(() => server.requests.length > 0, { what: 'a refused request' });
    expect(await promotable(poolId)).toEqual([]);
    server.answer(null);
    await untilPromotable(poolId);
    await waitUntil(async () => (await readPool(poolId))?.['history_wanted_at'] === null, {
      what: 'the answer',
    });
  });

  test('new addresses of a grown window are looked up before they are leasable', async () => {
    const poolId = await verifiedPool('LTC', 6000);
    run('LTC', createNodeSource(node.url));
    await waitUntil(async () => (await promotable(poolId)).includes(6119), { what: 'the first answers' });
    await pay(6130);
    await payer.mine();
    await harness.store.sql`update pools set last_used_index = 6110 where id = ${poolId}`;
    await requestRefill(harness.store.sql, poolId);
    await waitUntil(async () => (await promotable(poolId)).includes(6131), { what: 'the next answers' });
    expect(await promotable(poolId)).not.toContain(6130);
    expect(await readPool(poolId)).toMatchObject({ last_used_index: 6130 });
  });

  test('a key that is registered again is looked up again: other software may have used it meanwhile', async () => {
    const { poolId, register } = await replacedPool('LTC', 7000);
    run('LTC', createNodeSource(node.url));
    await waitUntil(async () => (await promotable(poolId)).includes(7119), { what: 'the first answers' });
    await pay(7015);
    await payer.mine();
    expect(await readPool(poolId)).toMatchObject({ last_used_index: 6999 });
    await register();
    await waitUntil(async () => (await readPool(poolId))?.['last_used_index'] === 7015, {
      what: 'the answer',
    });
    expect(await promotable(poolId)).not.toContain(7015);
  });

  test('a source behind the known blocks is not believed', async () => {
    const poolId = await verifiedPool('LTC', 8000);
    const { height } = await createNodeSource(node.url).getTip();
    await harness.store.sql`
      insert into chain_blocks (currency, height, hash, previous_hash, time)
      values ('LTC', ${height + 1}, ${Buffer.alloc(32, 1)}, ${Buffer.alloc(32, 2)}, now())`;
    const { failures } = run('LTC', createNodeSource(node.url));
    await waitUntil(() => failures().length > 0, { what: 'a refused answer' });
    expect(await promotable(poolId)).toEqual([]);
    await harness.store.sql`delete from chain_blocks where currency = 'LTC'`;
    await untilPromotable(poolId);
  });
});

test('if no source can read histories, nothing waits', async () => {
  const node = await startBitcoinNode();
  const poolId = await verifiedPool('BTC', 0);
  run('BTC', createNodeSource(node.url));
  await untilPromotable(poolId);
  expect(await promotable(poolId)).toContain(1);
  await stop();
  stop = async () => undefined;
  await node.stop();
});

const esplora = ({ url }: EsploraServer): ChainSource =>
  createEsploraSource({ url, currency: 'LTC', clock: systemClock, minPauseMs: 0 });

/** The parts of a watcher that fill pools. */
function run(currency: Currency, source: ChainSource) {
  const faults: string[] = [];
  const destination = { write: (line: string) => void faults.push(line) };
  const logger = createLogger({ service: 'watcher', level: 'warn', destination });
  const context = { ...harness.open(), logger };
  const pool = createSourcePool({ ...context, currency, network: 'regtest', nodes: [source] });
  const histories: HistoryReads = startHistoryReads(context, new Map([[currency, pool]]));
  const refills = startPoolRefills(context, histories);
  stop = async () => {
    await refills.stop();
    await histories.stop();
    await pool.close();
  };
  return {
    refill: (poolId: bigint) => refillPool(context, poolId, histories),
    failures: () => faults.filter((line) => line.includes('ChainSourceError')),
  };
}

const untilPromotable = (poolId: bigint) =>
  waitUntil(async () => (await promotable(poolId)).length > 0, { what: 'addresses that may be leasable' });

async function readPool(poolId: bigint) {
  const [pool] = await harness.store.sql`select * from pools where id = ${poolId}`;
  return pool;
}

/** What the leader would promote, as far as the mempool does not pay it. */
async function promotable(poolId: bigint): Promise<number[]> {
  const [pool] = await harness.store.sql<
    { currency: Currency }[]
  >`select currency from pools where id = ${poolId}`;
  if (!pool) throw new Error('a pool is never deleted');
  const found = await findPromotable(harness.store.sql, pool.currency, [], 10_000);
  return found.flatMap((address) => (address.poolId === poolId ? address.addressIndex : []));
}

function addressOf(currency: Currency, index: number): string {
  return deriveReceiveAddress(walletKey(currency), index).address;
}

/** Each test takes a start index of its own, so that its addresses are new. */
async function verifiedPool(currency: Currency, startIndex: number): Promise<bigint> {
  const { poolId } = await openVerifiedPool(harness.store, { currency, startIndex });
  return poolId;
}

/** A pool whose project has replaced the wallet, and the registration that brings the key back. */
async function replacedPool(currency: Currency, startIndex: number) {
  const { poolId, projectId } = await openVerifiedPool(harness.store, { currency, startIndex });
  const { sql } = harness.store;
  await sql`update wallets set status = 'replaced', replaced_at = now() where pool_id = ${poolId}`;
  const [pool] = await sql<{ keyId: string }[]>`select key_id as "keyId" from pools where id = ${poolId}`;
  const { xpub, scriptType, branch, derivationPath } = walletKey(currency);
  const register = () =>
    registerWallet(harness.store, byOperator, {
      projectId,
      currency,
      keyId: pool?.keyId ?? '',
      xpub,
      scriptType,
      branch,
      derivationPath,
      verificationAddress: addressOf(currency, 0),
      gapLimit: GAP_LIMIT,
      startIndex,
    });
  return { poolId, register };
}
