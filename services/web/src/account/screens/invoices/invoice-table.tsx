import type { InvoiceView } from '@paywatch/domain/contract';
import { coinText } from '../../../money/amounts.ts';
import { priceText } from '../../../money/fiat.ts';
import { Moment } from '../../../ui/moment.tsx';
import { useSignedInAccount } from '../../app/account-context.ts';
import { Badge, StatusBadge } from '../../parts/badge.tsx';
import { Table } from '../../parts/table.tsx';

/** A table of invoices in the given order. */
export function InvoiceTable({ invoices, label }: { invoices: readonly InvoiceView[]; label: string }) {
  const { texts, language } = useSignedInAccount();
  const { columns } = texts.invoices;
  return (
    <Table
      label={label}
      testId="invoice-table"
      rows={invoices}
      keyOf={(invoice) => invoice.public_id}
      columns={[
        [
          columns.order,
          (invoice) => (
            <a class="link" href={`/account/invoices/${invoice.public_id}`} data-testid={invoice.public_id}>
              <bdi class="clamped">{invoice.order_id ?? invoice.donor_name ?? texts.types[invoice.type]}</bdi>
            </a>
          ),
        ],
        [
          columns.amount,
          ({ expected_amount: requested, currency, price }) =>
            requested === null ? (
              texts.invoices.anyAmount
            ) : (
              <>
                <bdi dir="ltr">{coinText(requested, currency)}</bdi>
                {price === null ? null : (
                  <bdi class="quiet" dir="ltr">
                    {' '}
                    {priceText(price, language)}
                  </bdi>
                )}
              </>
            ),
        ],
        [
          columns.received,
          ({ received_amount: received, currency, accepted_in_fiat: worth }) =>
            received === '0' ? (
              '–'
            ) : (
              <>
                <bdi dir="ltr">{coinText(received, currency)}</bdi>
                {worth === null ? null : (
                  <bdi class="quiet" dir="ltr">
                    {' '}
                    {priceText(worth, language)}
                  </bdi>
                )}
              </>
            ),
        ],
        [
          columns.status,
          (invoice) => (
            <>
              <StatusBadge status={invoice.status} />{' '}
              {invoice.reversed ? <Badge tone="act">{texts.invoices.reversedBadge}</Badge> : null}
            </>
          ),
        ],
        [columns.created, (invoice) => <Moment at={invoice.created_at} language={language} />],
      ]}
    />
  );
}
