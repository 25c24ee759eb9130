import type { UnassignedPaymentView } from '@paywatch/domain/contract';
import { coinText } from '../../../money/amounts.ts';
import { AddressText } from '../../../ui/address-text.tsx';
import { Moment } from '../../../ui/moment.tsx';
import { useSignedInAccount } from '../../app/account-context.ts';
import { PaymentBadge } from '../../parts/badge.tsx';
import { LoadMoreButton } from '../../parts/load-more-button.tsx';
import { Panel } from '../../parts/panel.tsx';
import { Table } from '../../parts/table.tsx';
import { usePages } from '../../api/use-pages.ts';

/** Payments that belong to no invoice. Renders nothing if there are none. */
export function UnassignedPanel() {
  const { api, texts } = useSignedInAccount();
  const pages = usePages((cursor) => api.listUnassignedPayments({ limit: '10', cursor }), [api]);
  const words = texts.wallets.unassigned;
  if (pages.value === null || pages.value.length === 0) return null;
  return (
    <Panel title={words.heading} testId="unassigned-payments">
      <p class="quiet">{words.why}</p>
      <UnassignedTable payments={pages.value} />
      <LoadMoreButton pages={pages} />
    </Panel>
  );
}

function UnassignedTable({ payments }: { payments: readonly UnassignedPaymentView[] }) {
  const { texts, language } = useSignedInAccount();
  const words = texts.wallets.unassigned;
  return (
    <Table
      label={words.heading}
      testId="unassigned-table"
      rows={payments}
      keyOf={({ txid, vout }) => `${txid}:${vout}`}
      columns={[
        [words.address, ({ address }) => <AddressText address={address} />],
        [
          texts.invoices.columns.amount,
          ({ amount, currency }) => <bdi dir="ltr">{coinText(amount, currency)}</bdi>,
        ],
        [
          texts.invoice.fields.confirmations,
          ({ confirmations, status }) => (
            <>
              {confirmations} <PaymentBadge status={status} confirmations={confirmations} />
            </>
          ),
        ],
        [texts.invoice.seen, ({ first_seen_at: at }) => <Moment at={at} language={language} />],
      ]}
    />
  );
}
