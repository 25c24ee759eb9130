import { z } from 'zod';
import {
  amountSchema,
  capabilityTokenSchema,
  currencySchema,
  publicIdSchema,
  timestampSchema,
} from '../../fields/primitives.ts';

/** Path of an overlay. */
export const overlayParamsSchema = z.object({ token: capabilityTokenSchema });

/** One confirmed transaction of a donation, as the overlay shows it; `data:` of `event: donation`. */
export const overlayDonationSchema = z
  .object({
    public_id: publicIdSchema,
    donor_name: z.string().nullable(),
    donor_message: z.string().nullable(),
    amount: amountSchema,
    currency: currencySchema,
    fiat: z.object({ amount: z.string(), currency: z.string() }).nullable().meta({
      description:
        'What the donation was worth when it was confirmed, in the currency of the overlay settings. Null if none was wanted or no rate was known.',
    }),
    confirmed_at: timestampSchema,
    test: z
      .boolean()
      .meta({ description: 'Made by POST /v1/overlay/test or on the control page: nobody paid.' }),
  })
  .meta({ id: 'OverlayDonation' });
export type OverlayDonation = z.infer<typeof overlayDonationSchema>;
