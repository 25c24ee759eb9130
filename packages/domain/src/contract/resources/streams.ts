import { z } from 'zod';
import { publicInvoiceViewSchema } from './invoices/invoices.ts';
import { overlayDonationSchema } from './donations/overlay.ts';
import { minimumSchema } from './donations/overlay-settings.ts';

/**
 * The position from which a client resumes. A position that this service never sent counts as absent: a browser whose request
 * is refused never reconnects, while one that starts from the beginning loses nothing.
 */
const lastEventIdSchema = z
  .string()
  .regex(/^[\x21-\x7e]{1,64}$/)
  .optional()
  .catch(undefined)
  .meta({ type: 'string', maxLength: 64, description: '`id:` of the last message received.' });

/** Headers of both streams. */
export const streamHeadersSchema = z.object({ 'Last-Event-ID': lastEventIdSchema });

const INCLUDED = ['settings', 'latest', 'summary'] as const;

/**
 * What an overlay stream sends besides donations, or instead of them. Not sent unless requested, because earlier clients take
 * every message for a donation. An unknown value counts as absent, as an unknown position does.
 */
const includeSchema = z
  .enum(INCLUDED)
  .optional()
  .catch(undefined)
  .meta({
    type: 'string',
    enum: [...INCLUDED],
    description:
      '`settings` also sends `event: settings` and `event: control`, without an `id:`, on connect and after every change. `latest` does so, too, and begins with the newest donations if no position is given. `summary` sends `event: summary` instead of donations, and `event: settings`; its positions are its own.',
  });

/** A minimum that no overlay can have counts as absent, too. */
const latestMinimumSchema = minimumSchema.optional().catch(undefined).meta({
  type: 'string',
  description:
    'Of the donations that `include=latest` begins with, in minimal units. Absent: that of the settings.',
});

/** Query of the overlay stream; `last_event_id` is for clients that cannot send the header. */
export const overlayStreamQuerySchema = z.object({
  last_event_id: lastEventIdSchema,
  include: includeSchema,
  min_amount_btc: latestMinimumSchema,
  min_amount_ltc: latestMinimumSchema,
});

/** A message of the invoice stream. `id` is the version of the invoice. */
export const statusMessageSchema = z.object({
  event: z.literal('status'),
  id: z.string(),
  data: publicInvoiceViewSchema,
});
export type StatusMessage = z.infer<typeof statusMessageSchema>;

/** A message of the overlay stream. `id` is a position, opaque to clients. */
export const donationMessageSchema = z.object({
  event: z.literal('donation'),
  id: z.string(),
  data: overlayDonationSchema,
});
export type DonationMessage = z.infer<typeof donationMessageSchema>;
