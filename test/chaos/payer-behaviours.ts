import type { SeededRandom } from '@paywatch/dev';
import type { ChainPayers } from './chain-payers.ts';
import type { Sold } from './chain-stage.ts';

/** Something that a payer does at its time. */
export type Act = { atMs: number; act: (chain: ChainPayers) => Promise<unknown> };

/** How far from the end of the time to pay what is to be in time, or late, happens. */
const MARGIN_MS = 7000;

type Given = {
  invoice: Sold;
  /** Invoices that nobody else pays, to be taken out by who does. */
  spare: Sold[];
  random: SeededRandom;
  soonMs: number;
  lateMs: number;
};
type Behaviour = (given: Given) => Act[];

/**
 * What one payer will do about an invoice, chosen at random. `spare` are invoices that their payers left alone: one who pays
 * several invoices at once takes from them, so that nobody pays what is paid already, too shortly after to tell.
 */
export function behave(invoice: Sold, spare: Sold[], random: SeededRandom, nowMs: number): Act[] {
  const { earliest } = invoice.terms.deadlineMs;
  const soonMs = nowMs + 300 + random.integer(25_000);
  const lateMs = earliest + MARGIN_MS + random.integer(6000);
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
  const open = spare.filter(({ terms }) => terms.deadlineMs.earliest > soonMs + 2 * MARGIN_MS);
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

const pays = (atMs: number, invoice: Sold, percent: number): Act => ({
  atMs,
  act: (chain) => chain.pay([to(invoice, part(invoice.terms.asked, percent))]),
});

const BEHAVIOURS: Record<string, { weight: number; acts: Behaviour }> = {
  nothing: { weight: 3, acts: () => [] },
  leftToOthers: {
    weight: 4,
    acts: ({ invoice, spare }) => {
      spare.push(invoice);
      return [];
    },
  },
  exactly: { weight: 6, acts: ({ invoice, soonMs }) => [pays(soonMs, invoice, 100)] },
  tooMuch: { weight: 2, acts: ({ invoice, soonMs }) => [pays(soonMs, invoice, 130)] },
  tooLittle: { weight: 3, acts: ({ invoice, soonMs }) => [pays(soonMs, invoice, 70)] },
  inParts: {
    weight: 3,
    acts: ({ invoice, soonMs, random }) => [
      pays(soonMs, invoice, 40),
      pays(soonMs + random.integer(15_000), invoice, 70),
    ],
  },
  inOutputs: {
    weight: 2,
    acts: ({ invoice, soonMs }) => [
      {
        atMs: soonMs,
        act: (chain) =>
          chain.pay([to(invoice, part(invoice.terms.asked, 50)), to(invoice, part(invoice.terms.asked, 60))]),
      },
    ],
  },
  severalInvoices: {
    weight: 2,
    acts: ({ invoice, spare, soonMs }) => {
      const paid = [invoice, ...takeSpare(spare, 2, soonMs)];
      return [{ atMs: soonMs, act: (chain) => chain.pay(paid.map((each) => to(each, each.terms.asked))) }];
    },
  },
  tooLate: { weight: 3, acts: ({ invoice, lateMs }) => [pays(lateMs, invoice, 100)] },
  restTooLate: {
    weight: 2,
    acts: ({ invoice, soonMs, lateMs }) => [pays(soonMs, invoice, 60), pays(lateMs, invoice, 40)],
  },
  again: {
    weight: 2,
    acts: ({ invoice, soonMs, lateMs }) => [pays(soonMs, invoice, 100), pays(lateMs, invoice, 20)],
  },
  bumped: { weight: 3, acts: (given) => replacedSoon(given, 'same') },
  takenBack: { weight: 3, acts: (given) => replacedSoon(given, []) },
  sentElsewhere: {
    weight: 1,
    acts: (given) =>
      replacedSoon(
        given,
        takeSpare(given.spare, 1, given.soonMs + 10_000).map((other) => to(other, other.terms.asked)),
      ),
  },
  bumpedTooLate: { weight: 2, acts: (given) => replacedLate(given, 100) },
  raisedTooLate: { weight: 2, acts: (given) => replacedLate(given, 20) },
  forgotten: {
    weight: 1,
    acts: ({ invoice, soonMs }) => [
      { atMs: soonMs, act: (chain) => chain.pay([to(invoice, invoice.terms.asked)], { isForgotten: true }) },
    ],
  },
  fromInside: {
    weight: 2,
    acts: ({ invoice, soonMs }) => [
      { atMs: soonMs, act: (chain) => chain.pegOut(invoice.address, invoice.terms.asked) },
    ],
  },
};

/** Replaced while it waits for a block. */
function replacedSoon(
  { invoice, soonMs, random }: Given,
  payees: Parameters<ChainPayers['replace']>[1],
): Act[] {
  const first = afterwards();
  return [
    {
      atMs: soonMs,
      act: async (chain) =>
        first.keep(await chain.pay([to(invoice, invoice.terms.asked)], { isHeldBack: true })),
    },
    {
      atMs: soonMs + random.integer(6000),
      act: (chain) => first.use((txid) => chain.replace(txid, payees)),
    },
    // Where the replacement was refused.
    { atMs: soonMs + 10_000, act: (chain) => first.use(async (txid) => chain.release(txid)) },
  ];
}

/** Sent in time, kept out of blocks by its low fee, and raised to the whole sum when the time is over. */
function replacedLate({ invoice, soonMs, lateMs }: Given, percent: number): Act[] {
  const first = afterwards();
  const { asked } = invoice.terms;
  return [
    {
      atMs: soonMs,
      act: async (chain) =>
        first.keep(await chain.pay([to(invoice, part(asked, percent))], { isHeldBack: true })),
    },
    { atMs: lateMs, act: (chain) => first.use((txid) => chain.replace(txid, [to(invoice, asked)])) },
    { atMs: lateMs + 3000, act: (chain) => first.use(async (txid) => chain.release(txid)) },
  ];
}
