import { buildOwnerView } from '@paywatch/domain/invoices';
import type { Currency } from '@paywatch/domain/values';
import { LeadershipLostError } from '@paywatch/store/chain';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { createHarness, type Harness, type TestAddress, type TestInvoice, type Wanted } from './harness.ts';
import { createObserver, type Observer } from './observer.ts';
import { SyntheticChain } from './chains/synthetic-chain.ts';
import { makeTransaction, type SyntheticTransaction } from './chains/synthetic-transaction.ts';

/** What most invoices of a test ask for. */
export const AMOUNT = 1_000_000n;

/** A synthetic chain, a watcher that has polled it once, and a merchant. */
export type Stage = {
  harness: Harness;
  chain: SyntheticChain;
  observer: Observer;
  look(): Promise<void>;
  order(wanted?: Partial<Wanted>): Promise<TestInvoice>;
  donation(wanted?: Partial<Wanted>): Promise<TestInvoice>;
  derive(): Promise<TestAddress>;
  /** The owner's view. */
  view(invoice: TestInvoice): Promise<ReturnType<typeof buildOwnerView>>;
  statusOf(invoice: TestInvoice): Promise<string>;
  /** Mines a block of these transactions and polls. */
  mine(...transactions: SyntheticTransaction[]): Promise<void>;
  /** Puts these into the mempool, removes what they conflict with, and polls. */
  broadcast(...transactions: SyntheticTransaction[]): Promise<void>;
};

/** Sets the stage for each test of a file: one database, a chain of its own. Call it at the top of the file. */
export function useStage(currency: Currency): Stage {
  const stage: Partial<Stage> = {};
  beforeAll(async () => {
    const harness = await createHarness();
    Object.assign(stage, { harness }, shopOf(harness, currency));
  });
  afterAll(() => stage.harness?.close());
  beforeEach(async () => {
    const { harness } = stage as Stage;
    await harness.forgetChain(currency);
    const chain = new SyntheticChain();
    const observer = createObserver(harness.context, chain, currency);
    const moves = movesOf(chain, observer);
    await moves.look();
    Object.assign(stage, { chain, observer }, moves);
  });
  return stage as Stage;
}

function shopOf(harness: Harness, currency: Currency) {
  const order = (wanted: Partial<Wanted> = {}) =>
    harness.createInvoice({ currency, amount: AMOUNT, ...wanted });
  return {
    order,
    donation: (wanted: Partial<Wanted> = {}) => order({ type: 'donation', ...wanted }),
    derive: () => harness.derive(currency),
    view: async (invoice: TestInvoice) => buildOwnerView(await harness.read(invoice)),
    statusOf: async (invoice: TestInvoice) => (await harness.read(invoice)).status,
  };
}

function movesOf(chain: SyntheticChain, observer: Observer) {
  const look = () => lookAsLeader(observer);
  return {
    look,
    mine: async (...transactions: SyntheticTransaction[]) => {
      chain.mine(transactions);
      await look();
    },
    broadcast: async (...transactions: SyntheticTransaction[]) => {
      chain.broadcast(...transactions);
      await look();
    },
  };
}

/** If the machine stalls for five seconds, leadership ends; the stage then polls again, as a watcher does. */
async function lookAsLeader(observer: Observer): Promise<void> {
  try {
    await observer.look();
  } catch (error) {
    if (!(error instanceof LeadershipLostError)) throw error;
    await lookAsLeader(observer);
  }
}

/** A transaction that pays an address; `spends` names the coins that it shares with others. */
export function payment(
  to: TestAddress,
  amount: bigint = AMOUNT,
  spends?: readonly string[],
): SyntheticTransaction {
  return makeTransaction({ pays: [{ script: to.script, amount }], ...(spends && { spends }) });
}

/** A transaction that spends the same coins and pays no watched script. */
export function doubleSpend(transaction: SyntheticTransaction): SyntheticTransaction {
  return makeTransaction({ spends: transaction.spends });
}
