import { z } from 'zod';
import { SETTING_LIMITS } from '../../limits.ts';
import { capabilityTokenSchema } from '../../fields/primitives.ts';
import { shownText } from '../../fields/text.ts';

/** Which donations wait for a moderator before overlays show them. */
const holdModeSchema = z.enum(['none', 'all', 'links_and_words', 'first_time']).meta({
  description:
    'Which donations wait for a moderator before overlays show them: `links_and_words` are those with a link, an offensive word or one of `words` in name or message; `first_time` are those with a text under a name that was not shown before. Payments, invoices and webhooks are never delayed.',
});
export type HoldMode = z.infer<typeof holdModeSchema>;

/** Why a donation is held. */
export const holdReasonSchema = z.enum(['all', 'link', 'word', 'first_time']);
export type HoldReason = z.infer<typeof holdReasonSchema>;

const { words, word } = SETTING_LIMITS.moderation;
const wordSchema = shownText(word);
const changeable = {
  hold: holdModeSchema,
  words: z.array(wordSchema).max(words.maxItems).meta({
    description: 'Own words to hold, also inside longer words, whatever their case and accents.',
  }),
};

/** GET /v1/overlay/moderation */
export const moderationSchema = z
  .object({
    ...changeable,
    words: z.array(z.string()),
    control_token: capabilityTokenSchema
      .nullable()
      .meta({ description: 'Token of the control page; null until POST /v1/project/tokens/control/rotate.' }),
    control_url: z.string().nullable(),
  })
  .meta({ id: 'Moderation' });
export type Moderation = z.infer<typeof moderationSchema>;

/** PATCH /v1/overlay/moderation: what is left out stays as it is. */
export const updateModerationBodySchema = z
  .strictObject(changeable)
  .partial()
  .meta({ id: 'UpdateModeration' });
export type UpdateModerationBody = z.output<typeof updateModerationBodySchema>;
