import type { CancelledWalletChangesView } from '@paywatch/domain/contract';
import { AppError } from '@paywatch/domain/requests';
import { sha256 } from '@paywatch/runtime/security';
import { byCredential, cancelWalletChangesByLink } from '@paywatch/store/accounts';
import { cancelWalletChange as cancelChange, type CancelledWallet } from '@paywatch/store/pools';
import type { Dependencies } from '../dependencies.ts';
import type { OperationHandler } from '../operation-handler.ts';

/** Cancels the pending change of one wallet. Needs no second factor: it only keeps what is. */
export function cancelWalletChange({ store }: Dependencies): OperationHandler<'cancelWalletChange'> {
  return async ({ caller, params: { currency }, context }) => {
    const authorize = byCredential(caller, context.address);
    const cancelled = await cancelChange(store, authorize, caller.projectId, { currency });
    if (cancelled.length === 0) throw new AppError('wallet_change_not_found');
    return { status: 200, body: cancelledView(cancelled) };
  };
}

/** Cancels all pending changes of an account's wallets with the link of a mail. */
export function cancelWalletChanges({ store }: Dependencies): OperationHandler<'cancelWalletChanges'> {
  return async ({ body, context }) => {
    const link = { tokenHash: sha256(body.token), ip: context.address };
    const cancelled = await cancelWalletChangesByLink(store, link);
    if (cancelled === null) throw new AppError('link_expired');
    return { status: 200, body: cancelledView(cancelled) };
  };
}

function cancelledView(cancelled: readonly CancelledWallet[]): CancelledWalletChangesView {
  return {
    cancelled: cancelled.map(({ currency, verificationAddress }) => ({
      currency,
      verification_address: verificationAddress,
    })),
  };
}
