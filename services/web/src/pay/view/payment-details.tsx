import { COINS } from '@paywatch/domain/coins';
import type { FeeView, PublicInvoiceView } from '@paywatch/domain/contract';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { coinText } from '../../money/amounts.ts';
import { priceText, rateText } from '../../money/fiat.ts';
import type { Language } from '../../ui/language.ts';
import type { PayTexts } from '../texts/pay-en.ts';
import { Icon } from '../../ui/icons.tsx';
import { Moment } from '../../ui/moment.tsx';
import { minutesFor } from '../block-time.ts';
import { fetchFee } from '../fetch-public.ts';
import { isPayable, payStage } from '../pay-stage.ts';

type PaymentDetailsProps = { invoice: PublicInvoiceView; nowMs: number; language: Language; texts: PayTexts };

/** Collapsible details of the invoice. Works without JavaScript, except for the fee estimate. */
export function PaymentDetails({ invoice, nowMs, language, texts }: PaymentDetailsProps) {
  const [fee, setFee] = useState<FeeView | null>(null);
  const canPay = isPayable(payStage(invoice, nowMs));
  const loadFee = () => {
    if (canPay && fee === null) void fetchFee(invoice.currency).then(setFee);
  };
  return (
    <details class="details" data-testid="details" onToggle={loadFee}>
      <summary>{texts.details}</summary>
      <dl class="facts">
        <AmountFacts invoice={invoice} texts={texts} />
        <PriceFacts invoice={invoice} language={language} texts={texts} />
        <Fact label={texts.detail.network}>
          {COINS[invoice.currency].name} ({invoice.network})
        </Fact>
        <Fact label={texts.detail.created}>
          <Moment at={invoice.created_at} language={language} />
        </Fact>
        <Fact label={texts.detail.expires}>
          <Moment at={invoice.expires_at} language={language} />
        </Fact>
        {fee === null || !canPay ? null : <Fact label={texts.detail.fee}>{feeText(fee, texts)}</Fact>}
        <DonorFacts invoice={invoice} texts={texts} />
        <Fact label={texts.detail.invoice}>
          <code dir="ltr" translate={false} data-testid="public-id">
            {invoice.public_id}
          </code>
        </Fact>
      </dl>
      {invoice.explorer_url === null || invoice.address === '' ? null : (
        <a
          class="details__link"
          href={`${invoice.explorer_url}/address/${invoice.address}`}
          target="_blank"
          rel="noreferrer"
        >
          {texts.explorer} <Icon name="link" />
        </a>
      )}
    </details>
  );
}

function AmountFacts({ invoice, texts }: Pick<PaymentDetailsProps, 'invoice' | 'texts'>) {
  const { expected_amount: requested, received_amount: received, currency } = invoice;
  return (
    <>
      {requested === null ? null : (
        <Fact label={texts.detail.requested}>{coinText(requested, currency)}</Fact>
      )}
      {received === '0' ? null : <Fact label={texts.detail.received}>{coinText(received, currency)}</Fact>}
    </>
  );
}

function PriceFacts({ invoice, language, texts }: Omit<PaymentDetailsProps, 'nowMs'>) {
  const { price, rate, currency } = invoice;
  if (price === null || rate === null) return null;
  return (
    <>
      <Fact label={texts.detail.price}>{priceText(price, language)}</Fact>
      <Fact label={texts.detail.rate}>
        <span data-testid="rate">{rateText(currency, rate, language)}</span>
      </Fact>
    </>
  );
}

function DonorFacts({ invoice, texts }: Pick<PaymentDetailsProps, 'invoice' | 'texts'>) {
  const { donor_name: name, donor_message: message } = invoice;
  return (
    <>
      {name === null ? null : <Fact label={texts.detail.from}>{name}</Fact>}
      {message === null ? null : <Fact label={texts.detail.message}>{message}</Fact>}
    </>
  );
}

function Fact({ label, children }: { label: string; children: ComponentChildren }) {
  return (
    <div class="facts__row">
      <dt>{label}</dt>
      <dd>
        <bdi>{children}</bdi>
      </dd>
    </div>
  );
}

function feeText(fee: FeeView, texts: PayTexts): string {
  return texts.feeHint(fee.normal, fee.unit, minutesFor(fee.target_blocks.normal, fee.currency));
}
