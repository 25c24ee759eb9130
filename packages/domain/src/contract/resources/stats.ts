import { z } from 'zod';
import { amountSchema, dateSchema } from '../fields/primitives.ts';
import { priceViewSchema } from './rates.ts';

const countSchema = z.int().min(0);
const acceptedSchema = z.object({ amount: amountSchema, count: countSchema });

/** GET /v1/stats */
export const statsViewSchema = z
  .object({
    accepted: z.object({ BTC: acceptedSchema, LTC: acceptedSchema }).meta({
      description: 'Confirmed money and the invoices it came by, per currency; reversed ones subtracted.',
    }),
    accepted_in_fiat: z.array(priceViewSchema.extend({ count: countSchema })).meta({
      description:
        'The same money at the rate of each invoice, per currency that the project had when it was confirmed. An invoice counts in one currency at most.',
    }),
    accepted_without_rate: countSchema.meta({
      description: 'Invoices of `accepted` in none of these currencies: no rate was stored with them.',
    }),
    statuses: z.object({
      new: countSchema,
      pending: countSchema,
      confirmed: countSchema,
      underpaid: countSchema,
      expired: countSchema,
      late_payment: countSchema,
    }),
    types: z.object({ donation: countSchema, order: countSchema }),
    activity: z
      .array(
        z.object({
          date: dateSchema,
          created: countSchema,
          confirmed: countSchema,
          accepted: z.object({ BTC: amountSchema, LTC: amountSchema }),
        }),
      )
      .meta({ description: 'The last 30 UTC days, oldest first, empty days included.' }),
  })
  .meta({ id: 'Stats' });
export type StatsView = z.infer<typeof statsViewSchema>;
