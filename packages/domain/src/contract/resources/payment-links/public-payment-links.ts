import { z } from 'zod';
import { amountFitsCurrency, requestAmountSchema } from '../../fields/amounts.ts';
import {
  amountSchema,
  capabilityTokenSchema,
  currencySchema,
  publicIdSchema,
} from '../../fields/primitives.ts';
import { SETTING_LIMITS } from '../../limits.ts';
import { optionalField, shownText } from '../../fields/text.ts';
import { publicBrandingSchema } from '../account/public-branding.ts';
import { linkProofSchema, proofOfWorkSchema } from '../donations/donations.ts';
import { priceAmountSchema } from '../rates.ts';
import { linkPriceViewSchema, linkStatusSchema } from './payment-links.ts';

/** Path of the public side of a payment link. */
export const publicLinkParamsSchema = z.object({ token: capabilityTokenSchema });

/** GET /v1/public/links/{token}: all that the page of a link needs. */
export const publicPaymentLinkSchema = z
  .object({
    project_name: z.string().nullable(),
    branding: publicBrandingSchema.nullable(),
    title: z.string(),
    description: z.string().nullable(),
    price: linkPriceViewSchema.nullable(),
    amount: amountSchema.nullable().meta({
      description: 'Minimal units. With neither `price` nor `amount` the buyer names an amount of coins.',
    }),
    currencies: z.array(currencySchema).meta({ description: 'Those with a verified wallet.' }),
    single_use: z.boolean(),
    available: z.int().min(0).nullable().meta({ description: 'Pieces that are left; null for any number.' }),
    status: linkStatusSchema,
    accepting: z.boolean().meta({
      description:
        'false unless it is open, the subscription of the project is active and an address is left for a buyer.',
    }),
    busy_currencies: z.array(currencySchema).optional().meta({
      description: 'Those without an address for a buyer at the moment; absent where there is none.',
    }),
    proof_of_work: proofOfWorkSchema.optional(),
  })
  .meta({ id: 'PublicPaymentLink' });
export type PublicPaymentLink = z.infer<typeof publicPaymentLinkSchema>;

/** Headers of POST /v1/public/links/{token}. */
export const buyByPaymentLinkHeadersSchema = z.object({
  'Idempotency-Key': z
    .string()
    .regex(/^[\w-]{22,64}$/, { error: 'Must be 22 to 64 random letters, digits, hyphens or underscores.' })
    .optional()
    .meta({
      description:
        'A repeat with the same key answers the same purchase. Make it of at least 128 random bits: everybody who knows it gets that purchase. Ends the `order_id`, before the note.',
    }),
});

const amountRule = amountFitsCurrency('amount');

/** POST /v1/public/links/{token}. Which of the amounts is needed depends on the link. */
export const buyByPaymentLinkBodySchema = z
  .strictObject({
    currency: currencySchema,
    amount: optionalField(requestAmountSchema).meta({
      description: 'What the buyer wants to pay, in minimal units: only for a link without price and amount.',
    }),
    price_amount: optionalField(priceAmountSchema).meta({
      description:
        'What the buyer wants to pay in the currency of the price: only for a price without an amount.',
      example: '19.99',
    }),
    note: optionalField(shownText(SETTING_LIMITS.saleNote)).meta({
      description: 'What the seller wants to remember, such as a table. It ends the `order_id`.',
      example: 'Table 4',
    }),
    // Absent where it is absent: most purchases need none.
    proof_of_work: linkProofSchema.nullish().meta({
      description:
        'A solution of the challenge that the link names, where it names one; see `proof_of_work` of GET /v1/public/links/{token}.',
    }),
  })
  .refine(amountRule.test, amountRule.params)
  .meta({ id: 'BuyByPaymentLink' });
export type BuyByPaymentLinkBody = z.output<typeof buyByPaymentLinkBodySchema>;
/** The same as a caller writes it. */
export type BuyByPaymentLinkInput = z.input<typeof buyByPaymentLinkBodySchema>;

/** A purchase that was started; the payment page is at pay_url. */
export const newPurchaseByLinkViewSchema = z
  .object({ public_id: publicIdSchema, pay_url: z.string().meta({ format: 'uri' }) })
  .meta({ id: 'NewPurchaseByLink' });
export type NewPurchaseByLinkView = z.infer<typeof newPurchaseByLinkViewSchema>;
