import type { PublicInvoiceView } from '@paywatch/domain/contract';
import type { Language } from '../../ui/language.ts';
import type { PayTexts } from '../texts/pay-en.ts';
import { Notice } from '../../ui/notice.tsx';
import { timeOfDay } from '../../ui/moment.tsx';
import { Countdown } from './countdown.tsx';
import type { Connection } from '../follow-invoice.ts';
import { isPayable, payStage, type PayStage } from '../pay-stage.ts';
import { stageText } from '../stage-text.ts';
import { PaymentDetails } from './payment-details.tsx';
import { OutcomeIcon, PaymentOutcome } from './payment-outcome.tsx';
import { PaymentRequest } from './payment-request.tsx';

export type PayViewProps = {
  invoice: PublicInvoiceView;
  /** The estimated time of the server's clock. */
  nowMs: number;
  connection: Connection;
  language: Language;
  texts: PayTexts;
  /** Returns to the donation form; undefined for orders. */
  onDonateAgain?: () => void;
  /** Whether the page was open before the invoice was paid. */
  wasWatched?: boolean;
};

/** The payment page as rendered on the server and in the browser. */
export function PayView(props: PayViewProps) {
  const { invoice, nowMs, texts } = props;
  const stage = payStage(invoice, nowMs);
  const canPay = isPayable(stage);
  return (
    <article
      class="card pay"
      data-testid="pay"
      data-stage={stage}
      data-payable={canPay}
      data-currency={invoice.currency}
    >
      <PayHead invoice={invoice} texts={texts} />
      <Notices {...props} />
      {canPay ? (
        <PaymentRequest isRemainder={stage === 'partial'} {...props} />
      ) : (
        <OutcomeIcon stage={stage} />
      )}
      <StatusLine stage={stage} {...props} />
      {canPay ? null : <PaymentOutcome stage={stage} {...props} />}
      <PaymentDetails {...props} />
    </article>
  );
}

function PayHead({ invoice, texts }: Pick<PayViewProps, 'invoice' | 'texts'>) {
  const fallback = invoice.type === 'donation' ? texts.donation : texts.payment;
  return (
    <header class="pay__head">
      <h1 class="pay__name" dir="auto" data-testid="project-name">
        {invoice.project_name ?? fallback}
      </h1>
      <span class="coin">{invoice.currency}</span>
    </header>
  );
}

function Notices({ invoice, connection, language, texts }: PayViewProps) {
  return (
    <>
      {invoice.network === 'mainnet' ? null : (
        <Notice tone="calm" testId="test-network">
          {texts.testNetwork(invoice.network)}
        </Notice>
      )}
      {invoice.chain_delayed ? (
        <Notice tone="waiting" icon="clock" testId="chain-delayed">
          {texts.chainDelayed}
        </Notice>
      ) : null}
      {connection.isLost ? (
        <Notice tone="waiting" icon="clock" testId="reconnecting">
          {texts.reconnecting(timeOfDay(connection.updatedAtMs, language))}
        </Notice>
      ) : null}
      {invoice.reversed && invoice.status !== 'confirmed' ? (
        <Notice tone="act" testId="reversed">
          {texts.stages.reversed.detail}
        </Notice>
      ) : null}
    </>
  );
}

/** The text of the stage. It stays mounted as a live region, so that screen readers announce its changes. */
function StatusLine({ stage, invoice, nowMs, texts }: PayViewProps & { stage: PayStage }) {
  const { title, detail, tone } = stageText(texts, stage, invoice);
  return (
    <div class="status" data-tone={tone}>
      <p class="status__words" role="status" data-testid="status">
        <strong class="status__title">{title}</strong>
        {detail === '' ? null : <span class="status__detail"> {detail}</span>}
      </p>
      {isPayable(stage) ? (
        <Countdown
          createdAt={invoice.created_at}
          expiresAt={invoice.expires_at}
          nowMs={nowMs}
          texts={texts}
        />
      ) : null}
    </div>
  );
}
