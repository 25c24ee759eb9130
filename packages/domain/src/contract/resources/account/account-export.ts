import { z } from 'zod';
import { currencySchema, scriptTypeSchema, timestampSchema } from '../../fields/primitives.ts';
import { donationPageSchema } from '../donations/donation-page.ts';
import { moderationSchema } from '../donations/moderation.ts';
import { overlaySettingsSchema } from '../donations/overlay-settings.ts';
import { overlaySourcesSchema } from '../donations/overlay-sources.ts';
import { paymentLinkViewSchema } from '../payment-links/payment-links.ts';
import { uploadViewSchema } from '../uploads/uploads.ts';
import { webhookEndpointViewSchema } from '../webhooks/webhook-endpoints.ts';
import { apiKeyViewSchema } from './api-keys.ts';
import { brandingSchema } from './branding.ts';
import { meViewSchema } from './me.ts';
import { membersViewSchema } from './members.ts';
import { noticesViewSchema } from './notices.ts';
import { projectListSchema } from './projects.ts';
import { factorListSchema } from './second-factors.ts';
import { openSessionViewSchema } from './sessions.ts';
import { purchaseViewSchema } from './subscription.ts';

/** A wallet of a project, replaced ones included, with the extended public key that its owner registered. */
const exportedWalletSchema = z
  .object({
    currency: currencySchema,
    xpub: z.string().meta({ description: 'The extended public key, normalized.' }),
    script_type: scriptTypeSchema,
    derivation_path: z.string().nullable(),
    verification_address: z.string(),
    gap_limit: z.int(),
    status: z.enum(['unverified', 'pending', 'verified', 'replaced']),
    created_at: timestampSchema,
    verified_at: timestampSchema.nullable(),
    replaced_at: timestampSchema.nullable(),
  })
  .meta({ id: 'ExportedWallet' });

const exportedUploadSchema = uploadViewSchema
  .extend({ sha256: z.string().meta({ description: 'Of the file at `url`, in hex.' }) })
  .meta({ id: 'ExportedUpload' });

const networkSchema = z.object({
  network: z.string().meta({ description: 'An IPv4 address or an IPv6 /64.' }),
  last_login_at: timestampSchema,
});

const fileSchema = z.object({ csv: z.string(), jsonl: z.string() });

/** The most lines of each list that grows with use. */
export const MAX_EXPORTED = 1000;

/** GET /v1/account/export */
export const accountExportSchema = z
  .object({
    exported_at: timestampSchema,
    account: meViewSchema.shape.account,
    notices: noticesViewSchema,
    sessions: z.array(openSessionViewSchema),
    login_networks: z.array(networkSchema).meta({
      description: `From where somebody logged in within 180 days; the last ${MAX_EXPORTED}.`,
    }),
    second_factors: factorListSchema,
    projects: projectListSchema.shape.data.meta({
      description: 'Those that you created or are a member of. `project` and what follows is one of them.',
    }),
    project: meViewSchema.shape.project,
    ...membersViewSchema.shape,
    branding: brandingSchema,
    donation_page: donationPageSchema,
    overlay_settings: overlaySettingsSchema,
    overlay_sources: overlaySourcesSchema,
    moderation: moderationSchema,
    wallets: z.array(exportedWalletSchema).meta({
      description: `With their extended public keys; the last ${MAX_EXPORTED}.`,
    }),
    api_keys: z.array(apiKeyViewSchema).meta({ description: 'Without their secrets.' }),
    webhook_endpoints: z.array(webhookEndpointViewSchema).meta({ description: 'Without their secrets.' }),
    payment_links: z.array(paymentLinkViewSchema),
    uploads: z.array(exportedUploadSchema),
    purchases: z
      .array(purchaseViewSchema)
      .meta({ description: `Of subscriptions; the last ${MAX_EXPORTED}.` }),
    files: z
      .object({
        invoices: fileSchema,
        payments: fileSchema,
        events: fileSchema,
        audit_log: fileSchema,
      })
      .meta({ description: 'The addresses of what grows with your sales. They need the same credentials.' }),
  })
  .meta({ id: 'AccountExport' });
export type AccountExport = z.infer<typeof accountExportSchema>;
