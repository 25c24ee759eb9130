import { z } from 'zod';
import {
  amountSchema,
  currencySchema,
  invoiceStatusSchema,
  publicIdSchema,
  timestampSchema,
} from '../../fields/primitives.ts';

/** POST /v1/subscription/purchases */
export const createPurchaseBodySchema = z
  .strictObject({ currency: currencySchema.meta({ description: 'One of those that the offer names.' }) })
  .meta({ id: 'CreatePurchase' });
export type CreatePurchaseBody = z.output<typeof createPurchaseBodySchema>;
/** The same as a caller writes it. */
export type CreatePurchaseInput = z.input<typeof createPurchaseBodySchema>;

/** What the operator of this deployment sells: so many days for one of the prices. */
export const subscriptionOfferSchema = z
  .object({
    days: z.int().min(1),
    prices: z.array(z.object({ currency: currencySchema, amount: amountSchema })),
  })
  .meta({ id: 'SubscriptionOffer' });
export type SubscriptionOffer = z.infer<typeof subscriptionOfferSchema>;

/** Days of subscription that are paid for at the operator. */
export const purchaseViewSchema = z
  .object({
    public_id: publicIdSchema,
    pay_url: z.string().meta({ format: 'uri' }),
    currency: currencySchema,
    amount: amountSchema,
    days: z.int().min(1),
    status: invoiceStatusSchema,
    received_amount: amountSchema,
    extended_at: timestampSchema.nullable().meta({
      description:
        'When it extended the subscription: once, with the confirmation of its invoice. A payment that comes late or short extends nothing by itself; the operator decides.',
    }),
    created_at: timestampSchema,
    expires_at: timestampSchema,
  })
  .meta({ id: 'Purchase' });
export type PurchaseView = z.infer<typeof purchaseViewSchema>;

/** GET /v1/subscription */
export const subscriptionViewSchema = z
  .object({
    active: z.boolean(),
    active_until: timestampSchema.nullable(),
    offer: subscriptionOfferSchema.nullable().meta({ description: 'null where nothing is sold.' }),
    purchases: z.array(purchaseViewSchema).meta({ description: 'The last ten, newest first.' }),
  })
  .meta({ id: 'Subscription' });
export type SubscriptionView = z.infer<typeof subscriptionViewSchema>;
