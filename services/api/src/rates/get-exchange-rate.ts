import { formatRate } from '@paywatch/domain/prices';
import type { ApiConfig } from '../config.ts';
import type { Dependencies } from '../dependencies.ts';
import { invalidField } from '../invalid-field.ts';
import type { OperationHandler } from '../operation-handler.ts';

/** The exchange rate that an order would get now. */
export function getExchangeRate({ config, readRate }: Dependencies): OperationHandler<'getExchangeRate'> {
  return async ({ params: { currency }, query: { in: priceCurrency } }) => {
    assertRateOffered(config, priceCurrency, 'query.in');
    const { value, sources, takenAtMs } = await readRate({ currency, in: priceCurrency });
    const body = {
      currency,
      in: priceCurrency,
      value: formatRate(value),
      sources: [...sources],
      taken_at: new Date(takenAtMs).toISOString(),
    };
    return { status: 200, body };
  };
}

/** Throws a `validation_error` if this deployment reads no rates in the currency. */
function assertRateOffered({ env }: Pick<ApiConfig, 'env'>, priceCurrency: string, field: string): void {
  if (env.RATE_CURRENCIES.includes(priceCurrency)) return;
  throw invalidField(
    field,
    `There are no exchange rates in this currency here, only in ${env.RATE_CURRENCIES.join(', ')}.`,
  );
}
