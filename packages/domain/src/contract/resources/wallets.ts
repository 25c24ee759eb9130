import { z } from 'zod';
import { LIMITS } from '../limits.ts';
import { currencySchema, scriptTypeSchema, timestampSchema } from '../fields/primitives.ts';
import { exactText, optionalField, shownText } from '../fields/text.ts';

const GAP_LIMIT_TEXT = {
  description:
    "How far past the last used index addresses are given out. Raise your own wallet's limit first.",
};
const gapLimitSchema = z.int().min(LIMITS.gapLimit.min).max(LIMITS.gapLimit.max).meta(GAP_LIMIT_TEXT);

/**
 * POST /v1/wallets. Only the form is checked here: whether the key, its prefix, script type and path agree
 * is a matter of the chain's rules, and what looks like a private key is refused there by name.
 */
export const createWalletBodySchema = z
  .strictObject({
    currency: currencySchema,
    // Cleaned like shown text: keys are pasted with line breaks and invisible spaces around them.
    xpub: shownText({ minLength: 1, ...LIMITS.xpub }).meta({
      minLength: 1,
      maxLength: LIMITS.xpub.maxLength,
      description: 'Extended public key: xpub, ypub, zpub, Ltub or Mtub (tpub, upub, vpub on test networks).',
      example:
        'zpub6rFR7y4Q2AijBEqTUquhVz398htDFrtymD9xYYfG1m4wAcvPhXNfE3EfH1r1ADqtfSdVCToUG868RvUUkgDKf31mGDtKsAYz2oz2AGutZYs',
    }),
    script_type: optionalField(scriptTypeSchema).meta({
      description: 'When omitted: from the prefix, else from the purpose in derivation_path, else p2pkh.',
    }),
    derivation_path: optionalField(exactText(LIMITS.derivationPath)).meta({
      description: "Origin of the key (m/84'/0'/0'), optionally with the receive branch (…/0, the default).",
      example: "m/84'/0'/0'",
    }),
    gap_limit: optionalField(gapLimitSchema).meta(GAP_LIMIT_TEXT),
    start_index: optionalField(z.int().min(LIMITS.startIndex.min).max(LIMITS.startIndex.max)).meta({
      description: 'First index to give out; 1 when omitted, since index 0 is the verification address.',
    }),
  })
  .meta({ id: 'CreateWallet' });
export type CreateWalletBody = z.output<typeof createWalletBodySchema>;
/** The same as a caller writes it. */
export type CreateWalletInput = z.input<typeof createWalletBodySchema>;

/** Path of the wallet of a currency. */
export const walletParamsSchema = z.object({ currency: currencySchema });

/** POST /v1/wallets/{currency}/verify */
export const verifyWalletBodySchema = z
  .strictObject({
    address: exactText(LIMITS.address)
      .trim()
      .meta({
        ...LIMITS.address,
        description: 'A receive address that your own wallet shows: index 0, or up to 20 past next_index.',
        example: 'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu',
      }),
  })
  .meta({ id: 'VerifyWallet' });
export type VerifyWalletBody = z.output<typeof verifyWalletBodySchema>;
/** The same as a caller writes it. */
export type VerifyWalletInput = z.input<typeof verifyWalletBodySchema>;

/** PATCH /v1/wallets/{currency} */
export const updateWalletBodySchema = z
  .strictObject({ gap_limit: gapLimitSchema })
  .meta({ id: 'UpdateWallet' });

/** A wallet as registration, verification and changes return it. */
export const walletViewSchema = z
  .object({
    currency: currencySchema,
    script_type: scriptTypeSchema,
    derivation_path: z.string().nullable(),
    verified: z.boolean().meta({ description: 'Only a verified wallet serves invoices.' }),
    serving: z.boolean().meta({
      description:
        'Whether invoices get their addresses from it now. false for a verified wallet before `effective_at`.',
    }),
    effective_at: timestampSchema.nullable().meta({
      description:
        'From when on a verified wallet serves: at once, or after a delay if the project was paid within the last 30 days. Until then the change can be cancelled, and the wallet before it serves. null until it is verified.',
    }),
    verification_address: z
      .string()
      .meta({ description: 'The address at index 0; compare it with your wallet.' }),
    next_index: z.int().min(0).meta({ description: 'The next index that was never given out.' }),
    gap_limit: z.int().min(1),
    notice: z.string().meta({
      description:
        'What the owner must see to: an account of the wallet that receives nothing else, and a gap limit with which it finds every payment.',
      example:
        'Register an account of your wallet that receives nothing else. Set its gap limit to at least 20 before the first invoice.',
    }),
  })
  .meta({ id: 'Wallet' });
export type WalletView = z.infer<typeof walletViewSchema>;

/** A wallet as the account view lists it, with the state of its address pool. */
export const walletStateViewSchema = walletViewSchema
  .omit({ notice: true })
  .extend({
    addresses: z.object({
      free: z.int().min(0).meta({ description: 'May be given to an order now.' }),
      leased: z.int().min(0),
      quarantined: z.int().min(0),
      limited: z.boolean().meta({
        description:
          'Whether the limit of addresses of the account keeps the gap limit from being used to the full. It grows with each payment; the operator can raise it.',
      }),
    }),
  })
  .meta({ id: 'WalletState' });
export type WalletStateView = z.infer<typeof walletStateViewSchema>;

/** One entry of a project's wallet history: every change of where money goes is recorded. */
export const walletChangeViewSchema = z
  .object({
    currency: currencySchema,
    action: z.enum([
      'registered',
      'verified',
      'replaced',
      'gap_limit_changed',
      'change_scheduled',
      'change_cancelled',
      'change_applied',
    ]),
    verification_address: z.string(),
    gap_limit: z.int().min(1).optional().meta({ description: 'The new limit, for `gap_limit_changed`.' }),
    actor: z.string().meta({
      description:
        '`session`, the public part of the API key, `operator`, or `watcher` for what takes effect by itself.',
      example: 'session',
    }),
    at: timestampSchema,
  })
  .meta({ id: 'WalletChange' });
export type WalletChangeView = z.infer<typeof walletChangeViewSchema>;
