import { me } from '../account/account.ts';
import type { OperationExample } from '../operation-example.ts';
import { wallet } from './setup.ts';

const cancelled = {
  cancelled: [{ currency: 'BTC', verification_address: wallet.verification_address }],
} as const;

/** Examples for changes of wallets that wait. */
export const walletChangeExamples = {
  cancelWalletChange: { response: cancelled },
  cancelWalletChanges: {
    request: { token: 'Vw3n8Yt0b1QmZr5cXk7LpD2fHs9JgU4aEoT6iNvBxRq' },
    response: cancelled,
  },
  updateWalletChangeDelay: {
    request: { seconds: 172_800 },
    response: { ...me.project, wallet_change_delay: { ...me.project.wallet_change_delay, seconds: 172_800 } },
  },
} as const satisfies Record<string, OperationExample>;
