import type { SeededRandom } from '@paywatch/dev/testing';
import type { ChainPayers } from './chain-payers.ts';
import type { Sold } from '../chain-shops.ts';

/**
 * An action of a payer at a certain time. An action that must be in time is skipped if the deadline is near; one that must be
 * late waits until the deadline has certainly passed.
 */
export type Act = {
  atMs: number;
  /** Null where it is about none. */
  invoice: Sold | null;
  isLate: boolean;
  act: (chain: ChainPayers) => Promise<unknown>;
};

/** The least delay after the deadline of an action that must be late. */
export const LATE_AFTER_MS = 7000;
/** The least time before the deadline of an action that must be in time: every watcher has seen it by then. */
export const IN_TIME_BEFORE_MS = 35_000;

type Given = {
  invoice: Sold;
  /** Unpaid invoices; an action that pays one removes it. */
  spare: Sold[];
  random: SeededRandom;
  soonMs: number;
  lateMs: number;
};
type Behaviour = (given: Given) => Act[];

/**
 * The random actions of one payer for an invoice. `spare`: invoices that their own payers leave unpaid; an action that pays
 * several invoices takes them from there, so that no invoice is paid twice within an undecidable time.
 */
export function behave(invoice: Sold, spare: Sold[], random: SeededRandom, nowMs: number): Act[] {
  const { earliest } = invoice.terms.deadlineMs;
  const soonMs = nowMs + 300 + random.integer(25_000);
  const lateMs = earliest + LATE_AFTER_MS + random.integer(6000);
  const possible = Object.entries(BEHAVIOURS).filter(([name]) => isPossible(name, invoice));
  const names = possible.flatMap(([name, { weight }]) => Array.from({ length: weight }, () => name));
  const chosen = BEHAVIOURS[random.pick(names)];
  if (!chosen) throw new Error('a payer does something');
  return chosen.acts({ invoice, spare, random, soonMs, lateMs });
}

/** Any amount pays a donation: of two payments the second may be part of the outcome, or come after it. */
function isPossible(name: string, { terms }: Sold): boolean {
  return terms.type === 'order' || name !== 'inParts';
}

/** Invoices of others that can still be paid in time. */
function takeSpare(spare: Sold[], count: number, soonMs: number): Sold[] {
  const open = spare.filter(({ terms }) => terms.deadlineMs.earliest > soonMs + 2 * IN_TIME_BEFORE_MS);
  spare.splice(0);
  spare.push(...open.slice(count));
  return open.slice(0, count);
}

const to = ({ address }: Sold, amount: bigint) => ({ to: address, amount });
const part = (amount: bigint, percent: number): bigint => (amount * BigInt(percent)) / 100n;

/** Does something with a transaction of an earlier act, where there was one. */
function afterwards(): {
  keep: (txid: string | null) => void;
  use: (work: (txid: string) => Promise<unknown>) => Promise<void>;
} {
  let kept: string | null = null;
  return {
    keep: (txid) => void (kept = txid),
    use: async (work) => {
      if (kept !== null) await work(kept);
    },
  };
}

const soon = ({ invoice, soonMs }: Given, act: Act['act'], afterMs = 0): Act => ({
  atMs: soonMs + afterMs,
  invoice,
  isLate: false,
  act,
});
const late = ({ invoice, lateMs }: Given, act: Act['act']): Act => ({
  atMs: lateMs,
  invoice,
  isLate: true,
  act,
});

const pays =
  ({ invoice }: Given, percent: number): Act['act'] =>
  (chain) =>
    chain.pay([to(invoice, part(invoice.terms.asked, percent))]);

const BEHAVIOURS: Record<string, { weight: number; acts: Behaviour }> = {
  nothing: { weight: 3, acts: () => [] },
  leftToOthers: {
    weight: 4,
    acts: ({ invoice, spare }) => {
      spare.push(invoice);
      return [];
    },
  },
  exactly: { weight: 6, acts: (given) => [soon(given, pays(given, 100))] },
  tooMuch: { weight: 2, acts: (given) => [soon(given, pays(given, 130))] },
  withinTolerance: { weight: 2, acts: (given) => [soon(given, paysPerMille(given, 991))] },
  belowTolerance: { weight: 2, acts: (given) => [soon(given, paysPerMille(given, 988))] },
  extended: { weight: 3, acts: extendsThenPays },
  tooLittle: { weight: 3, acts: (given) => [soon(given, pays(given, 70))] },
  inParts: {
    weight: 3,
    acts: (given) => [
      soon(given, pays(given, 40)),
      soon(given, pays(given, 70), given.random.integer(15_000)),
    ],
  },
  inOutputs: { weight: 2, acts: (given) => [soon(given, paysInOutputs(given, [50, 60]))] },
  severalInvoices: {
    weight: 2,
    acts: (given) => {
      const paid = [given.invoice, ...takeSpare(given.spare, 2, given.soonMs)];
      return [soon(given, (chain) => chain.pay(paid.map((each) => to(each, each.terms.asked))))];
    },
  },
  tooLate: { weight: 3, acts: (given) => [late(given, pays(given, 100))] },
  restTooLate: {
    weight: 2,
    acts: (given) => [soon(given, pays(given, 60)), late(given, pays(given, 40))],
  },
  again: { weight: 2, acts: (given) => [soon(given, pays(given, 100)), late(given, pays(given, 20))] },
  bumped: { weight: 3, acts: (given) => replacedSoon(given, 'same') },
  takenBack: { weight: 3, acts: (given) => replacedSoon(given, []) },
  sentElsewhere: {
    weight: 1,
    acts: (given) => {
      const others = takeSpare(given.spare, 1, given.soonMs + 10_000);
      return replacedSoon(
        given,
        others.map((other) => to(other, other.terms.asked)),
      );
    },
  },
  bumpedTooLate: { weight: 2, acts: (given) => replacedLate(given, 100) },
  raisedTooLate: { weight: 2, acts: (given) => replacedLate(given, 20) },
  forgotten: {
    weight: 1,
    acts: (given) => [
      soon(given, (chain) =>
        chain.pay([to(given.invoice, given.invoice.terms.asked)], { isForgotten: true }),
      ),
    ],
  },
  fromInside: {
    weight: 2,
    acts: (given) => [soon(given, (chain) => chain.pegOut(given.invoice.address, given.invoice.terms.asked))],
  },
};

function paysPerMille({ invoice }: Given, perMille: number): Act['act'] {
  const amount = (invoice.terms.asked * BigInt(perMille)) / 1000n;
  return (chain) => chain.pay([to(invoice, amount)]);
}

/** Asks for more time, and pays when the first time is over: in time all the same. */
function extendsThenPays(given: Given): Act[] {
  const { invoice, soonMs, lateMs } = given;
  return [
    soon({ ...given, soonMs }, () => invoice.extend()),
    { atMs: lateMs, invoice, isLate: false, act: pays(given, 100) },
  ];
}

function paysInOutputs({ invoice }: Given, percents: readonly number[]): Act['act'] {
  return (chain) => chain.pay(percents.map((percent) => to(invoice, part(invoice.terms.asked, percent))));
}

type Replacement = Parameters<ChainPayers['replace']>[1];

/** Replaced while it waits for a block. */
function replacedSoon(given: Given, payees: Replacement): Act[] {
  const first = afterwards();
  return [
    soon(given, async (chain) => first.keep(await payHeldBack(chain, given, 100))),
    soon(
      given,
      (chain) => first.use((txid) => replaceOrRelease(chain, txid, payees)),
      given.random.integer(6000),
    ),
  ];
}

/** Sent in time, kept out of blocks by its low fee, and raised to the whole sum when the time is over. */
function replacedLate(given: Given, percent: number): Act[] {
  const first = afterwards();
  const whole = [to(given.invoice, given.invoice.terms.asked)];
  return [
    soon(given, async (chain) => first.keep(await payHeldBack(chain, given, percent))),
    late(given, (chain) => first.use((txid) => replaceOrRelease(chain, txid, whole))),
  ];
}

function payHeldBack(chain: ChainPayers, { invoice }: Given, percent: number): Promise<string | null> {
  return chain.pay([to(invoice, part(invoice.terms.asked, percent))], { isHeldBack: true });
}

/** Where the replacement is refused, the first one is to be mined after all. */
async function replaceOrRelease(chain: ChainPayers, txid: string, payees: Replacement): Promise<void> {
  if ((await chain.replace(txid, payees)) === null) chain.release(txid);
}
