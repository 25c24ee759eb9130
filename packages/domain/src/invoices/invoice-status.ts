import { isDiscarded, isConfirmed, isInTime, outpointOf, totalOf } from './payment-facts.ts';
import type { PaymentFacts } from './payment-facts.ts';
import type { EventType, InvoiceStatus, InvoiceType } from '../contract/fields/primitives.ts';

export type { InvoiceStatus };

/** The facts about an invoice that the rules need. */
export type InvoiceFacts = {
  type: InvoiceType;
  status: InvoiceStatus;
  /** Minimal units; null for a donation without an amount. */
  expectedAmount: bigint | null;
  confirmationsRequired: number;
  /** Epoch milliseconds: `expires_at` plus the grace and postponements by a stale view. */
  deadlineMs: number;
  /**
   * The deadline for somebody to look at a donation, in epoch milliseconds; null or absent if somebody did, and for invoices
   * that are shown when they are created.
   */
  showByMs?: number | null;
  /** How much an order may be underpaid and still count as paid, in hundredths of a percent. */
  toleranceBps: number;
};

/** Our view of the chain. `isFresh` is false while it is stale. */
export type ChainView = { tipHeight: number; isFresh: boolean };

/** One applied row of the state table. */
export type StatusStep = {
  from: InvoiceStatus;
  to: InvoiceStatus;
  /** Null between `new` and `pending`, which are not reported. */
  event: EventType | null;
  /** The transaction of a late payment event; otherwise null. */
  txid: string | null;
  /** Outpoints that this step counts, so that no later step reports them again. */
  counted: string[];
};

/** The status of the invoice, whether a confirmed payment was reversed, and the steps in order. */
export type Decision = { status: InvoiceStatus; isReversed: boolean; steps: StatusStep[] };

/**
 * Decides the status of an invoice from its payments, the chain and the time. No other code chooses a status.
 *
 *     new  <->  pending                        a payment in time is not void / all are void before the deadline
 *     open  ->  confirmed                      the confirmed payments in time pay it in full
 *     open  ->  expired                        past the deadline: none in time, or all void and settled;
 *                                              never shown and never paid: two minutes after its creation
 *     open  ->  underpaid                      past the deadline: all valid ones in time are confirmed and too little
 *     expired, underpaid        ->  late_payment    a payment not counted in the outcome confirms
 *     confirmed, late_payment   ->  itself          a further transaction confirms that replaces none counted before
 *
 * Pure and total. The steps are applied until nothing changes: with their `counted` outpoints marked as counted, deciding again
 * gives the same status and no steps. `expired` and `underpaid` wait for a fresh view of the chain.
 */
export function decideInvoiceStatus(
  invoice: InvoiceFacts,
  payments: readonly PaymentFacts[],
  chain: ChainView,
  nowMs: number,
): Decision {
  const first = openStep(invoice, payments, chain, nowMs);
  const countedNow = new Set(first?.counted);
  const counted = payments.filter((payment) => payment.isCounted || countedNow.has(outpointOf(payment)));
  const deep = payments.filter((p) => isConfirmed(p, chain.tipHeight, invoice.confirmationsRequired));
  const late = lateSteps(first?.to ?? invoice.status, deep.filter(isBelieved), counted);
  const steps = first === null ? late : [first, ...late];
  return {
    status: steps.at(-1)?.to ?? invoice.status,
    isReversed: isReversed(counted, deep),
    steps,
  };
}

/**
 * Whether an amount pays the invoice: an order by `expectedAmount` less the tolerance, a donation by anything above zero,
 * whatever it asked for.
 */
export function isPaidInFull(
  invoice: Pick<InvoiceFacts, 'type' | 'expectedAmount' | 'toleranceBps'>,
  amount: bigint,
): boolean {
  if (invoice.type === 'donation' || invoice.expectedAmount === null) return amount > 0n;
  return amount > 0n && amount * 10_000n >= invoice.expectedAmount * BigInt(10_000 - invoice.toleranceBps);
}

/**
 * Until when an open invoice waits, in epoch milliseconds: its deadline, or earlier if nobody has seen its address. Once any
 * payment is recorded, void or not, only the deadline counts. Pure.
 */
export function openUntil(
  { deadlineMs, showByMs = null }: Pick<InvoiceFacts, 'deadlineMs' | 'showByMs'>,
  payments: readonly unknown[],
): number {
  return showByMs === null || payments.length > 0 ? deadlineMs : Math.min(deadlineMs, showByMs);
}

/** Whether the invoice still waits for its outcome. The other statuses are outcomes, which are never withdrawn. */
export function isOpen(status: InvoiceStatus): boolean {
  return status === 'new' || status === 'pending';
}

/** The step of an invoice without an outcome; rows from `pending` also apply from `new`. */
function openStep(
  invoice: InvoiceFacts,
  payments: readonly PaymentFacts[],
  chain: ChainView,
  nowMs: number,
): StatusStep | null {
  if (!isOpen(invoice.status)) return null;
  const inTime = payments.filter((payment) => isInTime(payment, invoice.deadlineMs));
  const standing = inTime.filter((payment) => !isDiscarded(payment));
  const confirmed = standing
    .filter((p) => isConfirmed(p, chain.tipHeight, invoice.confirmationsRequired))
    .filter(isBelieved);
  const isOver = nowMs > openUntil(invoice, payments);

  if (isPaidInFull(invoice, totalOf(confirmed))) return outcome(invoice, 'confirmed', confirmed);
  // On a stale view, the payer's transaction may exist without having been read.
  if (isOver && chain.isFresh) {
    if (inTime.every(isLost)) return outcome(invoice, 'expired', []);
    if (standing.length > 0 && standing.length === confirmed.length) {
      return outcome(invoice, 'underpaid', confirmed);
    }
  }
  // Before the deadline only a payment that is not void makes it pending; afterwards even a void one does, because its conflict
  // may still lose. So the status depends on the facts alone, never on the order in which we learned them.
  const waiting = standing.length > 0 || (isOver && inTime.length > 0) ? 'pending' : 'new';
  if (waiting === invoice.status) return null;
  return { from: invoice.status, to: waiting, event: null, txid: null, counted: [] };
}

function outcome(
  invoice: InvoiceFacts,
  to: 'confirmed' | 'expired' | 'underpaid',
  counted: readonly PaymentFacts[],
): StatusStep {
  return { from: invoice.status, to, event: OUTCOME_EVENT[to], txid: null, counted: counted.map(outpointOf) };
}

const OUTCOME_EVENT = {
  confirmed: 'invoice.confirmed',
  expired: 'invoice.expired',
  underpaid: 'invoice.underpaid',
} as const;

/** Whether an outcome may follow from the payment. A withheld payment still shows that the money is there. */
function isBelieved({ isWithheld = false }: PaymentFacts): boolean {
  return !isWithheld;
}

/** Void, and only a reorganisation could restore it. */
function isLost(payment: PaymentFacts): boolean {
  return isDiscarded(payment) && payment.conflictsSettled;
}

/** One step for each transaction that confirmed besides the counted ones, lowest block first, then by txid. */
function lateSteps(
  reached: InvoiceStatus,
  confirmed: readonly PaymentFacts[],
  counted: readonly PaymentFacts[],
): StatusStep[] {
  if (isOpen(reached)) return [];
  const countedOutpoints = new Set(counted.map(outpointOf));
  const spent = new Set(counted.flatMap((payment) => payment.spends));
  const countedTxids = new Set(counted.map((payment) => payment.txid));
  const further = confirmed.filter((payment) => !countedOutpoints.has(outpointOf(payment)));
  const steps: StatusStep[] = [];
  let from = reached;
  for (const [txid, outputs] of byTransaction(further)) {
    const inputs = outputs.flatMap((payment) => payment.spends);
    const isReplacement = countedTxids.has(txid) || inputs.some((input) => spent.has(input));
    // A fee bump of a reported payment is no new payment. After `expired` and `underpaid` it is reported nevertheless: these
    // events said that the invoice was not paid.
    if (isReplacement && (from === 'confirmed' || from === 'late_payment')) continue;
    const to = from === 'confirmed' ? 'confirmed' : 'late_payment';
    steps.push({ from, to, event: 'invoice.late_payment', txid, counted: outputs.map(outpointOf) });
    for (const input of inputs) spent.add(input);
    from = to;
  }
  return steps;
}

/**
 * Whether reported money was reversed: a counted payment is void and its conflict is in a block. If a confirmed transaction
 * that shares an input pays this invoice at least as much as everything it displaced (a fee bump confirmed on the other branch
 * of a reorganisation), the money is there and nothing is reversed.
 */
function isReversed(counted: readonly PaymentFacts[], confirmed: readonly PaymentFacts[]): boolean {
  const lost = byTransaction(counted.filter(isLost));
  const present = byTransaction(confirmed);
  return lost.some(
    ([, gone]) => !present.some(([, came]) => shareInput(came, gone) && makesGood(came, lost)),
  );
}

function makesGood(came: readonly PaymentFacts[], lost: readonly TransactionPayments[]): boolean {
  const displaced = lost.filter(([, gone]) => shareInput(came, gone)).flatMap(([, gone]) => gone);
  return totalOf(came) >= totalOf(displaced);
}

function shareInput(a: readonly PaymentFacts[], b: readonly PaymentFacts[]): boolean {
  const inputs = new Set(a.flatMap((payment) => payment.spends));
  return b.some((payment) => payment.spends.some((input) => inputs.has(input)));
}

type TransactionPayments = readonly [txid: string, outputs: PaymentFacts[]];

/** Payments grouped by transaction, in an order that depends on the chain alone. */
function byTransaction(payments: readonly PaymentFacts[]): TransactionPayments[] {
  const groups = new Map<string, PaymentFacts[]>();
  for (const payment of payments) {
    const outputs = groups.get(payment.txid) ?? [];
    outputs.push(payment);
    groups.set(payment.txid, outputs);
  }
  return [...groups].toSorted(([a, [x]], [b, [y]]) => {
    const byHeight = (x?.blockHeight ?? 0) - (y?.blockHeight ?? 0);
    return byHeight === 0 ? (a < b ? -1 : 1) : byHeight;
  });
}
