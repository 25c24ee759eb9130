import type { InvoiceView } from '@paywatch/domain/contract';
import { coinText } from '../../../money/amounts.ts';
import { Moment } from '../../../ui/moment.tsx';
import { useSignedInAccount } from '../../app/account-context.ts';
import { Table } from '../../parts/table.tsx';

/** Donations with their messages, in the given order. */
export function DonationTable({ donations }: { donations: readonly InvoiceView[] }) {
  const { texts, language } = useSignedInAccount();
  const { columns, anonymous, recent } = texts.donations;
  return (
    <Table
      label={recent}
      testId="donation-table"
      rows={donations}
      keyOf={({ public_id: id }) => id}
      columns={[
        [
          columns.from,
          ({ public_id: id, donor_name: name }) => (
            <a class="link" href={`/account/invoices/${id}`}>
              <bdi class="clamped">{name ?? anonymous}</bdi>
            </a>
          ),
        ],
        [columns.message, ({ donor_message: message }) => (message === null ? null : <bdi>{message}</bdi>)],
        [
          columns.amount,
          ({ confirmed_amount: amount, currency }) => <bdi dir="ltr">{coinText(amount, currency)}</bdi>,
        ],
        [columns.time, ({ created_at: at }) => <Moment at={at} language={language} />],
      ]}
    />
  );
}
