import type { PublicInvoiceView } from '@paywatch/domain/contract';
import type { PayTexts } from '../texts/pay-en.ts';
import { minutesFor } from '../block-time.ts';

type ConfirmationsProps = { invoice: PublicInvoiceView; texts: PayTexts; isPartial: boolean };

/** The confirmations so far, as steps out of those required. */
export function Confirmations({ invoice, texts, isPartial }: ConfirmationsProps) {
  const { confirmations_required: required, currency } = invoice;
  const count = Math.min(isPartial ? lowestConfirmations(invoice) : invoice.confirmations, required);
  const label = texts.steps(count, required);
  return (
    <div class="steps" data-testid="confirmations" data-count={count} data-required={required}>
      <span class="steps__bar" aria-hidden="true">
        {Array.from({ length: required }, (_, step) => (
          <span key={step} class="steps__step" data-state={stateOf(step, count)} />
        ))}
      </span>
      <p class="steps__label">
        {label}. {texts.stepsTime(minutesFor(required, currency))}
      </p>
    </div>
  );
}

function stateOf(step: number, count: number): 'done' | 'next' | 'open' {
  if (step < count) return 'done';
  return step === count ? 'next' : 'open';
}

/** The lowest confirmations of its payments. The API counts confirmations only for a fully paid invoice. */
function lowestConfirmations({ payments }: PublicInvoiceView): number {
  const counted = payments.filter(({ status, late }) => status !== 'void' && !late);
  return Math.min(...counted.map(({ confirmations }) => confirmations), Number.MAX_SAFE_INTEGER);
}
