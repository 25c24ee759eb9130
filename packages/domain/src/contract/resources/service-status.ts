import { z } from 'zod';
import { currencySchema, networkSchema, timestampSchema } from '../fields/primitives.ts';

const stateSchema = z.enum(['operational', 'delayed', 'unavailable']);
const lagSchema = z.int().min(0).meta({ description: 'How long the oldest one that is due has waited.' });
const deliverySchema = z.object({ state: stateSchema, lag_seconds: lagSchema });

/** GET /v1/public/status */
export const serviceStatusSchema = z
  .object({
    state: stateSchema.meta({ description: 'The worst of the states below.' }),
    checked_at: timestampSchema,
    api: z.object({ state: stateSchema }),
    streams: z
      .object({ state: stateSchema })
      .meta({ description: 'delayed: changes reach pages and overlays a few seconds late.' }),
    chains: z
      .array(
        z.object({
          currency: currencySchema,
          network: networkSchema,
          state: stateSchema.meta({
            description:
              'delayed: confirmations are late. Nothing expires meanwhile, and no payment is lost.',
          }),
          tip_height: z.int().min(0),
          tip_at: timestampSchema.meta({ description: 'The time that the last block states.' }),
          read_at: timestampSchema.meta({ description: 'When the chain was last read completely.' }),
        }),
      )
      .meta({ description: 'The chains that are followed; empty while unknown.' }),
    webhooks: deliverySchema.nullable().meta({ description: 'null while unknown.' }),
    mail: deliverySchema.nullable().meta({ description: 'null while unknown, and where no mail is sent.' }),
    incidents: z
      .array(
        z.object({
          component: z.enum(['BTC', 'LTC', 'webhooks', 'mail']),
          started_at: timestampSchema,
          ended_at: timestampSchema.nullable().meta({ description: 'null while it lasts.' }),
        }),
      )
      .meta({ description: 'The last ten of 90 days, newest first. Each lasted more than a minute.' }),
  })
  .meta({ id: 'ServiceStatus' });
export type ServiceStatus = z.infer<typeof serviceStatusSchema>;
/** The state of a part of the service. */
export type ServiceState = z.infer<typeof stateSchema>;
