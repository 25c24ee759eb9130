import { z } from 'zod';
import { amountSchema, dateSchema } from '../primitives.ts';

const countSchema = z.int().min(0);
const acceptedSchema = z.object({ amount: amountSchema, count: countSchema });

/** GET /v1/stats */
export const statsViewSchema = z
  .object({
    accepted: z.object({ BTC: acceptedSchema, LTC: acceptedSchema }).meta({
      description: 'Confirmed money and the invoices it came by, per currency; reversed ones subtracted.',
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
