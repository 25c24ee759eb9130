import { z } from 'zod';

/** The look of a project on the pages of its payers. */
export const publicBrandingSchema = z
  .object({
    logo_url: z.string().nullable().meta({ description: 'Path of a picture on this host.' }),
    accent_color: z.string().nullable().meta({ example: '#6441a5' }),
    terms_url: z.string().nullable(),
    support_url: z
      .string()
      .nullable()
      .meta({ description: 'An https URL, or an email address after `mailto:`.' }),
  })
  .meta({ id: 'PublicBranding' });
export type PublicBranding = z.infer<typeof publicBrandingSchema>;
