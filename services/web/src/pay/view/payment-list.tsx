import type { PaymentView, PublicInvoiceView } from '@paywatch/domain/contract';
import { coinText } from '../../money/amounts.ts';
import type { Language } from '../../ui/language.ts';
import type { PayTexts } from '../texts/pay-en.ts';
import { Icon } from '../../ui/icons.tsx';
import { Moment } from '../../ui/moment.tsx';

type PaymentListProps = { invoice: PublicInvoiceView; language: Language; texts: PayTexts };

/** The transactions that pay the invoice, linked to a block explorer where one covers the network. */
export function PaymentList({ invoice, language, texts }: PaymentListProps) {
  if (invoice.payments.length === 0) return null;
  return (
    <ul class="payments" data-testid="payments" aria-label={texts.detail.transactions}>
      {invoice.payments.map((payment) => (
        <PaymentRow key={`${payment.txid}:${payment.vout}`} {...{ payment, invoice, language, texts }} />
      ))}
    </ul>
  );
}

function PaymentRow({ payment, invoice, language, texts }: PaymentListProps & { payment: PaymentView }) {
  const { txid, amount, status, late, confirmations } = payment;
  return (
    <li class="payments__row" data-status={status}>
      <TransactionLink txid={txid} explorerUrl={invoice.explorer_url} />
      <bdi dir="ltr">{coinText(amount, invoice.currency)}</bdi>
      <span class="payments__state">
        {status === 'unconfirmed' && confirmations > 0
          ? texts.steps(confirmations, invoice.confirmations_required)
          : texts.paymentStatus[status]}
        {late ? `, ${texts.paymentStatus.late}` : ''}
      </span>
      <Moment at={payment.first_seen_at} language={language} />
    </li>
  );
}

function TransactionLink({ txid, explorerUrl }: { txid: string; explorerUrl: string | null }) {
  const short = (
    <code dir="ltr" translate={false} title={txid}>{`${txid.slice(0, 8)}…${txid.slice(-8)}`}</code>
  );
  if (explorerUrl === null) return short;
  return (
    <a class="payments__link" href={`${explorerUrl}/tx/${txid}`} target="_blank" rel="noreferrer">
      {short}
      <Icon name="link" />
    </a>
  );
}
