import type { EventView, InvoiceStatus } from '@paywatch/domain/contract';
import type { ComponentChildren } from 'preact';
import { useAccount } from '../app/account-context.ts';

/** How much a state wants of its reader. */
export type Tone = 'calm' | 'waiting' | 'done' | 'act';

const STATUS_TONES: Readonly<Record<InvoiceStatus, Tone>> = {
  new: 'calm',
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

/** A state in one word; the colour only repeats it. */
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

/** The state of an invoice. */
export function StatusBadge({ status }: { status: InvoiceStatus }) {
  const { texts } = useAccount();
  return (
    <Badge tone={STATUS_TONES[status]} testId="status">
      {texts.statuses[status]}
    </Badge>
  );
}

/** Where the delivery of an event stands. */
export function DeliveryBadge({ status }: { status: EventView['delivery']['status'] }) {
  const { texts } = useAccount();
  return (
    <Badge tone={DELIVERY_TONES[status]} testId="delivery">
      {texts.deliveries[status]}
    </Badge>
  );
}
