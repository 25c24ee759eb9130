import * as fc from 'fast-check';
import { listDifferences, requestReconciliation } from '@paywatch/store/reconciliation';
import { readStats } from '@paywatch/store/stats';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { continueReconciliation } from '../../src/reconciliation/reconcile-chain.ts';
import { settleDueDecisions } from '../../src/payments/settle-due.ts';
import { createFreezingSource } from '../support/sources/freezing-source.ts';
import { createHarness, type Harness, type TestInvoice } from '../support/harness.ts';
import { createObserver } from '../support/observer.ts';
import { ReplayModel, type ModelTerms, type ModelTransaction } from '../support/chains/replay-model.ts';
import { SyntheticChain } from '../support/chains/synthetic-chain.ts';
import {
  makeTransaction,
  newCoin,
  type SyntheticTransaction,
} from '../support/chains/synthetic-transaction.ts';

/** Short enough for every run of the suite; `REPLAY_RUNS=2000` looks longer. */
const RUNS = Number(process.env['REPLAY_RUNS'] ?? 40);

const INVOICES: ModelTerms[] = [
  { type: 'order', asked: 1000n, confirmations: 1 },
  { type: 'order', asked: 1000n, confirmations: 3 },
  { type: 'donation', asked: 1000n, confirmations: 2 },
];
const TRANSACTIONS = 8;
const COINS = 5;

type Draft = { coins: number[]; pays: { invoice: number; amount: bigint }[] };
type Move =
  | { kind: 'broadcast'; txs: number[] }
  | { kind: 'evict'; tx: number }
  | { kind: 'mine'; txs: number[] | 'mempool' }
  | { kind: 'reorganise'; depth: number; blocks: number[][] }
  | { kind: 'end'; invoice: number }
  | { kind: 'look'; by: number }
  | { kind: 'follow'; by: number }
  | { kind: 'freeze'; by: number };

const tx = fc.nat({ max: TRANSACTIONS - 1 });
const by = fc.nat({ max: 1 });
const draft: fc.Arbitrary<Draft> = fc.record({
  coins: fc.uniqueArray(fc.nat({ max: COINS - 1 }), { minLength: 1, maxLength: 2 }),
  pays: fc.array(
    fc.record({
      invoice: fc.nat({ max: INVOICES.length - 1 }),
      amount: fc.constantFrom(300n, 400n, 600n, 1000n, 1400n),
    }),
    { maxLength: 2 },
  ),
});
const moveArbitrary: fc.Arbitrary<Move> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('broadcast' as const),
      txs: fc.array(tx, { minLength: 1, maxLength: 2 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('evict' as const), tx }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('mine' as const),
      txs: fc.oneof(fc.constant('mempool' as const), fc.array(tx, { maxLength: 2 })),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('reorganise' as const),
      depth: fc.integer({ min: 1, max: 3 }),
      blocks: fc.array(fc.array(tx, { maxLength: 2 }), { maxLength: 3 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('end' as const),
      invoice: fc.nat({ max: INVOICES.length - 1 }),
    }),
  },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('look' as const), by }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('follow' as const), by }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('freeze' as const), by }) },
);
const story = fc.record({
  drafts: fc.array(draft, { minLength: TRANSACTIONS, maxLength: TRANSACTIONS }),
  moves: fc.array(moveArbitrary, { minLength: 10, maxLength: 30 }),
});

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness.close());

test(
  'two watchers, in any order, repeated or frozen, reach the same result as a single observer',
  async () => {
    await fc.assert(fc.asyncProperty(story, replay), { numRuns: RUNS, endOnFailure: RUNS <= 40 });
  },
  RUNS * 5000,
);

async function replay({ drafts, moves }: { drafts: Draft[]; moves: Move[] }): Promise<void> {
  const telling = await begin(drafts);
  for (const next of moves) await telling.move(next);
  for (const last of [0, 1]) await telling.move({ kind: 'look', by: last });
  await expectSameStats(telling.model);
  await expectNoDifference(telling.chain);
}

/** The records also match the blocks, by rules that share no code with watcher and model. */
async function expectNoDifference(chain: SyntheticChain): Promise<void> {
  const { sql } = harness.store;
  const id = await requestReconciliation(sql, 'LTC', null);
  const sources = {
    use: <T>(work: (source: SyntheticChain) => Promise<T>) => work(chain),
    listUsable: () => Promise.resolve([chain]),
    report: () => {},
  };
  while (await continueReconciliation(harness.context, sources, 'LTC'));
  expect(await listDifferences(sql, id, 10)).toEqual([]);
}

async function begin(drafts: readonly Draft[]) {
  await harness.forgetChain('LTC');
  await harness.forgetOutcomes();
  await harness.store.sql`delete from project_stats`;
  const chain = new SyntheticChain();
  const start = chain.tip.height;
  const originMs = Math.floor(Date.now() / 1000) * 1000 - 7_200_000;
  const observers = ['first', 'second'].map((name) => {
    const source = createFreezingSource(chain);
    return { source, ...createObserver(harness.context, source, 'LTC', name) };
  });
  await observers[0]?.look();
  await readUntil(originMs);
  const invoices = await createInvoices();
  // By the clock of the chain: later payments are not older than the leases.
  await harness.store
    .sql`update address_leases set leased_at = ${new Date(originMs)} where released_at is null`;
  const coins = Array.from({ length: COINS }, newCoin);
  const transactions = drafts.map((each) => build(each, coins, invoices));
  const model = new ReplayModel(INVOICES);
  let now = 0;

  const at = (index: number) => transactions[index]!;
  const lead = async (index: number) => {
    await harness.endLead('LTC');
    return observers[index]!;
  };
  const seeChain = (): void =>
    model.seeChain(
      chain.above(start).map(({ hash, height, timeMs, transactions: held }) => ({
        hash,
        height,
        time: (timeMs - originMs) / 1000,
        txs: held
          .flatMap((each) => transactions.find((known) => known.real === each) ?? [])
          .map((known) => known.model),
      })),
    );
  const seeMempool = (): void =>
    model.seeMempool(
      chain.entries.flatMap(({ transaction, enteredMs }) =>
        transactions
          .filter((known) => known.real === transaction)
          .map((known) => ({ tx: known.model, entered: (enteredMs - originMs) / 1000 })),
      ),
    );

  const mine = (indexes: readonly number[]): void => {
    const block: SyntheticTransaction[] = [];
    for (const { real } of indexes.map(at)) {
      const isFree = !block.some((other) => other.spends.some((spent) => real.spends.includes(spent)));
      if (isFree && chain.accepts(real)) block.push(real);
    }
    chain.mine(block);
  };

  const moves: { [Kind in Move['kind']]: (next: Extract<Move, { kind: Kind }>) => Promise<void> | void } = {
    broadcast: ({ txs }) => void chain.broadcast(...txs.map((index) => at(index).real)),
    evict: ({ tx: index }) => chain.evict(at(index).real),
    mine: ({ txs }) => (txs === 'mempool' ? void chain.mine() : mine(txs)),
    reorganise: ({ depth, blocks }) => {
      const possible = Math.min(depth, chain.tip.height - start);
      chain.disconnect(possible);
      for (let index = 0; index <= possible; index += 1) mine(blocks[index] ?? []);
    },
    end: async ({ invoice }) => {
      model.end(invoice, now);
      await endInvoice(invoices[invoice]!, originMs + now * 1000);
    },
    look: async ({ by: index }) => {
      await (await lead(index)).look();
      seeChain();
      seeMempool();
      model.readAll(now);
      await readUntil(originMs + now * 1000);
      await expectSame(model, invoices, originMs);
    },
    follow: async ({ by: index }) => {
      const observer = await lead(index);
      await observer.acquireLeadership();
      await observer.follow();
      await settleDueDecisions(observer.context, 'LTC');
      seeChain();
    },
    freeze: async ({ by: index }) => {
      const { source, look } = await lead(index);
      const frozen = source.freezeAt('listMempool');
      const looked = look().then(
        () => 'done',
        (error: Error) => error.name,
      );
      await frozen;
      seeChain();
      await moves.look({ kind: 'look', by: 1 - index });
      source.thaw();
      expect(await looked).toBe('LeadershipLostError');
    },
  };
  const move = async (next: Move): Promise<void> => {
    now += 1;
    chain.timeMs = originMs + now * 1000;
    await (moves[next.kind] as (given: Move) => Promise<void> | void)(next);
  };
  return { move, model, chain };
}

async function createInvoices(): Promise<TestInvoice[]> {
  const invoices: TestInvoice[] = [];
  for (const { type, asked, confirmations } of INVOICES) {
    invoices.push(await harness.createInvoice({ currency: 'LTC', type, amount: asked, confirmations }));
  }
  return invoices;
}

function build(
  { coins, pays }: Draft,
  known: readonly string[],
  invoices: readonly TestInvoice[],
): { real: SyntheticTransaction; model: ModelTransaction } {
  const spends = coins.map((coin) => known[coin]!);
  const real = makeTransaction({
    spends,
    pays: pays.map(({ invoice, amount }) => ({ script: invoices[invoice]!.script, amount })),
  });
  return { real, model: { txid: real.txid, coins: spends, pays } };
}

async function endInvoice({ id }: TestInvoice, atMs: number): Promise<void> {
  await harness.store.sql`
    update invoices set deadline_at = ${new Date(atMs)}
    where id = ${id} and status in ('new', 'pending') and deadline_at > now()`;
}

/** The chain's clock is two hours behind: what has been read is read up to its time. */
async function readUntil(atMs: number): Promise<void> {
  await harness.store.sql`update chains set mempool_read_at = ${new Date(atMs)} where currency = 'LTC'`;
}

async function expectSame(
  model: ReplayModel,
  invoices: readonly TestInvoice[],
  originMs: number,
): Promise<void> {
  for (const [index, invoice] of invoices.entries()) {
    const snapshot = await harness.read(invoice);
    const events = await harness.store.sql<{ type: string; txid: string | null }[]>`
      select type, encode(txid, 'hex') as txid from events where invoice_id = ${invoice.id} order by id`;
    const expected = model.invoices[index]!;
    expect({
      status: snapshot.status,
      isReversed: snapshot.isReversed,
      events: events.map(({ type, txid }) => (txid === null ? type : `${type} ${txid}`)).toSorted(),
      payments: snapshot.payments
        .map((paid) => [
          paid.txid,
          paid.vout,
          paid.amount,
          (paid.firstSeenMs - originMs) / 1000,
          paid.blockHeight,
          paid.isVoid,
        ])
        .toSorted(byText),
    }).toEqual({
      status: expected.status,
      isReversed: expected.isReversed,
      events: expected.events.toSorted(),
      payments: model
        .paymentsOf(index)
        .map((paid) => [paid.tx.txid, paid.vout, paid.amount, paid.firstSeen, paid.height, paid.isVoid])
        .toSorted(byText),
    });
  }
}

function byText(a: readonly unknown[], b: readonly unknown[]): number {
  return a.join() < b.join() ? -1 : 1;
}

async function expectSameStats(model: ReplayModel): Promise<void> {
  const { days } = await readStats(harness.store, harness.projectId, 30);
  const accepted = model.invoices.flatMap((invoice, index) => {
    if (invoice.status !== 'confirmed' || invoice.isReversed) return [];
    const counted = model.paymentsOf(index).filter((paid) => invoice.counted.has(paid.tx.txid));
    return [counted.reduce((total, paid) => total + paid.amount, 0n)];
  });
  const countOf = (status: string): number =>
    model.invoices.filter((invoice) => invoice.status === status).length;
  const [day] = days;
  expect({
    amount: day?.ltcAmount ?? 0n,
    count: day?.ltcCount ?? 0,
    statuses: [
      day?.statusPending,
      day?.statusConfirmed,
      day?.statusUnderpaid,
      day?.statusExpired,
      day?.statusLatePayment,
    ].map((count) => count ?? 0),
  }).toEqual({
    amount: accepted.reduce((total, amount) => total + amount, 0n),
    count: accepted.length,
    statuses: ['pending', 'confirmed', 'underpaid', 'expired', 'late_payment'].map(countOf),
  });
}
