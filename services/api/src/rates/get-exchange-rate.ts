import { formatRate } from '@paywatch/domain/prices';
import type { Dependencies } from '../dependencies.ts';
import type { OperationHandler } from '../operation-handler.ts';
import { assertRateOffered } from './offered-rate.ts';

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
