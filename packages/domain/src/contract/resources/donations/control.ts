import { z } from 'zod';
import { amountFitsCurrency, requestAmountSchema } from '../../fields/amounts.ts';
import {
  amountSchema,
  capabilityTokenSchema,
  currencySchema,
  timestampSchema,
} from '../../fields/primitives.ts';
import { holdReasonSchema } from './moderation.ts';
import { overlayDonationSchema } from './overlay.ts';

/** Path of a control page's operations. */
export const controlParamsSchema = z.object({ token: capabilityTokenSchema });

const positionSchema = z
  .string()
  .regex(/^[1-9][0-9]{0,14}$/, { error: 'Must be the id of a donation.' })
  .meta({ example: '42' });

const volumeSchema = z
  .int()
  .min(0)
  .max(100)
  .meta({ description: 'Percent of the volume that the settings of the overlay name.' });

/** What moderators have set. */
export const controlStateSchema = z
  .object({
    paused: z.boolean().meta({ description: 'Whether alerts wait.' }),
    volume: volumeSchema,
  })
  .meta({ id: 'ControlState' });
export type ControlState = z.infer<typeof controlStateSchema>;

/** A donation that waits for a moderator. */
const heldDonationSchema = z
  .object({
    id: z.string(),
    reason: holdReasonSchema,
    donor_name: z.string().nullable(),
    donor_message: z.string().nullable(),
    amount: amountSchema,
    currency: currencySchema,
    confirmed_at: timestampSchema,
  })
  .meta({ id: 'HeldDonation' });
export type HeldDonation = z.infer<typeof heldDonationSchema>;

const recentDonationSchema = overlayDonationSchema
  .omit({ public_id: true, fiat: true })
  .extend({ id: z.string() });
export type RecentDonation = z.infer<typeof recentDonationSchema>;

/** `data:` of the control stream: everything that a control page shows. */
export const controlViewSchema = controlStateSchema
  .extend({
    project_name: z.string().nullable(),
    held: z.array(heldDonationSchema).meta({ description: 'The 50 oldest.' }),
    held_count: z.int().meta({ description: 'All held donations; 1,000 stands for that many or more.' }),
    recent: z
      .array(recentDonationSchema)
      .meta({ description: 'The last 20 that overlays got, newest first.' }),
  })
  .meta({ id: 'ControlView' });
export type ControlView = z.infer<typeof controlViewSchema>;

/** The field that each action needs besides itself. */
const NEEDS = { volume: ['volume'], replay: ['donation_id'], test: ['currency', 'amount'] } as const;
const ACTIONS = ['pause', 'resume', 'skip', 'clear', 'volume', 'replay', 'test'] as const;
const amountRule = amountFitsCurrency('amount');

/** POST /v1/public/control/{token} */
export const controlOverlayBodySchema = z
  .strictObject({
    action: z.enum(ACTIONS).meta({
      description:
        '`skip` ends the alert that is shown; `clear` also drops those that wait; `replay` shows `donation_id` again; `test` shows a test donation of `amount` and `currency`.',
    }),
    volume: volumeSchema.optional(),
    donation_id: positionSchema.optional(),
    currency: currencySchema.optional(),
    amount: requestAmountSchema.optional(),
  })
  .superRefine((body, context) => {
    const needed: readonly (keyof typeof body)[] =
      Object.entries(NEEDS).find(([action]) => action === body.action)?.[1] ?? [];
    for (const field of needed)
      if (body[field] === undefined)
        context.addIssue({ code: 'custom', path: [field], message: `Is required for ${body.action}.` });
  })
  .refine(amountRule.test, amountRule.params)
  .meta({ id: 'ControlOverlay' });
export type ControlOverlayBody = z.output<typeof controlOverlayBodySchema>;
/** The same as a caller writes it. */
export type ControlOverlayInput = z.input<typeof controlOverlayBodySchema>;

const DECISIONS = ['approved', 'text_blocked', 'dismissed'] as const;
const decisionSchema = z.enum(DECISIONS).meta({
  description:
    '`approved` shows the donation; `text_blocked` shows it without name and message; `dismissed` never shows it. The payment counts in any case.',
});
export type HeldDecision = (typeof DECISIONS)[number];

/** POST /v1/public/control/{token}/decisions */
export const decideHeldDonationBodySchema = z
  .strictObject({ held_id: positionSchema, decision: decisionSchema })
  .meta({ id: 'DecideHeldDonation' });

/** The decision that stands: the first one. */
export const heldDecisionSchema = z
  .object({ held_id: z.string(), decision: decisionSchema })
  .meta({ id: 'HeldDecision' });

/** `data:` of `event: control` on the overlay stream: what moderators want the overlay to do. */
export const overlayControlSchema = controlStateSchema
  .extend({
    cleared_to: z.string(),
    cleared_replay: z.int(),
    skipped_ms_ago: z.int().nullable(),
    replays: z.array(z.object({ number: z.int(), donation: overlayDonationSchema })),
  })
  .meta({ id: 'OverlayControl' });
export type OverlayControl = z.infer<typeof overlayControlSchema>;
