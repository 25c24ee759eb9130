import { accountExportSchema } from '../resources/account/account-export.ts';
import type { Operation } from './operation.ts';

/** How owners take their data along. */
export const leavingOperations = {
  exportAccount: {
    method: 'get',
    path: '/v1/account/export',
    tag: 'Account',
    summary: 'Export the account',
    description:
      'Everything that the account and its project have, as one document; what grows with sales is in files of its own, whose addresses it names. It contains the extended public keys of the wallets, so it asks for the password or a second factor as dangerous changes do, and each export has a line in the audit log.',
    auth: 'bearer',
    rateLimits: ['account', 'export'],
    responses: { 200: { description: 'The document.', schema: accountExportSchema } },
    errors: ['reauthentication_required', 'password_required'],
  },
} as const satisfies Record<string, Operation>;
