import type { EventView, InvoiceStatus, PaymentView } from '@paywatch/domain/contract';
import type { ComponentChildren } from 'preact';
import { useAccount } from '../app/account-context.ts';

/** The urgency of a state. */
export type Tone = 'calm' | 'open' | 'waiting' | 'done' | 'act';

const STATUS_TONES: Readonly<Record<InvoiceStatus, Tone>> = {
  new: 'open',
  pending: 'waiting',
  confirmed: 'done',
  underpaid: 'act',
  expired: 'calm',
  late_payment: 'act',
};
const DELIVERY_TONES: Readonly<Record<EventView['delivery']['status'], Tone>> = {
  pending: 'waiting',
  delivered: 'done',
  failed: 'act',
  unsent: 'calm',
};

/** A state as a colored label. The text alone is sufficient, so color is not the only cue. */
export function Badge({
  tone,
  testId,
  children,
}: {
  tone: Tone;
  testId?: string;
  children: ComponentChildren;
}) {
  return (
    <span class="badge" data-tone={tone} data-testid={testId}>
      {children}
    </span>
  );
}

/** The status of an invoice as a badge. */
export function StatusBadge({ status }: { status: InvoiceStatus }) {
  const { texts } = useAccount();
  return (
    <Badge tone={STATUS_TONES[status]} testId="status">
      {texts.statuses[status]}
    </Badge>
  );
}

/** The delivery status of an event as a badge. */
export function DeliveryBadge({ status }: { status: EventView['delivery']['status'] }) {
  const { texts } = useAccount();
  return (
    <Badge tone={DELIVERY_TONES[status]} testId="delivery">
      {texts.deliveries[status]}
    </Badge>
  );
}

const PAYMENT_TONES = {
  unconfirmed: 'waiting',
  confirming: 'waiting',
  confirmed: 'done',
  void: 'act',
} as const;

/** The status of a payment as a badge; one in a block is no longer called unconfirmed. */
export function PaymentBadge({ status, confirmations }: Pick<PaymentView, 'status' | 'confirmations'>) {
  const { texts } = useAccount();
  const state = status === 'unconfirmed' && confirmations > 0 ? 'confirming' : status;
  return <Badge tone={PAYMENT_TONES[state]}>{texts.payments[state]}</Badge>;
}
