import { z } from 'zod';
import { isFiatCurrency } from '../../fields/fiat.ts';
import { LIMITS, SETTING_LIMITS } from '../../limits.ts';
import {
  OVERLAY_AMOUNTS,
  OVERLAY_DURATION_SECONDS,
  OVERLAY_IMAGES,
  OVERLAY_POSITIONS,
  OVERLAY_SOUNDS,
  OVERLAY_TEMPLATES,
  OVERLAY_THEMES,
  type OverlaySettings,
} from '../../overlay-options.ts';
import { uploadIdSchema } from '../../fields/primitives.ts';
import { shownText } from '../../fields/text.ts';

/** Zero included: every donation reaches it. */
export const minimumSchema = z.string().regex(/^(0|[1-9][0-9]{0,15})$/, {
  error: 'Must be a whole number of minimal units, at most 16 digits, such as "10000".',
});
const SMALLER = 'Smaller donations are not shown; test donations always are.';
const QUIET = 'Messages of smaller donations are shown, but not read aloud.';
const REACHED = 'The tier is for donations of this amount or more.';

const { min, max } = OVERLAY_DURATION_SECONDS;
const templateSchema = z.enum(OVERLAY_TEMPLATES).meta({ description: 'The design of an alert.' });
const imageSchema = z.enum(OVERLAY_IMAGES).meta({ description: 'The picture beside the text.' });
const soundSchema = z.enum(OVERLAY_SOUNDS);
const imageUploadSchema = uploadIdSchema
  .nullable()
  .meta({ description: 'The id of an uploaded image in place of `image`; null for none.' });
const soundUploadSchema = uploadIdSchema
  .nullable()
  .meta({ description: 'The id of an uploaded sound in place of `sound`; null for none.' });
const durationSchema = z.int().min(min).max(max).meta({ description: 'How long an alert is shown.' });

/** An element of `tiers`. */
const overlayTierSchema = z
  .strictObject({
    min_amount_btc: minimumSchema.meta({ description: `${REACHED} Satoshi.`, example: '100000' }),
    min_amount_ltc: minimumSchema.meta({ description: `${REACHED} Litoshi.`, example: '10000000' }),
    template: templateSchema,
    image: imageSchema,
    image_upload: imageUploadSchema.default(null),
    sound: soundSchema,
    sound_upload: soundUploadSchema.default(null),
    duration_seconds: durationSchema,
  })
  .meta({ id: 'OverlayTier' });

/** A tier as it is read, where every field is present. */
export const readTierSchema = overlayTierSchema.extend({
  image_upload: imageUploadSchema,
  sound_upload: soundUploadSchema,
});

const shape = {
  template: templateSchema,
  theme: z.enum(OVERLAY_THEMES),
  position: z.enum(OVERLAY_POSITIONS).meta({ description: 'Where alerts appear.' }),
  sentence: z.string().meta({ description: 'With {name} and {amount}, each at most once. Plain text.' }),
  image: imageSchema,
  image_upload: imageUploadSchema,
  sound: soundSchema,
  sound_upload: soundUploadSchema,
  volume: z
    .int()
    .min(0)
    .max(100)
    .meta({ description: 'Volume of sound and speech in percent; 0 is silent.' }),
  duration_seconds: durationSchema,
  amounts: z.enum(OVERLAY_AMOUNTS).meta({
    description:
      'What amounts are written in: coins, `fiat_currency`, or both. The rate is that of the moment of the confirmation; without one the coins are shown.',
  }),
  fiat_currency: z
    .string()
    .refine(isFiatCurrency, { error: 'Must be an ISO 4217 code such as EUR.' })
    .meta({ description: 'The currency of the streamer.', example: 'EUR' }),
  min_amount_btc: minimumSchema.meta({ description: `${SMALLER} Satoshi.`, example: '10000' }),
  min_amount_ltc: minimumSchema.meta({ description: `${SMALLER} Litoshi.`, example: '1000000' }),
  show_message: z.boolean().meta({ description: 'Whether the message of the donor is shown.' }),
  speech: z.boolean().meta({ description: 'Whether the browser reads the message aloud.' }),
  speech_language: z
    .string()
    .regex(/^([a-z]{2,3}(-[A-Z]{2})?)?$/, { error: 'Must be a language such as "en" or "en-GB", or empty.' })
    .meta({ description: 'A language such as `en` or `en-GB`; empty for that of the browser.' }),
  speech_rate: z.int().min(50).max(200).meta({ description: 'In percent of the normal speed.' }),
  speech_min_btc: minimumSchema.meta({ description: `${QUIET} Satoshi.`, example: '10000' }),
  speech_min_ltc: minimumSchema.meta({ description: `${QUIET} Litoshi.`, example: '1000000' }),
  speech_max_length: z
    .int()
    .min(1)
    .max(LIMITS.donorMessage.maxLength)
    .meta({ description: 'Longer messages are cut off when they are read aloud.' }),
  tiers: z
    .array(overlayTierSchema)
    .max(5)
    .meta({ description: 'A donation belongs to the highest tier that it reaches.' }),
};

/** GET /v1/overlay/settings; `data:` of `event: settings`. */
export const overlaySettingsSchema = z
  .object(shape)
  .meta({ id: 'OverlaySettings' }) satisfies z.ZodType<OverlaySettings>;

const sentenceSchema = shownText(SETTING_LIMITS.sentence)
  .refine((text) => ['{name}', '{amount}'].every((part) => text.split(part).length <= 2), {
    error: 'May contain {name} and {amount} once each.',
  })
  .meta({
    ...SETTING_LIMITS.sentence,
    description: 'With {name} and {amount}, each at most once. Plain text.',
  });

/** PATCH /v1/overlay/settings: what is left out stays as it is. */
export const updateOverlaySettingsBodySchema = z
  .strictObject({ ...shape, sentence: sentenceSchema })
  .partial()
  .meta({ id: 'UpdateOverlaySettings' });
export type UpdateOverlaySettingsBody = z.output<typeof updateOverlaySettingsBodySchema>;
