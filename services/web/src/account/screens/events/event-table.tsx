import type { EventView } from '@paywatch/domain/contract';
import { Moment } from '../../../ui/moment.tsx';
import { useSignedInAccount } from '../../app/account-context.ts';
import { Badge, DeliveryBadge } from '../../parts/badge.tsx';
import { Table } from '../../parts/table.tsx';

/** A table of events with their delivery status. */
export function EventTable({ events }: { events: readonly EventView[] }) {
  const { texts, language } = useSignedInAccount();
  const { columns } = texts.webhooks;
  return (
    <Table
      label={texts.webhooks.log}
      testId="event-table"
      rows={events}
      keyOf={({ id }) => id}
      columns={[
        [
          columns.event,
          (event) => (
            <>
              <a class="link" href={`/account/webhooks/${event.id}`} data-testid={`event-${event.id}`}>
                {texts.events[event.type]}
              </a>{' '}
              {event.test ? <Badge tone="calm">{texts.webhooks.testBadge}</Badge> : null}
            </>
          ),
        ],
        [columns.invoice, (event) => <InvoiceLink event={event} />],
        [
          columns.delivery,
          ({ delivery }) => (
            <>
              <DeliveryBadge status={delivery.status} />{' '}
              <span class="quiet">{texts.webhooks.attempts(delivery.attempt_count)}</span>
            </>
          ),
        ],
        [columns.time, (event) => <Moment at={event.created_at} language={language} />],
      ]}
    />
  );
}

/** Links to the event's invoice; the invoice of a test event does not exist. */
function InvoiceLink({ event }: { event: EventView }) {
  const id = <code dir="ltr">{`${event.public_id.slice(0, 12)}…`}</code>;
  if (event.test) return id;
  return (
    <a class="link" href={`/account/invoices/${event.public_id}`}>
      {id}
    </a>
  );
}
