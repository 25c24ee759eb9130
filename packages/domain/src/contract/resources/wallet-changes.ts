import { z } from 'zod';
import { LIMITS, SETTING_LIMITS } from '../limits.ts';
import { currencySchema, timestampSchema } from '../fields/primitives.ts';
import { exactText } from '../fields/text.ts';

/** POST /v1/auth/cancel-wallet-changes */
export const cancelWalletChangesBodySchema = z
  .strictObject({
    // Any text is an attempt: a malformed one is a wrong one (410).
    token: exactText({ minLength: 1, maxLength: LIMITS.linkToken.maxLength }).meta({
      minLength: 1,
      maxLength: LIMITS.linkToken.maxLength,
      description:
        'The text after # in the link of the mail. Works once, until a day after the change takes effect.',
    }),
  })
  .meta({ id: 'CancelWalletChanges' });

/** A wallet that will not take effect. */
const cancelledWalletSchema = z.object({ currency: currencySchema, verification_address: z.string() });

/** The changes that were cancelled. */
export const cancelledWalletChangesSchema = z
  .object({
    cancelled: z.array(cancelledWalletSchema).meta({
      description: 'The wallets that will not take effect. Empty if no change was pending any more.',
    }),
  })
  .meta({ id: 'CancelledWalletChanges' });
export type CancelledWalletChangesView = z.infer<typeof cancelledWalletChangesSchema>;

const secondsSchema = z
  .int()
  .min(SETTING_LIMITS.walletChangeDelay.min)
  .max(SETTING_LIMITS.walletChangeDelay.max);

/** PATCH /v1/project/wallet-change-delay */
export const updateWalletChangeDelayBodySchema = z
  .strictObject({
    seconds: secondsSchema.meta({
      description: 'How long a change of a wallet waits. Less than the deployment’s own delay has no effect.',
    }),
  })
  .meta({ id: 'UpdateWalletChangeDelay' });

/** How long changes of a project's wallets wait. */
export const walletChangeDelaySchema = z
  .object({
    seconds: z.int().min(0).meta({
      description: 'How long a change of a wallet waits, if the project was paid within the last 30 days.',
    }),
    minimum_seconds: z.int().min(0).meta({ description: 'The deployment’s own delay.' }),
    next_seconds: z.int().min(0).nullable().meta({
      description: 'A shorter delay that waits for the present one to pass; null if there is none.',
    }),
    next_at: timestampSchema.nullable().meta({ description: 'When `next_seconds` takes effect.' }),
  })
  .meta({ id: 'WalletChangeDelay' });
export type WalletChangeDelayView = z.infer<typeof walletChangeDelaySchema>;
