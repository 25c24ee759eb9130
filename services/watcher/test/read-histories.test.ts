import { startBitcoinNode, startLitecoinNode, waitUntil, type ChainNode, type Payer } from '@paywatch/dev';
import { deriveReceiveAddress, type Currency } from '@paywatch/domain';
import { systemClock } from '@paywatch/runtime';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { ChainSource } from '../src/node/chain-source.ts';
import { createEsploraSource } from '../src/node/esplora-source.ts';
import { createNodeSource } from '../src/node/node-source.ts';
import { createSourcePool } from '../src/node/source-pool.ts';
import { startHistoryReads, type HistoryReads } from '../src/read-histories.ts';
import { refillPool, startPoolRefills } from '../src/refill-pools.ts';
import { startEsploraServer, type EsploraServer } from './support/esplora-server.ts';
import { createHarness, fundedPayer, type Harness } from './support/harness.ts';
import { openVerifiedPool, walletKey } from './support/verified-pool.ts';

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
  }, 120_000);
  afterAll(async () => {
    await server.close();
    await node.stop();
  });
  const pay = (index: number) => payer.pay(addressOf('LTC', index), 1_000_000n);

  test.for([
    { kind: 'an Esplora server', start: 1000, open: () => esplora(server) },
    { kind: 'a node', start: 2000, open: () => createNodeSource(node.url) },
  ])(
    '$kind tells which addresses are used: they are skipped, and the window begins behind them',
    async (source) => {
      const { start } = source;
      // The second gap is as wide as a wallet looks, counted from the first used one.
      for (const index of [start + 2, start + 12, start + 32]) await pay(index);
      await payer.mine();
      const poolId = await verifiedPool('LTC', start);
      run('LTC', source.open());
      await untilOpen(poolId);
      expect(await readPool(poolId)).toMatchObject({ last_used_index: start + 32 });
      await waitUntil(async () => (await leasable(poolId)).includes(start + 32 + GAP_LIMIT), {
        what: 'the window',
      });
      const free = await leasable(poolId);
      expect(free).not.toContain(start + 2);
      expect(free).not.toContain(start + 12);
      expect(free).not.toContain(start + 32);
      expect(free).toContain(start + 3);
    },
  );

  test('an address that a mempool pays is skipped, and moves no window', async () => {
    await pay(3005);
    const poolId = await verifiedPool('LTC', 3000);
    run('LTC', esplora(server));
    await untilOpen(poolId);
    expect(await readPool(poolId)).toMatchObject({ last_used_index: 2999 });
    expect(await leasable(poolId)).not.toContain(3005);
    await payer.mine();
  });

  test('the pool stays shut while the source does not answer, and opens after two minutes all the same', async () => {
    server.answer(503);
    const poolId = await verifiedPool('LTC', 4000);
    const { refill } = run('LTC', esplora(server));
    await refill(poolId);
    expect(await readPool(poolId)).toMatchObject({ history_checked_at: null });
    await harness.store
      .sql`update wallets set verified_at = now() - interval '121 seconds' where pool_id = ${poolId}`;
    await refill(poolId);
    expect(await readPool(poolId)).not.toMatchObject({ history_checked_at: null });
    server.answer(null);
  });

  test('a source that answers again opens the pool', async () => {
    server.answer(503);
    const poolId = await verifiedPool('LTC', 5000);
    run('LTC', esplora(server));
    await waitUntil(() => server.requests.length > 0, { what: 'a refused request' });
    expect(await readPool(poolId)).toMatchObject({ history_checked_at: null });
    server.answer(null);
    await untilOpen(poolId);
  });
});

test('a source that cannot tell opens the pool at once', async () => {
  const node = await startBitcoinNode();
  const poolId = await verifiedPool('BTC', 0);
  run('BTC', createNodeSource(node.url));
  await untilOpen(poolId);
  expect(await leasable(poolId)).toContain(1);
  await stop();
  stop = async () => undefined;
  await node.stop();
});

const esplora = ({ url }: EsploraServer): ChainSource =>
  createEsploraSource({ url, currency: 'LTC', clock: systemClock, minPauseMs: 0 });

/** The parts of a watcher that fill pools. */
function run(currency: Currency, source: ChainSource): { refill(poolId: bigint): Promise<void> } {
  const context = harness.open();
  const pool = createSourcePool({ ...context, currency, network: 'regtest', nodes: [source] });
  const histories: HistoryReads = startHistoryReads(context, new Map([[currency, pool]]));
  const refills = startPoolRefills(context, histories);
  stop = async () => {
    await refills.stop();
    await histories.stop();
    await pool.close();
  };
  return { refill: (poolId) => refillPool(context, poolId, histories) };
}

const untilOpen = (poolId: bigint) =>
  waitUntil(async () => (await readPool(poolId))?.['history_checked_at'], { what: 'an open pool' });

async function readPool(poolId: bigint) {
  const [pool] = await harness.store.sql`select * from pools where id = ${poolId}`;
  return pool;
}

async function leasable(poolId: bigint): Promise<number[]> {
  const rows = await harness.store.sql<{ address_index: number }[]>`
    select a.address_index from pool_addresses a join pools p on p.id = a.pool_id
    where a.pool_id = ${poolId} and a.state = 'free'
      and a.address_index <= greatest(p.last_used_index, p.start_index - 1) + p.gap_limit`;
  return rows.map((row) => row.address_index);
}

function addressOf(currency: Currency, index: number): string {
  return deriveReceiveAddress(walletKey(currency), index).address;
}

/** Each test takes a start index of its own, so that its addresses are new. */
async function verifiedPool(currency: Currency, startIndex: number): Promise<bigint> {
  const { poolId } = await openVerifiedPool(harness.store, { currency, startIndex });
  return poolId;
}
