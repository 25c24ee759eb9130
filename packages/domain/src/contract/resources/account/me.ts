import { z } from 'zod';
import { LIMITS, SETTING_LIMITS } from '../../limits.ts';
import { capabilityTokenSchema, projectIdSchema, timestampSchema } from '../../fields/primitives.ts';
import { projectRoleSchema } from '../../fields/project-roles.ts';
import { shownText } from '../../fields/text.ts';
import { embedSitesSchema } from '../payment-links/embed-sites.ts';
import { fiatCurrencySchema } from '../rates.ts';
import { walletChangeDelaySchema } from '../wallet-changes.ts';
import { walletChangeViewSchema, walletStateViewSchema } from '../wallets.ts';
import { webhookViewSchema } from '../webhooks/webhooks.ts';

const marginSchema = z.int().min(SETTING_LIMITS.priceMarginBps.min).max(SETTING_LIMITS.priceMarginBps.max);
const MARGIN =
  'What priced orders cost more than their price, in basis points (100 = 1 %), because the rate may fall until they are paid.';
const EMBED_SITES =
  'The origins whose pages may show this project’s payment links and payment pages in a frame, for the payment button. Without any, none may.';
const LONG_MARGIN =
  'The same for priced orders that live longer than an hour; null: such orders are refused.';

const FIAT_CURRENCY =
  'What accepted money is also shown in, at the rate of the moment when its invoice was confirmed; null: only in coins. A change applies to invoices confirmed from then on.';
const DONOR_TEXTS =
  'After how many days the names and messages of donors are removed for good; the donations then count as anonymous. null: they are kept.';
const donorTextsDaysSchema = z
  .int()
  .min(SETTING_LIMITS.donorTextsDays.min)
  .max(SETTING_LIMITS.donorTextsDays.max)
  .nullable();

/** PATCH /v1/project */
export const updateProjectBodySchema = z
  .strictObject({
    name: shownText(LIMITS.projectName)
      .optional()
      .meta({
        ...LIMITS.projectName,
        description: 'What payers and donors see. Plain text.',
        example: 'Example Shop',
      }),
    price_margin_bps: marginSchema.optional().meta({ description: MARGIN }),
    long_price_margin_bps: marginSchema.nullable().optional().meta({ description: LONG_MARGIN }),
    fiat_currency: fiatCurrencySchema.nullable().optional().meta({ description: FIAT_CURRENCY }),
    embed_sites: embedSitesSchema
      .optional()
      .meta({ description: EMBED_SITES, example: ['https://shop.example'] }),
    donor_texts_days: donorTextsDaysSchema.optional().meta({ description: DONOR_TEXTS }),
  })
  .refine((body) => Object.values(body).some((value) => value !== undefined), {
    path: ['name'],
    error: 'Send at least one field to change.',
  })
  .meta({ id: 'UpdateProject' });
export type UpdateProjectBody = z.output<typeof updateProjectBodySchema>;
/** The same as a caller writes it. */
export type UpdateProjectInput = z.input<typeof updateProjectBodySchema>;

/** Path of the token to rotate. */
export const projectTokenParamsSchema = z.object({ kind: z.enum(['donate', 'overlay', 'control']) });

/** POST /v1/project/tokens/{kind}/rotate: the new capability; the old one no longer works. */
export const rotatedTokenViewSchema = z
  .object({ kind: z.enum(['donate', 'overlay', 'control']), token: capabilityTokenSchema, url: z.string() })
  .meta({ id: 'RotatedToken' });
export type RotatedTokenView = z.infer<typeof rotatedTokenViewSchema>;

/** The project of an account, with everything its owner set up. */
export const projectViewSchema = z
  .object({
    project_id: projectIdSchema,
    name: z.string().nullable().meta({ description: 'null until it is set; never taken from the email.' }),
    role: projectRoleSchema.meta({ description: 'What the caller may do there.' }),
    donate_token: capabilityTokenSchema,
    donate_url: z.string(),
    overlay_token: capabilityTokenSchema.meta({
      description: '`hidden` for the roles accountant and support, which do not use overlays.',
    }),
    overlay_url: z.string(),
    price_margin_bps: z.int().min(0).meta({ description: MARGIN }),
    long_price_margin_bps: z.int().min(0).nullable().meta({ description: LONG_MARGIN }),
    fiat_currency: fiatCurrencySchema.nullable().meta({ description: FIAT_CURRENCY }),
    embed_sites: z.array(z.string()).meta({ description: EMBED_SITES }),
    donor_texts_days: z.int().min(1).nullable().meta({ description: DONOR_TEXTS }),
    subscription: z.object({ active: z.boolean(), active_until: timestampSchema.nullable() }),
    wallets: z.array(walletStateViewSchema).meta({
      description:
        'The serving wallet of each currency, a verified one that takes effect later, and a newer registration that is not verified yet.',
    }),
    wallet_changes: z
      .array(walletChangeViewSchema)
      .meta({ description: 'The last 20 changes, newest first.' }),
    wallet_change_delay: walletChangeDelaySchema,
    webhook: webhookViewSchema.nullable().meta({ description: 'null until an endpoint is set.' }),
  })
  .meta({ id: 'Project' });
export type ProjectView = z.infer<typeof projectViewSchema>;

/** GET /v1/me */
export const meViewSchema = z
  .object({
    account: z.object({
      email: z.string(),
      email_verified: z.boolean().meta({
        description: 'Whether the owner proved the address. Notices are mailed to verified addresses only.',
      }),
      new_email: z
        .string()
        .nullable()
        .meta({ description: 'The new address of a change of email that is not confirmed yet.' }),
      mail_enabled: z.boolean().meta({ description: 'Whether this deployment sends mail.' }),
      is_operator: z.boolean().meta({ description: 'Whether the account may use the operator’s area.' }),
      created_at: timestampSchema,
    }),
    project: projectViewSchema,
  })
  .meta({ id: 'Me' });
export type MeView = z.infer<typeof meViewSchema>;
