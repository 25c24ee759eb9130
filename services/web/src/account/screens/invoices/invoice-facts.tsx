import type { InvoiceView } from '@paywatch/domain/contract';
import { coinText } from '../../../money/amounts.ts';
import { priceText, rateText } from '../../../money/fiat.ts';
import { isFinalStatus } from '../../../pay/pay-stage.ts';
import { AddressText } from '../../../ui/address-text.tsx';
import { Moment } from '../../../ui/moment.tsx';
import { useSignedInAccount } from '../../app/account-context.ts';
import { Fact, Facts } from '../../parts/facts.tsx';

/** The fields of an invoice; empty ones are left out. */
export function InvoiceFacts({ invoice }: { invoice: InvoiceView }) {
  const { texts, language } = useSignedInAccount();
  const { fields } = texts.invoice;
  return (
    <Facts>
      <Amounts invoice={invoice} />
      {/* An outcome without full payment has none of its own; each payment shows those it has. */}
      {isFinalStatus(invoice.status) && invoice.confirmations === 0 ? null : (
        <Fact label={fields.confirmations} testId="confirmations">
          {`${invoice.confirmations} / ${invoice.confirmations_required}`}
        </Fact>
      )}
      <Fact label={fields.type}>{texts.types[invoice.type]}</Fact>
      <OptionalFact label={fields.order} value={invoice.order_id} />
      <OptionalFact label={fields.description} value={invoice.description} />
      <Lines invoice={invoice} />
      <OptionalFact label={fields.donor} value={invoice.donor_name} />
      <OptionalFact label={fields.message} value={invoice.donor_message} />
      <Fact label={fields.address}>
        {invoice.address === '' ? fields.neverShown : <AddressText address={invoice.address} />}
      </Fact>
      <Fact label={fields.index}>
        {invoice.address_index}
        {invoice.address_reused ? ` (${fields.reused})` : ''}
      </Fact>
      <Fact label={fields.created}>
        <Moment at={invoice.created_at} language={language} />
      </Fact>
      <Fact label={fields.expires}>
        <Moment at={invoice.expires_at} language={language} />
        {invoice.extended ? ` (${texts.invoice.extended})` : ''}
      </Fact>
      <OptionalFact label={fields.returnUrl} value={invoice.return_url} />
      <OptionalFact label={fields.renewUrl} value={invoice.renew_url} />
    </Facts>
  );
}

/** What the order is for, as its payment page lists it. */
function Lines({ invoice: { lines, price } }: { invoice: InvoiceView }) {
  const { texts, language } = useSignedInAccount();
  if (lines.length === 0) return null;
  return (
    <Fact label={texts.invoice.fields.lines} testId="lines">
      {lines.map(({ name, quantity, amount }, index) => (
        <div key={index}>
          {quantity === 1 ? '' : `${quantity} × `}
          <bdi>{name}</bdi>
          {amount === null || price === null
            ? ''
            : `, ${priceText({ amount, currency: price.currency }, language)}`}
        </div>
      ))}
    </Fact>
  );
}

function Amounts({ invoice }: { invoice: InvoiceView }) {
  const { texts } = useSignedInAccount();
  const { fields } = texts.invoice;
  const { currency, expected_amount: requested, due_amount: due } = invoice;
  return (
    <>
      <Fact label={fields.requested} testId="requested">
        {requested === null ? texts.invoices.anyAmount : coinText(requested, currency)}
      </Fact>
      <Price invoice={invoice} />
      <Fact label={fields.received} testId="received">
        {coinText(invoice.received_amount, currency)}
      </Fact>
      <Fact label={fields.confirmedAmount}>{coinText(invoice.confirmed_amount, currency)}</Fact>
      <Worth invoice={invoice} />
      {due === null || due === '0' ? null : <Fact label={fields.due}>{coinText(due, currency)}</Fact>}
      {invoice.overpaid_amount === '0' ? null : (
        <Fact label={fields.overpaid}>{coinText(invoice.overpaid_amount, currency)}</Fact>
      )}
    </>
  );
}

function Worth({ invoice: { currency, accepted_in_fiat: worth } }: { invoice: InvoiceView }) {
  const { texts, language } = useSignedInAccount();
  if (worth === null) return null;
  const rate = priceText({ amount: worth.rate, currency: worth.currency }, language);
  return (
    <Fact label={texts.invoice.fields.worth} testId="worth">
      {priceText(worth, language)}
      <div class="quiet">{`1\u00a0${currency} = ${rate}`}</div>
    </Fact>
  );
}

function Price({ invoice: { currency, price, rate } }: { invoice: InvoiceView }) {
  const { texts, language } = useSignedInAccount();
  const { fields } = texts.invoice;
  if (price === null || rate === null) return null;
  return (
    <>
      <Fact label={fields.price} testId="price">
        {priceText(price, language)}
      </Fact>
      <Fact label={fields.rate} testId="rate">
        {rateText(currency, rate, language)}
        <div class="quiet">
          <Moment at={rate.taken_at} language={language} />
        </div>
      </Fact>
    </>
  );
}

function OptionalFact({ label, value }: { label: string; value: string | null }) {
  return value === null ? null : <Fact label={label}>{value}</Fact>;
}
