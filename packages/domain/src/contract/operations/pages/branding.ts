import { brandingSchema, updateBrandingBodySchema } from '../../resources/account/branding.ts';
import type { Operation } from '../operation.ts';

/** The look of the payment pages of a project. */
export const brandingOperations = {
  getBranding: {
    method: 'get',
    path: '/v1/branding',
    tag: 'Project',
    summary: 'Read the branding of the payment pages',
    auth: 'bearer',
    role: 'accountant',
    rateLimits: ['account'],
    responses: { 200: { description: 'The branding.', schema: brandingSchema } },
    errors: [],
  },
  updateBranding: {
    method: 'patch',
    path: '/v1/branding',
    tag: 'Project',
    summary: 'Change the branding of the payment pages',
    description:
      'Logo, accent color, and the links to terms and support. What is left out stays as it is. Pages of open invoices change with it, and the owner gets a mail.',
    auth: 'bearer',
    role: 'manager',
    rateLimits: ['account', 'project_change'],
    body: updateBrandingBodySchema,
    responses: { 200: { description: 'The branding as it is now.', schema: brandingSchema } },
    errors: [],
  },
} as const satisfies Record<string, Operation>;
