import type { ApiConfig } from '../config.ts';
import { invalidField } from '../invalid-field.ts';

/** Throws a `validation_error` if this deployment reads no rates in the currency. */
export function assertRateOffered(
  { env }: Pick<ApiConfig, 'env'>,
  priceCurrency: string,
  field: string,
): void {
  if (env.RATE_CURRENCIES.includes(priceCurrency)) return;
  throw invalidField(
    field,
    `There are no exchange rates in this currency here, only in ${env.RATE_CURRENCIES.join(', ')}.`,
  );
}
