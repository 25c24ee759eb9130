import { z } from 'zod';
import { amountFitsCurrency, requestAmountSchema } from './amounts.ts';
import { LIMITS } from './limits.ts';
import { amountSchema, capabilityTokenSchema, currencySchema, publicIdSchema } from './primitives.ts';
import { optionalField, shownText } from './text.ts';

/** Path of a donation link. */
export const donateParamsSchema = z.object({ token: capabilityTokenSchema });

/** The name a donor gives; cleaned plain text, or null. */
export const donorNameSchema = donorText(LIMITS.donorName.maxLength, 'Satoshi');

/** The message a donor leaves; cleaned plain text, or null. */
export const donorMessageSchema = donorText(LIMITS.donorMessage.maxLength, 'Great stream!');

function donorText(maxLength: number, example: string) {
  return optionalField(shownText({ maxLength }))
    .transform((text) => (text === '' ? null : text))
    .meta({ maxLength, example, description: 'Plain text; control characters are removed, empty is none.' });
}

const amountRule = amountFitsCurrency('amount');

/** POST /v1/public/donate/{token} */
export const createDonationBodySchema = z
  .strictObject({
    currency: currencySchema,
    amount: optionalField(requestAmountSchema),
    donor_name: donorNameSchema,
    donor_message: donorMessageSchema,
  })
  .refine(amountRule.test, amountRule.params)
  .meta({ id: 'CreateDonation' });
export type CreateDonationBody = z.output<typeof createDonationBodySchema>;
/** The same as a caller writes it. */
export type CreateDonationInput = z.input<typeof createDonationBodySchema>;

/** A donation that was started; the payment page is at pay_url. */
export const newDonationViewSchema = z
  .object({ public_id: publicIdSchema, pay_url: z.string().meta({ format: 'uri' }) })
  .meta({ id: 'NewDonation' });
export type NewDonationView = z.infer<typeof newDonationViewSchema>;

const amountRangeSchema = z.object({ min: amountSchema, max: amountSchema });

/** GET /v1/public/donate/{token}: all that a donation form needs. */
export const donationLinkInfoSchema = z
  .object({
    project_name: z.string().nullable(),
    currencies: z.array(currencySchema).meta({ description: 'Those with a verified wallet.' }),
    accepting: z
      .boolean()
      .meta({ description: 'false while the subscription of the project is not active.' }),
    limits: z.object({
      donor_name_max_length: z.int().meta({ description: 'In Unicode code points.' }),
      donor_message_max_length: z.int().meta({ description: 'In Unicode code points.' }),
      amounts: z.object({ BTC: amountRangeSchema, LTC: amountRangeSchema }),
    }),
  })
  .meta({ id: 'DonationLink' });
export type DonationLinkInfo = z.infer<typeof donationLinkInfoSchema>;
