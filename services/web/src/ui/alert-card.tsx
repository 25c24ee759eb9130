import type { Currency } from '@paywatch/domain/contract';
import { coinText } from '../money/amounts.ts';

type AlertCardProps = {
  name: string;
  /** Minimal units; null while no amount is entered. */
  units: bigint | null;
  currency: Currency;
  message: string;
  /** Shown while no amount is entered. */
  noAmount: string;
};

/** A donation as the overlay shows it. Uses the overlay's CSS classes so that the preview matches. */
export function AlertCard({ name, units, currency, message, noAmount }: AlertCardProps) {
  return (
    <div class="alert" data-currency={currency}>
      <p class="alert__head">
        <bdi class="alert__name">{name}</bdi>{' '}
        <bdi class={units === null ? 'alert__any' : 'alert__amount'} dir={units === null ? 'auto' : 'ltr'}>
          {units === null ? noAmount : coinText(String(units), currency)}
        </bdi>
      </p>
      {message === '' ? null : (
        <p class="alert__message" dir="auto">
          {message}
        </p>
      )}
    </div>
  );
}
