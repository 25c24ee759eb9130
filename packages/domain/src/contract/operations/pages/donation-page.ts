import { donationPageSchema, updateDonationPageBodySchema } from '../../resources/donations/donation-page.ts';
import type { Operation } from '../operation.ts';

/** What the owner of a donation page sets. */
export const donationPageOperations = {
  getDonationPage: {
    method: 'get',
    path: '/v1/donation-page',
    tag: 'Project',
    summary: 'Read the settings of the donation page',
    auth: 'bearer',
    role: 'accountant',
    rateLimits: ['account'],
    responses: { 200: { description: 'The settings.', schema: donationPageSchema } },
    errors: [],
  },
  updateDonationPage: {
    method: 'patch',
    path: '/v1/donation-page',
    tag: 'Project',
    summary: 'Change the settings of the donation page',
    description:
      'What is left out stays as it is. A minimum for messages applies to donations that are confirmed from now on.',
    auth: 'bearer',
    role: 'manager',
    rateLimits: ['account', 'project_change'],
    body: updateDonationPageBodySchema,
    responses: { 200: { description: 'The settings as they are now.', schema: donationPageSchema } },
    errors: [],
  },
} as const satisfies Record<string, Operation>;
