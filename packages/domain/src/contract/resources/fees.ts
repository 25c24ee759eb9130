import { z } from 'zod';
import type { Currency } from '../fields/primitives.ts';
import { currencySchema, timestampSchema } from '../fields/primitives.ts';

/** Path of a currency's fee estimate. */
export const feeParamsSchema = z.object({ currency: currencySchema });

const feeRateSchema = z
  .string()
  .regex(/^(0|[1-9][0-9]*)(\.[0-9]+)?$/)
  .meta({ description: 'Fee rate in `unit`, a decimal string.', example: '12.5' });
const blocksSchema = z.int().min(1);

/** GET /v1/public/fee/{currency} */
export const feeViewSchema = z
  .object({
    currency: currencySchema,
    unit: z.enum(['sat/vB', 'litoshi/vB']),
    fast: feeRateSchema,
    normal: feeRateSchema,
    economy: feeRateSchema,
    target_blocks: z
      .object({ fast: blocksSchema, normal: blocksSchema, economy: blocksSchema })
      .meta({ description: 'Within how many blocks each rate is expected to confirm.' }),
    estimated_at: timestampSchema,
    stale: z
      .boolean()
      .meta({ description: 'The node could not be asked again since; the last estimate is shown.' }),
  })
  .meta({ id: 'FeeEstimate' });
export type FeeView = z.infer<typeof feeViewSchema>;

/** Blocks within which a payment should confirm. A litecoin block takes a quarter of a bitcoin block's time. */
export const FEE_TARGET_BLOCKS: Readonly<Record<Currency, FeeView['target_blocks']>> = {
  BTC: { fast: 2, normal: 6, economy: 24 },
  LTC: { fast: 2, normal: 12, economy: 48 },
};
