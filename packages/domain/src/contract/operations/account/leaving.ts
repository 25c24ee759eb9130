import { accountExportSchema } from '../../resources/account/account-export.ts';
import { deleteAccountBodySchema, doneViewSchema } from '../../resources/account/auth.ts';
import type { Operation } from '../operation.ts';

/** How owners take their data along, and leave. */
export const leavingOperations = {
  exportAccount: {
    method: 'get',
    path: '/v1/account/export',
    tag: 'Account',
    summary: 'Export the account',
    description:
      'Everything that the account and its project have, as one document; what grows with sales is in files of its own, whose addresses it names. It contains the extended public keys of the wallets, so it asks for the password or a second factor as dangerous changes do, and each export has a line in the audit log.',
    auth: 'bearer',
    role: 'owner',
    rateLimits: ['account', 'export'],
    responses: { 200: { description: 'The document.', schema: accountExportSchema } },
    errors: ['reauthentication_required', 'password_required'],
  },
  deleteAccount: {
    method: 'post',
    path: '/v1/account/delete',
    tag: 'Account',
    summary: 'Delete the account',
    description:
      'Deletes the account and its projects for good: sessions, API keys, endpoints, payment links, the donation page, overlay and control page end at once on every replica. Open invoices are watched and decided, without webhooks. The email names the account once more, and can be registered again, as a new account without anything of this one. What bookkeeping needs is kept for 400 days. A mail confirms.',
    auth: 'bearer',
    role: 'account',
    rateLimits: ['account', 'password_change'],
    body: deleteAccountBodySchema,
    responses: { 200: { description: 'Deleted.', schema: doneViewSchema } },
    errors: ['invalid_credentials', 'reauthentication_required'],
  },
} as const satisfies Record<string, Operation>;
