import type { Currency } from '@paywatch/domain/values';
import type { ApiConfig } from './config.ts';
import { invalidField } from './invalid-field.ts';

/** Throws a `validation_error` if this deployment has no chain source for the currency: payments would not be noticed. */
export function assertCurrencyOffered({ offered }: Pick<ApiConfig, 'offered'>, currency: Currency): void {
  if (!offered.includes(currency)) throw invalidField('body.currency', `${currency} is not offered here.`);
}
