import type { InvoiceView } from '@paywatch/domain/contract';
import { coinText } from '../../../money/amounts.ts';
import { Moment } from '../../../ui/moment.tsx';
import { useSignedInAccount } from '../../app/account-context.ts';
import { Badge, PaymentBadge } from '../../parts/badge.tsx';
import { Empty } from '../../parts/panel.tsx';
import { Table } from '../../parts/table.tsx';

/** The payments of an invoice: one row per output that pays its address. */
export function PaymentTable({ invoice }: { invoice: InvoiceView }) {
  const { texts, language } = useSignedInAccount();
  if (invoice.payments.length === 0) return <Empty>{texts.invoice.noPayments}</Empty>;
  return (
    <Table
      label={texts.invoice.payments}
      testId="payment-table"
      rows={invoice.payments}
      keyOf={({ txid, vout }) => `${txid}:${vout}`}
      columns={[
        [
          'txid',
          ({ txid, vout }) => (
            <code
              dir="ltr"
              title={`${txid}:${vout}`}
            >{`${txid.slice(0, 10)}…${txid.slice(-6)}:${vout}`}</code>
          ),
        ],
        [
          texts.invoices.columns.amount,
          ({ amount }) => <bdi dir="ltr">{coinText(amount, invoice.currency)}</bdi>,
        ],
        [
          texts.invoice.fields.confirmations,
          ({ confirmations, status, late }) => (
            <>
              {`${confirmations} / ${invoice.confirmations_required}`}{' '}
              <PaymentBadge status={status} confirmations={confirmations} />{' '}
              {late ? <Badge tone="act">{texts.statuses.late_payment}</Badge> : null}
            </>
          ),
        ],
        [texts.invoice.seen, ({ first_seen_at: at }) => <Moment at={at} language={language} />],
      ]}
    />
  );
}
