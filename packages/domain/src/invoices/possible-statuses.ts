import type { InvoiceStatus, InvoiceType } from '../contract/fields/primitives.ts';

/*
 * Which statuses of an invoice are right, by the specification and by what the best chain holds. It checks `invoice-status.ts`,
 * so it shares no code with it: a fault in one of the two shows as a difference.
 */

/** What an invoice asks for. Amounts in minimal units, times in epoch milliseconds. */
export type InvoiceTerms = {
  type: InvoiceType;
  /** Null for a donation without an amount. */
  expectedAmount: bigint | null;
  /** How much an order may be underpaid, in hundredths of a percent. */
  toleranceBps: number;
  confirmationsRequired: number;
  deadlineMs: number;
};

/** An output in a best-chain block that pays the invoice. */
export type MinedOutput = {
  amount: bigint;
  height: number;
  /** Whether it counts as seen before the deadline; null if the chain does not show that. */
  isInTime: boolean | null;
};

/** Facts besides the outputs. */
export type StatusEvidence = {
  tipHeight: number;
  /** Whether the deadline had passed at the decision; null if the times are too close to decide. */
  isOver: boolean | null;
  /** A payment is recorded that is in no block: a mempool or a double spend decides, which the chain does not show. */
  hasUnmined: boolean;
  /** An outcome was reported from payments that are no longer as deep in the chain; it is not withdrawn. */
  hasReported: boolean;
  /** A second source may still have to agree on the payments. */
  isWithheld: boolean;
};

const ALL: readonly InvoiceStatus[] = ['new', 'pending', 'confirmed', 'underpaid', 'expired', 'late_payment'];
const OUTCOMES = ALL.filter((status) => status !== 'new' && status !== 'pending');

/** With more outputs of unknown time every status counts as possible, because each one doubles the cases. */
const MAX_UNKNOWN = 8;

/** All correct statuses. Pure; the order of the outputs does not matter. */
export function possibleStatuses(
  terms: InvoiceTerms,
  outputs: readonly MinedOutput[],
  evidence: StatusEvidence,
): Set<InvoiceStatus> {
  const unknown = outputs.filter(({ isInTime }) => isInTime === null);
  if (unknown.length > MAX_UNKNOWN) return new Set(ALL);
  const [first] = unknown;
  const found =
    first === undefined
      ? new Set(statusesOf(terms, outputs, evidence))
      : [true, false].reduce(
          (all, isInTime) =>
            all.union(possibleStatuses(terms, replaced(outputs, first, { ...first, isInTime }), evidence)),
          new Set<InvoiceStatus>(),
        );
  return evidence.hasReported ? found.union(new Set(OUTCOMES)) : found;
}

function replaced(
  outputs: readonly MinedOutput[],
  old: MinedOutput,
  by: MinedOutput,
): readonly MinedOutput[] {
  return outputs.map((output) => (output === old ? by : output));
}

function statusesOf(
  terms: InvoiceTerms,
  outputs: readonly MinedOutput[],
  evidence: StatusEvidence,
): InvoiceStatus[] {
  const { isOver, hasUnmined, isWithheld } = evidence;
  const inTime = outputs.filter((output) => output.isInTime === true);
  const deep = outputs.filter(({ height }) => evidence.tipHeight - height + 1 >= terms.confirmationsRequired);
  const deepInTime = inTime.filter((output) => deep.includes(output));
  if (isFull(terms, sumOf(deepInTime))) return isWithheld ? ['pending', 'confirmed'] : ['confirmed'];
  const open = openStatuses(inTime.length > 0, hasUnmined);
  if (isOver === false) return open;
  const ended = endedStatuses({ inTime, deep, deepInTime, hasUnmined, isWithheld });
  return isOver === null ? [...open, ...ended] : ended;
}

function openStatuses(isPaid: boolean, hasUnmined: boolean): InvoiceStatus[] {
  if (isPaid) return ['pending'];
  return hasUnmined ? ['new', 'pending'] : ['new'];
}

/** The statuses after the deadline of an invoice that is not paid in full. */
function endedStatuses({
  inTime,
  deep,
  deepInTime,
  hasUnmined,
  isWithheld,
}: {
  inTime: readonly MinedOutput[];
  deep: readonly MinedOutput[];
  deepInTime: readonly MinedOutput[];
  hasUnmined: boolean;
  isWithheld: boolean;
}): InvoiceStatus[] {
  // A payment in time that is not deep enough is waited for.
  if (deepInTime.length < inTime.length) return ['pending'];
  const statuses = new Set<InvoiceStatus>();
  const hasLate = deep.length > deepInTime.length;
  if (hasLate) statuses.add('late_payment');
  if (!hasLate || isWithheld) statuses.add(inTime.length === 0 ? 'expired' : 'underpaid');
  if (hasUnmined || isWithheld) statuses.add('pending');
  return [...statuses];
}

/** Whether it is paid in full: an order by its amount less the tolerance, a donation by any amount. */
function isFull({ type, expectedAmount, toleranceBps }: InvoiceTerms, paid: bigint): boolean {
  if (paid <= 0n) return false;
  if (type === 'donation' || expectedAmount === null) return true;
  return (expectedAmount - paid) * 10_000n <= expectedAmount * BigInt(toleranceBps);
}

function sumOf(outputs: readonly MinedOutput[]): bigint {
  return outputs.reduce((sum, { amount }) => sum + amount, 0n);
}
