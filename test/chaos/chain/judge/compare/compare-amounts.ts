import type { Terms } from '../decide-from-history.ts';
import type { OwnerView, ShownPayment } from '../../../lease/owner-view.ts';
import { isFullAmount, paymentUriOf } from '../../../spec/spec-terms.ts';

/**
 * The differences between the sums of a view and the sums over its payments. `isAsking`: whether a payment sent now would be in
 * time; null if that is uncertain.
 */
export function compareAmounts(terms: Terms, view: OwnerView, isAsking: boolean | null): string[] {
  const standing = view.payments.filter(({ status }) => status !== 'void');
  const received = sumOf(standing);
  const confirmed = sumOf(standing.filter(({ status }) => status === 'confirmed'));
  const overpaid = terms.asked > 0n && confirmed > terms.asked ? confirmed - terms.asked : 0n;
  const expected = {
    received_amount: String(received),
    confirmed_amount: String(confirmed),
    overpaid_amount: String(overpaid),
    confirmations: coveredDepth(terms, view.status, standing),
  };
  const differences = Object.entries(expected).flatMap(([name, right]) => {
    const shown = view[name as keyof typeof expected];
    return shown === right ? [] : [`${name} ${String(shown)}, right is ${String(right)}`];
  });
  return [...differences, ...compareRequest(terms, view, received, isAsking)];
}

/** The due amount and the payment URI. Both answers are right if the deadline is uncertain. */
function compareRequest(terms: Terms, view: OwnerView, received: bigint, isAsking: boolean | null): string[] {
  const possible = isAsking === null ? [true, false] : [isAsking];
  const right = possible.map((asks) => requestOf(terms, view, received, asks));
  const shown = { due_amount: view.due_amount, payment_uri: view.payment_uri };
  const isRight = right.some((each) => JSON.stringify(each) === JSON.stringify(shown));
  return isRight ? [] : [`${JSON.stringify(shown)}, right is ${JSON.stringify(right)}`];
}

function requestOf(
  terms: Terms,
  { currency, address }: OwnerView,
  received: bigint,
  isAsking: boolean,
): Pick<OwnerView, 'due_amount' | 'payment_uri'> {
  const asksForSum = terms.asked > 0n;
  if (!isAsking || isFullAmount(terms, received))
    return { due_amount: asksForSum ? '0' : null, payment_uri: null };
  // A donation is paid by anything; only an order can be short.
  const due = asksForSum ? terms.asked - received : null;
  return { due_amount: due === null ? null : String(due), payment_uri: paymentUriOf(currency, address, due) };
}

/** How deep the shallowest payment is that is needed, the deepest taken first. */
function coveredDepth(terms: Terms, status: OwnerView['status'], standing: readonly ShownPayment[]): number {
  let covered = 0n;
  const counting = standing.filter(({ late }) => !late || status === 'late_payment');
  for (const { amount, confirmations } of counting.toSorted((a, b) => b.confirmations - a.confirmations)) {
    covered += BigInt(amount);
    if (isFullAmount(terms, covered)) return confirmations;
  }
  return 0;
}

/** The sum of payments, in minimal units. */
export function sumOf(payments: readonly { amount: string }[]): bigint {
  return payments.reduce((total, { amount }) => total + BigInt(amount), 0n);
}
