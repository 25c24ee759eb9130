import { z } from 'zod';
import { amountFitsCurrency, requestAmountSchema } from '../../fields/amounts.ts';
import { LIMITS } from '../../limits.ts';
import {
  amountSchema,
  capabilityTokenSchema,
  currencySchema,
  publicIdSchema,
  timestampSchema,
} from '../../fields/primitives.ts';
import { optionalField, shownText } from '../../fields/text.ts';
import { fiatCurrencySchema, priceSchema, priceViewSchema, rateValueSchema } from '../rates.ts';
import { overlaySettingsSchema, readTierSchema } from './overlay-settings.ts';
import { goalProgressSchema } from './overlay-sources.ts';

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

/** a challenge of a link, a dot, and a number of at most 16 digits. */
export const linkProofSchema = z.string().regex(/^[A-Za-z0-9_-]{38}\.[0-9]{1,16}$/, {
  error: 'Must be a challenge of this link, a dot and a number of at most 16 digits.',
});

const amountRule = amountFitsCurrency('amount');

/** POST /v1/public/donate/{token} */
export const createDonationBodySchema = z
  .strictObject({
    currency: currencySchema,
    amount: optionalField(requestAmountSchema).meta({
      description: 'In minimal units. With neither `amount` nor `price` the donor chooses in the wallet.',
    }),
    price: optionalField(priceSchema).meta({
      description: 'In place of `amount`: converted at the current rate, without a margin.',
    }),
    donor_name: donorNameSchema,
    donor_message: donorMessageSchema,
    // Absent where it is absent: most donations need none.
    proof_of_work: linkProofSchema.nullish().meta({
      description:
        'A solution of the challenge that the link names, where it names one; see `proof_of_work` of GET /v1/public/donate/{token}.',
    }),
  })
  .refine(amountRule.test, amountRule.params)
  .refine(({ amount, price }) => amount === null || price === null, {
    path: ['price'],
    error: 'Send amount or price, not both.',
  })
  .meta({ id: 'CreateDonation' });
export type CreateDonationBody = z.output<typeof createDonationBodySchema>;
/** The same as a caller writes it. */
export type CreateDonationInput = z.input<typeof createDonationBodySchema>;

/** A donation that was started; the payment page is at pay_url. */
export const newDonationViewSchema = z
  .object({ public_id: publicIdSchema, pay_url: z.string().meta({ format: 'uri' }) })
  .meta({ id: 'NewDonation' });
export type NewDonationView = z.infer<typeof newDonationViewSchema>;

/** What a donation costs the browser of the donor while few addresses are left. */
export const proofOfWorkSchema = z
  .object({
    challenge: z.string(),
    difficulty: z.int().min(1).max(32).meta({ description: 'In bits.' }),
    expires_at: timestampSchema,
    currencies: z.array(currencySchema).meta({ description: 'Those that ask for it.' }),
  })
  .meta({
    id: 'ProofOfWork',
    description:
      'Find a number such that the SHA-256 of `challenge`, a dot and the number in decimal (ASCII) begins with `difficulty` zero bits. That text is `proof_of_work` of the donation. It serves once, until `expires_at`.',
  });
export type ProofOfWork = z.infer<typeof proofOfWorkSchema>;

/** An amount that the form suggests, with the price that it was converted from. */
const suggestionSchema = z.object({ amount: amountSchema, price: priceViewSchema.optional() });
const suggestionsSchema = z.array(suggestionSchema);
const minimumsSchema = z.object({ BTC: z.string(), LTC: z.string() });

/** What the owner has set for the donation page and for alerts. Absent where nothing was set, so that most pages stay small. */
const donationLinkSettings = {
  picture_url: z.string().optional().meta({ description: 'The picture of the owner: a path on this host.' }),
  accent_color: z.string().optional().meta({ description: 'As set; the page adjusts it for contrast.' }),
  text: z.string().optional(),
  links: z.array(z.object({ title: z.string(), url: z.string() })).optional(),
  suggestions: z.object({ BTC: suggestionsSchema, LTC: suggestionsSchema }).optional().meta({
    description: 'Converted at the rate of the moment where they are set as prices.',
  }),
  prices: z
    .object({
      currency: fiatCurrencySchema,
      rates: z
        .object({ BTC: rateValueSchema.nullable(), LTC: rateValueSchema.nullable() })
        .meta({ description: 'Prices of one coin; null where there is none now.' }),
    })
    .optional()
    .meta({
      description:
        'The currency in which donors may name a `price`: that of the suggested prices, else that of the project. Absent without one, or without a rate.',
    }),
  message_minimum: minimumsSchema.optional().meta({
    description:
      'Overlays show the messages of donations of this amount or more, in minimal units. Absent: all. A smaller donation is accepted, and its message stays with the invoice.',
  }),
  speech_minimum: minimumsSchema.optional().meta({
    description: 'Messages of donations of this amount or more are read aloud. Absent: none is.',
  }),
  alert: overlaySettingsSchema
    .pick({
      template: true,
      theme: true,
      sentence: true,
      image: true,
      image_upload: true,
      show_message: true,
    })
    .extend({ tiers: z.array(readTierSchema) })
    .partial()
    .optional()
    .meta({ description: 'What was changed of the settings by which an alert looks.' }),
  goal: goalProgressSchema.optional().meta({ description: 'Where the owner shows a goal.' }),
  latest_donations: z
    .array(z.object({ donor_name: z.string().nullable(), amount: amountSchema, currency: currencySchema }))
    .max(5)
    .optional()
    .meta({
      description:
        'Where the owner shows them: newest first, without tests, held donations and those below the minimum of the overlay.',
    }),
};

const amountRangeSchema = z.object({ min: amountSchema, max: amountSchema });

/** GET /v1/public/donate/{token}: all that a donation form needs. */
export const donationLinkInfoSchema = z
  .object({
    project_name: z.string().nullable(),
    currencies: z.array(currencySchema).meta({ description: 'Those with a verified wallet.' }),
    accepting: z.boolean().meta({
      description:
        'false while the subscription of the project is not active, or no address could be given to a donation of any of the currencies.',
    }),
    busy_currencies: z.array(currencySchema).optional().meta({
      description: 'Those without an address for a donation at the moment; absent where there is none.',
    }),
    proof_of_work: proofOfWorkSchema.optional(),
    ...donationLinkSettings,
    limits: z.object({
      donor_name_max_length: z.int().meta({ description: 'In Unicode code points.' }),
      donor_message_max_length: z.int().meta({ description: 'In Unicode code points.' }),
      amounts: z.object({ BTC: amountRangeSchema, LTC: amountRangeSchema }),
    }),
  })
  .meta({ id: 'DonationLink' });
export type DonationLinkInfo = z.infer<typeof donationLinkInfoSchema>;
