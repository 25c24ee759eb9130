import { projectViewSchema } from '../../resources/account/me.ts';
import {
  cancelledWalletChangesSchema,
  cancelWalletChangesBodySchema,
  updateWalletChangeDelayBodySchema,
} from '../../resources/wallet-changes.ts';
import { walletParamsSchema } from '../../resources/wallets.ts';
import type { Operation } from '../operation.ts';

/** Changes of wallets that wait before they take effect. */
export const walletChangeOperations = {
  cancelWalletChange: {
    method: 'post',
    path: '/v1/wallets/{currency}/cancel-change',
    tag: 'Wallets',
    summary: 'Cancel the pending change of a wallet',
    description:
      'Removes the wallet that would take effect later; the current one stays in use. Needs no second factor, because nothing changes.',
    auth: 'key',
    role: 'manager',
    scope: 'wallets:write',
    rateLimits: ['api_key', 'project_change'],
    params: walletParamsSchema,
    responses: {
      200: { description: 'The change that was cancelled.', schema: cancelledWalletChangesSchema },
    },
    errors: ['wallet_change_not_found'],
  },
  cancelWalletChanges: {
    method: 'post',
    path: '/v1/auth/cancel-wallet-changes',
    tag: 'Account',
    summary: 'Cancel pending changes of wallets with a link',
    description:
      'Takes the token of the mail that announced a change. Cancels every pending change of the project’s wallets, and a pending shortening of the delay: who sees one that is not theirs trusts none.',
    auth: 'none',
    rateLimits: ['mail_link'],
    body: cancelWalletChangesBodySchema,
    responses: {
      200: { description: 'The changes that were cancelled.', schema: cancelledWalletChangesSchema },
    },
    errors: ['link_expired'],
  },
  updateWalletChangeDelay: {
    method: 'patch',
    path: '/v1/project/wallet-change-delay',
    tag: 'Project',
    summary: 'Change the delay of wallet changes',
    description:
      'A longer delay applies at once, to changes from now on. A shorter one takes effect only after the current delay, and is mailed. Sending the current delay cancels a shortening. At most 30 days.',
    auth: 'bearer',
    role: 'owner',
    rateLimits: ['account', 'project_change'],
    body: updateWalletChangeDelayBodySchema,
    responses: { 200: { description: 'The project as it is now.', schema: projectViewSchema } },
    errors: ['reauthentication_required', 'password_required'],
  },
} as const satisfies Record<string, Operation>;
