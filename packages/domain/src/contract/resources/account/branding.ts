import { z } from 'zod';
import { LIMITS } from '../../limits.ts';
import { accentColorSchema, uploadIdSchema } from '../../fields/primitives.ts';
import { exactText, httpsUrl } from '../../fields/text.ts';

const termsUrlSchema = httpsUrl(LIMITS.url);
/** One recipient, and no headers of a mail. */
const MAILTO = /^mailto:[^\s?<>",:;%&@]+@[^\s?<>",:;%&@]+$/iu;

const supportUrlSchema = exactText(LIMITS.url)
  .refine((text) => termsUrlSchema.safeParse(text).success || MAILTO.test(text), {
    error: 'Must be an absolute URL that begins with https://, or an email address after mailto:.',
  })
  .meta({
    description: 'Where payers find help: an https URL, or an email address after `mailto:`.',
    example: 'mailto:help@shop.example',
  });

const changeable = {
  logo: uploadIdSchema
    .nullable()
    .meta({ description: 'The id of an upload of kind `logo`; null for none.', example: null }),
  accent_color: accentColorSchema,
  terms_url: termsUrlSchema
    .nullable()
    .meta({ description: 'The terms of the sale.', example: 'https://shop.example/terms' }),
  support_url: supportUrlSchema.nullable(),
};

/** GET /v1/branding */
export const brandingSchema = z.object(changeable).meta({ id: 'Branding' });
export type Branding = z.output<typeof brandingSchema>;

/** PATCH /v1/branding: what is left out stays as it is. */
export const updateBrandingBodySchema = z.strictObject(changeable).partial().meta({ id: 'UpdateBranding' });
export type UpdateBrandingBody = z.output<typeof updateBrandingBodySchema>;
/** The same as a caller writes it. */
export type UpdateBrandingInput = z.input<typeof updateBrandingBodySchema>;

/** The branding of a project that has changed nothing. */
export const DEFAULT_BRANDING: Readonly<Branding> = {
  logo: null,
  accent_color: null,
  terms_url: null,
  support_url: null,
};
