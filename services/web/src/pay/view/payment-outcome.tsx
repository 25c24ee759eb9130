import type { PublicInvoiceView } from '@paywatch/domain/contract';
import { coinText } from '../../money/amounts.ts';
import { coinDigits, unitText } from '../../money/digits.ts';
import type { Language } from '../../ui/language.ts';
import type { PayTexts } from '../texts/pay-en.ts';
import { Icon, type IconName } from '../../ui/icons.tsx';
import { Moment } from '../../ui/moment.tsx';
import { Confirmations } from './confirmations.tsx';
import type { PayStage } from '../pay-stage.ts';
import { PaymentList } from './payment-list.tsx';
import { ReturnLink } from './return-link.tsx';

type PaymentOutcomeProps = {
  stage: PayStage;
  invoice: PublicInvoiceView;
  language: Language;
  texts: PayTexts;
  onDonateAgain?: () => void;
  wasWatched?: boolean;
};

/** The view of an invoice that takes no payment any more, without QR code and address. */
export function PaymentOutcome(props: PaymentOutcomeProps) {
  const { stage, invoice, language, texts, onDonateAgain, wasWatched = false } = props;
  const isPaid = stage === 'paid';
  const again = onDonateAgain ? undefined : (invoice.donate_url ?? invoice.link_url ?? invoice.renew_url);
  return (
    <div class="outcome" data-stage={stage} data-testid="outcome">
      <OutcomeAmount stage={stage} invoice={invoice} language={language} texts={texts} />
      {stage === 'seen' || stage === 'partial-closing' ? (
        <Confirmations invoice={invoice} texts={texts} isPartial={stage === 'partial-closing'} />
      ) : null}
      {invoice.overpaid_amount === '0' ? null : (
        <p class="outcome__note" data-testid="overpaid">
          {texts.overpaid(coinText(invoice.overpaid_amount, invoice.currency))}
        </p>
      )}
      <PaymentList invoice={invoice} language={language} texts={texts} />
      <ReferenceNumber stage={stage} invoice={invoice} texts={texts} />
      {onDonateAgain === undefined || !(isPaid || stage === 'expired') ? null : (
        <button type="button" class="button" data-testid="donate-again" onClick={onDonateAgain}>
          {texts.newDonation}
        </button>
      )}
      {stage !== 'expired' || !again ? null : (
        <a
          class="button button--main"
          href={again}
          // The page of a shop does not belong in the frame of a payment.
          target={again === invoice.renew_url ? '_top' : undefined}
          data-testid="start-again"
        >
          {texts.startAgain}
          {again === invoice.renew_url ? ` (${new URL(again).host})` : ''}
        </a>
      )}
      <ReturnLink invoice={invoice} texts={texts} isPaid={isPaid} wasWatched={wasWatched} />
    </div>
  );
}

/** The icon above the stage text. */
export function OutcomeIcon({ stage }: { stage: PayStage }) {
  return (
    <span class="mark" data-stage={stage}>
      <Icon name={ICONS[stage]} />
    </span>
  );
}

const ICONS: Readonly<Record<PayStage, IconName>> = {
  waiting: 'clock',
  closing: 'clock',
  seen: 'chain',
  partial: 'chain',
  'partial-closing': 'chain',
  withdrawn: 'alert',
  paid: 'check',
  reversed: 'alert',
  underpaid: 'alert',
  expired: 'clock',
  late: 'alert',
};

/** The received amount, and the requested amount where it differs. */
function OutcomeAmount({
  stage,
  invoice,
  language,
  texts,
}: Omit<PaymentOutcomeProps, 'onDonateAgain' | 'wasWatched'>) {
  const {
    received_amount: received,
    confirmed_amount: confirmed,
    expected_amount: requested,
    currency,
  } = invoice;
  const arrived = stage === 'paid' ? confirmed : received;
  if (arrived === '0') return null;
  const { significant, zeros } = coinDigits(arrived);
  return (
    <div class="amount">
      <p class="visually-hidden">{texts.detail.received}</p>
      <p class="amount__coins" data-testid="amount-received">
        <bdi dir="ltr" translate={false}>
          <span>{significant}</span>
          <span class="amount__zeros">{zeros}</span> {currency}
        </bdi>
      </p>
      <p class="amount__units">
        <bdi dir="ltr">{unitText(arrived, currency, language)}</bdi>
        {requested === null || requested === arrived ? null : (
          <>
            {' · '}
            <span data-testid="amount-requested">
              {texts.detail.requested} <bdi dir="ltr">{coinText(requested, currency)}</bdi>
            </span>
          </>
        )}
      </p>
      <PaidAt stage={stage} invoice={invoice} language={language} />
    </div>
  );
}

function PaidAt({ stage, invoice, language }: Pick<PaymentOutcomeProps, 'stage' | 'invoice' | 'language'>) {
  const last = invoice.payments.filter(({ status }) => status === 'confirmed').at(-1);
  if (stage !== 'paid' || last === undefined) return null;
  return (
    <p class="amount__units">
      <Moment at={last.first_seen_at} language={language} />
    </p>
  );
}

/** The invoice id to quote where the payer has to contact the shop. */
function ReferenceNumber({
  stage,
  invoice,
  texts,
}: Pick<PaymentOutcomeProps, 'stage' | 'invoice' | 'texts'>) {
  if (invoice.type === 'donation' || !(stage === 'underpaid' || stage === 'late')) return null;
  return (
    <p class="outcome__quote">
      {texts.detail.invoice}{' '}
      <code dir="ltr" translate={false} data-testid="quote">
        {invoice.public_id}
      </code>
    </p>
  );
}
